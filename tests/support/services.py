"""Which outside things a test may use. What is missing skips on a developer's machine and fails where it is
required.

`PESTLE_TEST_REQUIRE` is a comma-separated list of names that must be there ("redis,postgresql,chromium"); CI
sets it. Tests that run side by side (pytest-xdist) each have a database of their own in Redis and PostgreSQL.
"""

import asyncio
import os
import shutil
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import pytest

from adapters.data_sections import SandboxSettings
from adapters.model_sections import ModelSettings
from adapters.sandbox import open_sandbox
from agents.ports import Sandbox

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
"""Name of the process among those that test side by side ("gw0", "gw1", …); empty where there is one."""
REDIS_DATABASES = 16
"""So many a Redis has unless it is told otherwise."""


def required(name: str) -> bool:
    return name in os.environ.get("PESTLE_TEST_REQUIRE", "").split(",")


def missing(name: str, how: str) -> None:
    """Skip the test, or fail it where `name` is required."""
    text = f"{name} is not available: {how}"
    if required(name):
        pytest.fail(text)
    pytest.skip(text)


def listening(port: int, host: str = "127.0.0.1") -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex((host, port)) == 0


def shared(relative: str) -> Path:
    """A file or folder of the development data, or a skip."""
    path = SHARED / relative
    if not path.exists():
        missing("shared", f"{relative} lies beside the checkout on development machines only")
    return path


def program(name: str, *alternatives: str) -> str:
    """Path of an installed program, or a skip."""
    for candidate in (name, *alternatives):
        if found := shutil.which(candidate):
            return found
    missing(name, f"install the program {name}")
    raise AssertionError


async def sandbox() -> Sandbox:
    """A sandbox that runs programs, or a skip."""
    opened = open_sandbox(SandboxSettings())
    if reason := await opened.unavailable():
        missing("sandbox", reason)
    return opened


def r(*packages: str) -> None:
    """R with packages, or a skip."""
    program("Rscript")
    places = [
        Path("/usr", one) for one in ("lib/R/site-library", "lib/R/library", "local/lib/R/site-library")
    ]
    if absent := [one for one in packages if not any((place / one).is_dir() for place in places)]:
        missing("Rscript", f"R lacks {', '.join(absent)}: `pestle protocol setup` installs it")


def language_model() -> ModelSettings:
    """The language model of the tests, or a skip."""
    url = os.environ.get("PESTLE_TEST_LLM_URL", "")
    if not url:
        missing("llm", "name an endpoint in PESTLE_TEST_LLM_URL")
    return ModelSettings(base_url=url, name=os.environ.get("PESTLE_TEST_LLM_NAME", "default"))


def redis_url() -> str:
    """A Redis database of this test process's own: the named one, or one of those after it."""
    url = urlsplit(os.environ.get("PESTLE_TEST_REDIS_URL", "redis://127.0.0.1:6379/9"))
    if not listening(url.port or 6379):
        missing("redis", "start redis-server, or name one in PESTLE_TEST_REDIS_URL")
    number = (int(url.path[1:] or 0) + int(WORKER[2:] or 0)) % REDIS_DATABASES
    return url._replace(path=f"/{number}").geturl()


def postgresql_url() -> str:
    """A PostgreSQL database of this test process's own."""
    url = os.environ.get("PESTLE_TEST_POSTGRESQL_URL", "")
    if not url:
        missing("postgresql", "name an empty database in PESTLE_TEST_POSTGRESQL_URL")
    return _own_database(url) if WORKER else url


@cache
def _own_database(url: str) -> str:
    """A new database beside the named one. In a thread, since the caller's may run an event loop."""
    own = urlsplit(url)._replace(path=f"{urlsplit(url).path}_{WORKER}").geturl()
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, _created(url.replace("+asyncpg", ""), own.rsplit("/", 1)[1])).result()
    return own


async def _created(server: str, name: str) -> None:
    connection = await asyncpg.connect(server)
    await connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    await connection.execute(f"CREATE DATABASE {name}")
    await connection.close()


def elasticsearch_url() -> str:
    url = os.environ.get("PESTLE_TEST_ELASTICSEARCH_URL", "http://127.0.0.1:9200")
    if not listening(int(url.rsplit(":", 1)[1])):
        missing("elasticsearch", "start one on port 9200, or name one in PESTLE_TEST_ELASTICSEARCH_URL")
    return url
