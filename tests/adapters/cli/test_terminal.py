"""The terminal from the outside: what is printed where, and with which exit code."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.cli import main

Pestle = Callable[..., tuple[int, str, str]]
QUESTION = "What was the first-in-human dose of ZX-4401?"
REPORT = """\
# ZX-4401: first-in-human study

The first-in-human study of ZX-4401 was done in healthy volunteers.
The first subject received a single oral dose of 3 mg.
"""


@pytest.fixture
def pestle(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Pestle:
    """Run a command in this process: (exit code, standard output, standard error)."""

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["pestle", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        code = ended.value.code
        return int(code) if isinstance(code, int) else 0, *capfd.readouterr()

    return run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "reports"
    made.mkdir()
    (made / "ZX-CL-1.md").write_text(REPORT)
    return made


def test_from_a_folder_to_a_cited_answer(pestle: Pestle, folder: Path) -> None:
    assert pestle("ingest", str(folder))[0] == 0

    code, out, _ = pestle("ask", QUESTION)

    assert code == 0
    assert "3 mg" in out
    assert "The first subject received a single oral dose of 3 mg." in " ".join(out.replace("│", " ").split())


def test_the_same_question_twice_gives_the_same_answer(pestle: Pestle, folder: Path) -> None:
    pestle("ingest", str(folder))

    first, second = (json.loads(pestle("ask", "--json", QUESTION)[1]) for _ in range(2))

    assert first.pop("run_id") != second.pop("run_id")
    assert first == second
    assert first["citations"][0]["quote"] in REPORT


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("ingest", "/no/such/folder"), 3, "There is no folder"),
        (("ask", ""), 2, "empty"),
        (("ask", "x" * 100_000), 2, "characters"),
        (("ask", "\x01\x02\x00\x03" * 50), 2, "control characters"),
        (("remove", "nothing"), 3, "no document 'nothing'"),
        (("run", "show", "nothing"), 3, "no run"),
        (("run", "export", "nothing", "-f", "exe"), 2, "exe"),
        (("eval", "archive", "/no/such/folder"), 3, "question set"),
        (("worker",), 2, "PESTLE_REDIS_URL"),
    ],
)
def test_what_cannot_be_done_is_said_on_standard_error(
    pestle: Pestle, folder: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    pestle("ingest", str(folder))

    ended, _, error = pestle(*arguments)

    assert ended == code
    assert said in " ".join(error.split())
    assert "Traceback" not in error


def test_an_empty_archive_says_how_to_fill_it(pestle: Pestle) -> None:
    code, _, error = pestle("ask", "What is known?")

    assert code == 3
    assert "pestle ingest FOLDER" in " ".join(error.split())


def test_a_file_that_cannot_be_read_costs_only_itself(pestle: Pestle, folder: Path) -> None:
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 and nothing else")
    (folder / "empty.docx").write_bytes(b"")

    code, out, _ = pestle("ingest", str(folder))

    assert code == 0
    assert "1 added" in out
    assert "broken.pdf" in out
    assert "empty.docx" in out


def test_a_run_can_be_shown_replayed_and_exported(pestle: Pestle, folder: Path, tmp_path: Path) -> None:
    pestle("ingest", str(folder))
    run_id = json.loads(pestle("ask", "--json", QUESTION)[1])["run_id"]

    assert "research/clinical" in pestle("run", "show", run_id)[1]
    code, out, _ = pestle("run", "replay", run_id)
    assert (code, "the same answer" in out) == (0, True)
    target = tmp_path / "answer.md"
    assert pestle("run", "export", run_id, "-f", "md", "-o", str(target))[0] == 0
    assert "3 mg" in target.read_text()


def test_a_killed_question_goes_on_where_it_was(pestle: Pestle, folder: Path) -> None:
    pestle("ingest", str(folder))
    expected = json.loads(pestle("ask", "--json", QUESTION)[1])
    process = subprocess.Popen(
        [sys.executable, "-c", "from adapters.cli import main; main()", "ask", QUESTION],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=dict(os.environ),
    )
    deadline = time.monotonic() + 60
    while len(runs := json.loads(pestle("runs", "--json")[1])) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    run_id = runs[0]["run_id"]

    code, out, _ = pestle("run", "resume", run_id)

    if code == 0:
        assert "3 mg" in out
    finished = [run for run in json.loads(pestle("runs", "--json")[1]) if run["run_id"] == run_id]
    again = json.loads(finished[0]["result"])
    assert again["short"] == expected["short"]
    assert again["citations"] == expected["citations"]
