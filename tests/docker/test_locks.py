"""What the images install is what the house was tested with, each package by its hashes."""

import re
import tomllib

import pytest

from tests.docker.test_compose import DOCKERFILE
from tests.support.services import ROOT

LOCKED = re.compile(
    r"^([A-Za-z0-9_.-]+)(?:\[[^\]]*\])?==(\S+)([^\n\\]*(?:\\\n +--hash=\S+ ?)*)", re.MULTILINE
)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = {"base": [], "models": PROJECT["optional-dependencies"]["models"]}


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[\[<>=! ;]", name)[0]).lower()


def versions(text: str) -> dict[str, str]:
    return {plain(found[1]): found[2] for found in LOCKED.finditer(text)}


TESTED = versions((ROOT / "constraints.txt").read_text())


@pytest.mark.parametrize("lock", EXTRAS)
def test_a_lock_has_all_that_is_declared_in_the_tested_version_with_hashes(lock: str) -> None:
    text = (ROOT / f"locks/{lock}.txt").read_text()
    locked = versions(text)
    assert {plain(one) for one in (*PROJECT["dependencies"], *EXTRAS[lock])} <= locked.keys()
    assert {name: locked[name] for name in locked.keys() & TESTED} == {
        name: TESTED[name] for name in locked.keys() & TESTED
    }
    assert all("--hash=sha256:" in found[3] for found in LOCKED.finditer(text))
    assert len(re.findall("==", text)) == len(locked)


def test_images_install_nothing_that_is_not_locked() -> None:
    installs = re.findall(r"pip install ([^\n]*)", DOCKERFILE)
    assert len(installs) == 3
    assert sum("--require-hashes" in one and "--no-deps" in one for one in installs) == 2
    assert sum("--no-build-isolation" in one and one.endswith(" .") for one in installs) == 1
