"""`pestle doctor` tries every part and says what to do; `pestle settings check` is the same."""

import shutil
from pathlib import Path

import pytest

from tests.adapters.cli.conftest import Pestle


def test_a_house_that_works_is_said_to(pestle: Pestle, home: Path) -> None:
    ended = pestle("doctor")
    assert ended.code == 0, ended.out
    assert "archive: 2 documents" in ended.out
    assert "language model: none is set: rules answer" in ended.out


@pytest.mark.parametrize("command", [("doctor",), ("settings", "check")])
def test_what_does_not_work_is_told_with_what_to_do(
    pestle: Pestle, home: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setenv("PESTLE_REDIS_URL", "redis://:verysecret@127.0.0.1:1/0")
    monkeypatch.setenv("PESTLE_MODEL_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("PESTLE_MODEL_NAME", "any")
    monkeypatch.setenv("PESTLE_SLACK_BOT_TOKEN", "xoxb-verysecret")
    monkeypatch.setenv("PESTLE_SLACK_BASE_URL", "http://127.0.0.1:1/")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(2, 1, 1))
    ended = pestle(*command)
    assert ended.code == 1
    assert "queue: Redis cannot be reached; see PESTLE_REDIS_URL." in ended.out
    assert "rules answer until it can" in ended.out
    assert "Slack: " in ended.out
    assert "0.0 GB free" in ended.out
    assert "verysecret" not in ended.out + ended.err


def test_settings_that_are_wrong_are_named(pestle: Pestle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PESTLE_RUN_LEASE", "-3")
    ended = pestle("doctor")
    assert ended.code != 0
    assert "PESTLE_RUN_LEASE" in ended.err
