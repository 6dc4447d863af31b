"""`pestle account …`, and a page that refuses to be reached by others without one."""

import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.adapters.cli.conftest import Pestle

PASSWORD = b"four small green pestles\n"


@pytest.fixture(autouse=True)
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PESTLE_HOME", str(tmp_path))
    monkeypatch.setenv("PESTLE_WEB_PORT", "0")


def test_accounts_are_added_changed_listed_and_removed(pestle: Pestle) -> None:
    assert "No accounts yet" in pestle("account", "list").out
    assert pestle("account", "add", "Ada", stdin=PASSWORD).out == "ada can log in to the page.\n"
    assert pestle("account", "add", "ada", stdin=PASSWORD).code == 2
    assert pestle("account", "password", "ada", stdin=b"another pestle of mine\n").code == 0
    assert pestle("account", "list").out == "ada\n"
    assert pestle("account", "remove", "ada").code == 0
    assert pestle("account", "remove", "ada").code == 2
    assert pestle("account", "password", "ada", stdin=PASSWORD).code == 2


@pytest.mark.parametrize(
    ("name", "password", "told"),
    [("ada", b"short\n", "12 to"), ("ada", b"", "12 to"), ("you", PASSWORD, "cannot be the name")],
)
def test_what_makes_no_account_is_told(pestle: Pestle, name: str, password: bytes, told: str) -> None:
    ended = pestle("account", "add", name, stdin=password)
    assert (ended.code, told in ended.err) == (2, True)
    assert "No accounts yet" in pestle("account", "list").out


def test_up_refuses_to_be_reached_by_others_until_somebody_has_an_account(
    pestle: Pestle, monkeypatch: pytest.MonkeyPatch, start: Callable[..., subprocess.Popen[str]]
) -> None:
    monkeypatch.setenv("PESTLE_WEB_HOST", "0.0.0.0")
    refused = start("up")
    _, errors = refused.communicate(timeout=60)
    assert refused.returncode == 2
    assert "pestle account add NAME" in errors
    pestle("account", "add", "ada", stdin=PASSWORD)
    started = start("up")
    assert started.stdout is not None
    line = started.stdout.readline()
    assert "Without TLS" in started.stdout.readline()
    address = line.split()[3].replace("0.0.0.0", "127.0.0.1")
    assert httpx.get(address).status_code == 401
    given = {"name": "ada", "password": PASSWORD.decode().strip()}
    assert httpx.post(f"{address}/login", json=given, headers={"x-pestle": "page"}).status_code == 200
    started.send_signal(signal.SIGINT)
    started.communicate(timeout=20)
