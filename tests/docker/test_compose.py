"""The files of `docker/` say what Pestle understands: commands, settings, health checks."""

import json
import os
import re
import shlex
import stat
import subprocess
import time
from collections.abc import Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from dramatiq.brokers.redis import RedisBroker
from pydantic import SecretStr
from typer.main import get_command

from adapters.cli.demo import ARCHIVE
from adapters.cli.main import app
from adapters.cli.serve import MODELS, RUNS
from adapters.settings import OUTSIDE, Settings, load, variables
from tests.journey.team import PESTLE
from tests.journey.waiting import PATIENCE_S, free_port, wait_for
from tests.support.services import ROOT, redis_url
from workers.main import GRACE_S

DOCKER = ROOT / "docker"
COMPOSE: dict[str, Any] = yaml.safe_load((DOCKER / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: one for name, one in SERVICES.items() if "build" in one}
ONCE = {"setup", "demo"}
DOCKERFILE = (DOCKER / "Dockerfile").read_text()
MANIFESTS: list[dict[str, Any]] = [
    one for file in (DOCKER / "kubernetes").glob("*.yaml") for one in yaml.safe_load_all(file.read_text())
]
DEPLOYMENTS = {one["metadata"]["name"]: one for one in MANIFESTS if one["kind"] == "Deployment"}
PODS = {name: one["spec"]["template"]["spec"] for name, one in DEPLOYMENTS.items()}
EVERY = PODS.pop("every-pod")
CONTAINERS = {name: pod["containers"][0] for name, pod in PODS.items()}
LINE_OF_SHELL = re.compile(r"\bpestle ([a-z -]+)")
DEFAULT = re.compile(r"\$\{\w+:-([^}]*)\}")
NAMED = re.compile(r"\bPESTLE_[A-Z0-9_]+\b")


def said(command: list[str]) -> list[list[str]]:
    """The words after `pestle` in a command, once for each call."""
    if command[0] == "pestle":
        return [[DEFAULT.sub(r"\1", word) for word in command[1:]]]
    return [shlex.split(found) for found in LINE_OF_SHELL.findall(command[-1])]


@pytest.mark.parametrize(
    "command",
    [one["command"] for one in OURS.values()]
    + [one["command"] for one in CONTAINERS.values()]
    + [json.loads(found) for found in re.findall(r'^CMD (\["pestle".*\])$', DOCKERFILE, re.MULTILINE)]
    + [shlex.split(found) for found in re.findall(r"RUN (pestle [^&]*)", DOCKERFILE)],
)
def test_each_command_is_one_of_pestle(command: list[str]) -> None:
    calls = said(command)
    assert calls
    for words in calls:
        found: Any = get_command(app)
        while hasattr(found, "get_command") and words:
            found = found.get_command(None, words.pop(0))
        assert found is not None, command
        found.make_context("pestle", list(words))


def served(services: Iterable[dict[str, Any]]) -> set[str]:
    """The queues that their workers take from."""
    calls = [words for one in services for words in said(one["command"]) if "--queues" in words]
    return {queue for words in calls for queue in words[words.index("--queues") + 1].split(",")}


def test_every_queue_has_a_worker() -> None:
    assert served(OURS.values()) == {*RUNS, MODELS}
    assert served(one for one in OURS.values() if "profiles" not in one) == {*RUNS}
    assert served(CONTAINERS.values()) == {*RUNS}


@pytest.mark.parametrize(
    "file", ["Dockerfile", "compose.yaml", "make-secrets", "kubernetes/kustomization.yaml"]
)
def test_each_name_is_a_setting(file: str) -> None:
    named = set(NAMED.findall((DOCKER / file).read_text()))
    assert named - {"PESTLE_"} <= {*variables(), *OUTSIDE}


def test_values_are_taken_by_the_settings(tmp_path: Path) -> None:
    environments = [one.get("environment", {}) for one in OURS.values()]
    environments.append(dict(re.findall(r"(PESTLE_\w+)=(\S+)", DOCKERFILE.replace("\\\n", "\n"))))
    [generated] = next(one for one in MANIFESTS if "configMapGenerator" in one)["configMapGenerator"]
    environments.append(dict(line.split("=", 1) for line in generated["literals"]))
    for environment in environments:
        assert load({"PESTLE_HOME": str(tmp_path), **environment})


def test_nothing_of_a_secret_is_in_an_environment_or_an_image() -> None:
    secret = {
        name
        for name, (section, field) in variables().items()
        if isinstance(getattr(getattr(Settings(), section), field, None) if section else None, SecretStr)
    }
    assert "PESTLE_SLACK_BOT_TOKEN" in secret
    for name, one in SERVICES.items():
        assert not {*one.get("environment", {})} & {*secret, "PESTLE_DATABASE_URL", "PESTLE_REDIS_URL"}, name
        assert not [key for key in one.get("environment", {}) if key.endswith(("PASSWORD", "TOKEN"))], name
    assert all(one == {"file": f"secrets/{name}"} for name, one in COMPOSE["secrets"].items())
    assert not secret & {*NAMED.findall(DOCKERFILE)}
    assert "*" in (ROOT / ".dockerignore").read_text().splitlines()[0]
    assert "!docker" not in (ROOT / ".dockerignore").read_text()


@pytest.mark.parametrize("name", SERVICES)
def test_services_have_few_rights(name: str) -> None:
    one = SERVICES[name]
    assert one["read_only"] if name != "elasticsearch" else True
    assert one["user"].split(":")[0] not in ("0", "root")
    assert one["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in one["security_opt"]
    assert one["deploy"]["resources"]["limits"].keys() == {"cpus", "memory", "pids"}
    assert name in (*ONCE, "ingest") or "test" in one["healthcheck"]
    assert one["restart"] == ("no" if name in ONCE else "unless-stopped")
    assert all(port.startswith("127.0.0.1:") for port in one.get("ports", []))
    if "build" in one:
        assert f" AS {one['build']['target']}\n" in DOCKERFILE
    else:
        assert re.search(r":\d+\.\d+\.\d+|:\d+\.\d+-", one["image"]), "pinned"


def test_each_stage_ends_as_an_ordinary_user() -> None:
    last: dict[str, str] = {}
    for stage in re.split(r"^FROM ", DOCKERFILE, flags=re.MULTILINE)[1:]:
        base, name = re.findall(r"^(\S+) AS (\S+)", stage)[0]
        users = re.findall(r"^USER (\S+)", stage, re.MULTILINE)
        last[name] = users[-1] if users else last.get(base, "0:0")
    assert {last[name] for name in ("bot", "worker", "programs", "models")} == {"10001:10001"}


def test_pods_have_few_rights_and_time_to_hand_their_runs_back() -> None:
    assert EVERY["securityContext"]["runAsNonRoot"]
    assert EVERY["containers"][0]["securityContext"]["readOnlyRootFilesystem"]
    assert not EVERY["enableServiceLinks"]
    assert EVERY["terminationGracePeriodSeconds"] > GRACE_S
    assert int(OURS["worker"]["stop_grace_period"].rstrip("s")) > GRACE_S
    assert all("livenessProbe" in one for one in CONTAINERS.values())


def test_workers_are_scaled_by_the_lists_that_dramatiq_keeps() -> None:
    scaled = {one["metadata"]["name"]: one["spec"] for one in MANIFESTS if one["kind"] == "ScaledObject"}
    space = RedisBroker(url="redis://127.0.0.1:1").namespace
    for name, spec in scaled.items():
        watched = {one["metadata"]["listName"] for one in spec["triggers"]}
        assert spec["scaleTargetRef"] == {"name": name}
        assert watched == {f"{space}:{queue}" for queue in served([CONTAINERS[name]])}
    assert served(CONTAINERS[name] for name in scaled) == {*RUNS}


def test_only_pods_with_r_and_a_sandbox_take_programs() -> None:
    takers = {name: one for name, one in CONTAINERS.items() if "programs" in served([one])}
    assert {one["image"] for one in takers.values()} == {"pestle-programs"}
    [kustomized] = [one for one in MANIFESTS if one["kind"] == "Kustomization"]
    assert {f"{name}.yaml" for name in takers} <= {*kustomized["resources"]}
    assert {one["image"] for one in takers.values()} <= {one["name"] for one in kustomized["images"]}
    [security] = [one["securityContext"] for one in takers.values()]
    assert security["seccompProfile"] == {"type": "Unconfined"}, "as Compose has it"


def test_the_demo_indexes_what_ships() -> None:
    assert OURS["demo"]["command"][-1].endswith("/site-packages/" + ARCHIVE.relative_to(ROOT).as_posix())


def made_secrets(folder: Path) -> dict[str, str]:
    (folder / "make-secrets").write_bytes((DOCKER / "make-secrets").read_bytes())
    subprocess.run(["sh", folder / "make-secrets"], check=True, stdout=subprocess.DEVNULL)
    return {file.name: file.read_text() for file in (folder / "secrets").iterdir()}


def test_secrets_are_made_once(tmp_path: Path) -> None:
    made = made_secrets(tmp_path)
    assert made_secrets(tmp_path) == made
    assert made.keys() == COMPOSE["secrets"].keys()
    assert stat.S_IMODE((tmp_path / "secrets").stat().st_mode) == 0o700
    settings = load({"PESTLE_HOME": str(tmp_path), "PESTLE_SECRETS": str(tmp_path / "secrets")})
    assert made["postgres_password"].strip() in settings.database_url
    assert made["redis_password"].strip() in settings.redis.url
    assert not settings.slack.used


@pytest.mark.service("redis")
def test_services_start_by_their_commands_and_their_health_checks_see_them(tmp_path: Path) -> None:
    secrets, ports = tmp_path / "secrets", {"8321": free_port(), "3000": free_port()}
    made_secrets(tmp_path)
    (secrets / "PESTLE_DATABASE_URL").unlink()
    for name, text in (
        ("REDIS_URL", redis_url()),
        ("SLACK_BOT_TOKEN", "xoxb-1"),
        ("SLACK_SIGNING_SECRET", "s"),
    ):
        (secrets / f"PESTLE_{name}").write_text(text)
    environment = {
        "PATH": f"{PESTLE.parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PESTLE_HOME": str(tmp_path / "home"),
        "PESTLE_SECRETS": str(secrets),
        "PESTLE_WEB_PORT": str(ports["8321"]),
        "PESTLE_WEB_LOGIN": "always",
        "PESTLE_SLACK_PORT": str(ports["3000"]),
        "WORKER_QUEUES": "pipeline,programs",
    }

    def here(words: list[str]) -> list[str]:
        """What a container is told, with the ports and folders of this test."""
        said = " \0".join(words).replace("$$", "$").replace("/run/secrets", str(secrets))
        for port, free in ports.items():
            said = said.replace(f":{port}/", f":{free}/")
        return DEFAULT.sub(r"\1", said).split(" \0")

    for _ in range(2):
        subprocess.run(here(OURS["setup"]["command"]), check=True, env=environment, stdout=subprocess.DEVNULL)
    with ExitStack() as stack:
        running = {}
        for name in ("page", "bot", "worker", "scheduler", "models"):
            own = environment | {"PESTLE_RUN_ALIVE": str(tmp_path / name)}
            check = partial(
                subprocess.run, here(OURS[name]["healthcheck"]["test"][1:]), env=own, capture_output=True
            )
            assert check().returncode, f"{name} is not there yet"
            process = stack.enter_context(subprocess.Popen(here(OURS[name]["command"]), env=own))
            stack.callback(process.kill)
            running[name] = (process, check)
        for name, (process, check) in running.items():
            wait_for(lambda ask=check: ask().returncode == 0, PATIENCE_S, f"{name} to be healthy")  # type: ignore[misc]
            process.terminate()
        assert {name: process.wait(30) for name, (process, _) in running.items()} == dict.fromkeys(running, 0)


def test_a_service_whose_event_loop_stands_still_is_not_healthy(tmp_path: Path) -> None:
    check = [word.replace("$$", "$") for word in OURS["worker"]["healthcheck"]["test"][1:]]
    assert CONTAINERS["worker"]["livenessProbe"]["exec"]["command"] == check
    assert f"HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD {json.dumps(check)}" in DOCKERFILE
    alive = tmp_path / "alive"
    for age, code in ((0, 0), (60, 1)):
        alive.touch()
        os.utime(alive, (time.time() - age,) * 2)
        assert (
            subprocess.run(
                check, env=os.environ | {"PESTLE_RUN_ALIVE": str(alive)}, stdout=subprocess.DEVNULL
            ).returncode
            == code
        )
