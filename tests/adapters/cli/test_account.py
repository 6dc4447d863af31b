"""`pestle account …`, and a page that refuses to be reached by others without one."""

import os
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


def home() -> Path:
    return Path(os.environ["PESTLE_HOME"])


def test_accounts_are_added_changed_listed_and_removed(pestle: Pestle) -> None:
    assert "No accounts yet" in pestle("account", "list").out
    assert pestle("account", "add", "Ada", stdin=PASSWORD).out == "ada can log in to the page.\n"
    assert pestle("account", "add", "ada", stdin=PASSWORD).code == 2
    assert pestle("account", "password", "ada", stdin=b"another pestle of mine\n").code == 0
    assert pestle("account", "list").out == "ada\n"
    assert pestle("account", "remove", "ada").code == 0
    assert pestle("account", "remove", "ada").code == 2
    assert pestle("account", "password", "ada", stdin=PASSWORD).code == 2


def test_a_personal_token_is_shown_once_listed_by_its_beginning_and_ended(pestle: Pestle) -> None:
    assert pestle("account", "token", "ada").code == 2
    pestle("account", "add", "ada", stdin=PASSWORD)
    made = pestle("account", "token", "ada", "--days", "7").out.strip()
    assert made.startswith("pestle_")
    listed = pestle("account", "token", "ada", "--list").out
    assert " until 20" in listed
    assert made not in listed
    assert made.encode() not in b"".join(one.read_bytes() for one in home().iterdir() if one.is_file())
    assert pestle("account", "token", "ada", "--revoke", "00000000").code == 2
    assert pestle("account", "token", "ada", "--revoke", listed.split()[0]).out.endswith("is over.\n")
    assert pestle("account", "token", "ada", "--list").out.strip() == ""


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
