"""Where processes matter: killed, at the same time, without a terminal."""

import asyncio
import json
import shutil
import signal
import socket
import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import uvicorn
from starlette.applications import Starlette

from adapters.ending import end_by_signals
from tests.adapters.cli.conftest import QUESTION, Pestle

Start = Callable[..., subprocess.Popen[str]]


def finished_steps(home: Path) -> int:
    """How many steps the ledger holds as finished."""
    try:
        with sqlite3.connect(f"file:{home / 'pestle.db'}?mode=ro", uri=True) as database:
            found = database.execute("SELECT count(*) FROM events WHERE kind = 'step.finished'").fetchone()
        database.close()
        return int(found[0])
    except sqlite3.OperationalError:
        return 0


def kill_after(steps: int, home: Path, started: subprocess.Popen[str]) -> None:
    """Kill -9 once so many steps are finished."""
    while finished_steps(home) < steps and started.poll() is None:
        time.sleep(0.01)
    started.send_signal(signal.SIGKILL)
    started.communicate()


def listed(pestle: Pestle) -> list[dict[str, str]]:
    runs: list[dict[str, str]] = json.loads(pestle("runs", "--json").out)
    return runs


def test_a_killed_question_resumes_to_the_identical_answer(
    pestle: Pestle, home: Path, monkeypatch: pytest.MonkeyPatch, start: Start
) -> None:
    monkeypatch.setenv("PESTLE_RUN_LEASE", "1")
    kill_after(2, home, start("ask", QUESTION))
    killed = listed(pestle)[0]
    assert killed["state"] == "running"
    resumed = pestle("run", "resume", killed["run_id"])
    assert (resumed.code, resumed.err) == (0, "")
    assert "4 mg" in resumed.out
    pestle("ask", QUESTION)
    undisturbed, again = listed(pestle)
    assert again["run_id"] == killed["run_id"]
    assert again["result"] == undisturbed["result"] != ""


def test_a_killed_ingest_is_completed_by_the_next_one(
    pestle: Pestle, documents: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, start: Start
) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("PESTLE_HOME", str(home))
    started = start("ingest", str(documents))
    while not (home / "archive.db").exists():
        time.sleep(0.01)
    started.send_signal(signal.SIGKILL)
    started.communicate()
    assert pestle("ingest", str(documents)).code == 0
    assert len(json.loads(pestle("documents", "--json").out)["documents"]) == 2


def test_two_ingests_and_a_question_at_the_same_time(
    pestle: Pestle, home: Path, documents: Path, tmp_path: Path, start: Start
) -> None:
    more = tmp_path / "more"
    more.mkdir()
    for number in range(3):
        shutil.copyfile(documents / "KP-MIN-02.md", more / f"copy-{number}.md")
        with (more / f"copy-{number}.md").open("a") as file:
            file.write(f"\nCopy number {number}.\n")
    both = [start("ingest", str(more)) for _ in range(2)]
    assert "4 mg" in pestle("ask", QUESTION).out
    ended = [started.communicate() for started in both]
    assert [started.returncode for started in both] == [0, 0], ended
    assert len(json.loads(pestle("documents", "--json").out)["documents"]) == 5


def test_a_port_in_use_is_told(pestle: Pestle, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setenv("PESTLE_WEB_PORT", str(taken.getsockname()[1]))
        ended = pestle("up", "--no-open")
    assert (ended.code, "PESTLE_WEB_PORT=0" in ended.err) == (2, True)


def test_up_serves_until_interrupted(home: Path, monkeypatch: pytest.MonkeyPatch, start: Start) -> None:
    monkeypatch.setenv("PESTLE_WEB_PORT", "0")
    started = start("up")
    assert started.stdout is not None
    assert "Pestle is at http://127.0.0.1:" in started.stdout.readline()
    time.sleep(0.5)
    started.send_signal(signal.SIGINT)
    _, errors = started.communicate(timeout=20)
    assert (started.returncode, errors) == (0, "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_a_moment_before_the_server_serves_ends_it(number: signal.Signals) -> None:
    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    server = uvicorn.Server(uvicorn.Config(Starlette()))
    try:
        end_by_signals(server)
        signal.raise_signal(number)
        asyncio.run(asyncio.wait_for(server.serve([socket.create_server(("127.0.0.1", 0))]), 10))
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def test_a_watched_folder_is_followed_until_interrupted(
    pestle: Pestle, documents: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, start: Start
) -> None:
    monkeypatch.setenv("PESTLE_HOME", str(tmp_path / "home"))
    folder = shutil.copytree(documents, tmp_path / "folder")
    started = start("watch", str(folder), "--every", "0.2")
    assert started.stdout is not None
    assert "Watching" in started.stdout.readline()
    assert "2 added" in started.stdout.readline()
    (folder / "KP-MIN-02.md").unlink()
    assert "1 deleted" in started.stdout.readline()
    started.send_signal(signal.SIGINT)
    _, errors = started.communicate(timeout=30)
    assert (started.returncode, errors) == (0, "")
    assert len(json.loads(pestle("documents", "--json").out)["documents"]) == 1
