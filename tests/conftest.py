"""Rules for the whole suite: no network beyond this machine, no settings from outside."""

import gc
import os
import socket
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.drills import SUITE

settings.load_profile(SUITE)
LOCAL = ("127.0.0.1", "::1", "localhost")
# A folder without certificates: no client spends 40 ms on reading whom this machine trusts.
os.environ["SSL_CERT_DIR"] = str(Path(__file__).parent)


@pytest.fixture(scope="session", autouse=True)
def scratch(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Temporary files of the tests, and of the processes that they start, stand in pytest's own folder: it
    removes those of old runs, also of one that was killed.
    """
    folder = str(tmp_path_factory.mktemp("scratch"))
    os.environ["TMPDIR"] = folder
    tempfile.tempdir = folder


@pytest.fixture(autouse=True)
def no_outside_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection to anything but this machine fails the test."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: object) -> None:
        if isinstance(address, tuple) and address[0] not in LOCAL:
            raise AssertionError(f"a test tried to reach {address[0]}: tests use no network")
        connect(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", guarded)
    return


@pytest.fixture(autouse=True)
def garbage_as_ever() -> Iterator[None]:
    """A command that runs in this process collects garbage seldom; the next test measures memory, perhaps."""
    usual = gc.get_threshold()
    yield
    gc.set_threshold(*usual)


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A new empty folder for each test. Counted here: pytest reads the whole folder to find a free number."""
    folder = tmp_path_factory.mktemp("homes")
    return (made(folder / str(number)) for number in count())


def made(folder: Path) -> Path:
    folder.mkdir()
    return folder


@pytest.fixture(autouse=True)
def no_outside_settings(monkeypatch: pytest.MonkeyPatch, homes: Iterator[Path]) -> None:
    """Settings come from the test alone; PESTLE_HOME is an empty folder."""
    for name in list(os.environ):
        if name.startswith("PESTLE_") and not name.startswith("PESTLE_TEST_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PESTLE_HOME", str(next(homes)))
