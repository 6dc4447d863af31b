"""A small archive, ingested once, and the `pestle` program run in-process or as a process of its own."""

import io
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from adapters.cli import main, session

DOCUMENTS = {
    "KP-CL-01.md": """\
# KP-100: first-in-human study

Date: 2019-05-02
Document type: Clinical study report

## Dosing

The first dose of KP-100 given to healthy volunteers was 4 mg as a single oral dose.
The highest single dose was 60 mg.
""",
    "KP-MIN-02.md": """\
# Minutes of the board: termination of KP-100

Date: 2021-03-09
Document type: Minutes

## Decision

The development of KP-100 was discontinued because of liver toxicity in the dog.
""",
}
QUESTION = "What was the first-in-human dose of KP-100?"


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


def command(*arguments: str) -> list[str]:
    """The command line of the real program."""
    return [sys.executable, "-c", "from adapters.cli import main; main()", *arguments]


def run(*arguments: str, first: Callable[[], None] | None = None) -> subprocess.CompletedProcess[str]:
    """Run the real program to its end; `first` is called in its process before it starts."""
    return subprocess.run(
        command(*arguments),
        capture_output=True,
        text=True,
        timeout=120,
        stdin=subprocess.DEVNULL,
        preexec_fn=first,
        check=False,
    )


class Pestle:
    """Runs a command in this process, through `main` and its error translation."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *arguments: str, stdin: bytes = b"") -> Ended:
        self._capsys.readouterr()
        self._monkeypatch.setattr(sys, "argv", ["pestle", *arguments])
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            main()
        shown = self._capsys.readouterr()
        return Ended(int(ended.value.code or 0), shown.out, shown.err)


@pytest.fixture
def pestle(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Pestle:
    monkeypatch.setattr(session.console, "_width", 80)
    return Pestle(monkeypatch, capsys)


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start the program as a process; what still runs at the end of the test is killed."""
    started = []

    def run(*arguments: str) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        one = subprocess.Popen(
            command(*arguments), stdout=pipe, stderr=pipe, stdin=subprocess.DEVNULL, text=True
        )
        started.append(one)
        return one

    yield run
    for one in started:
        one.kill()
        with one:
            pass


@pytest.fixture(scope="session")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documents")
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def ingested(documents: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A PESTLE_HOME whose archive holds the documents; copy it, do not write to it."""
    home = tmp_path_factory.mktemp("ingested")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PESTLE_HOME", str(home))
        subprocess.run(command("ingest", str(documents)), check=True, capture_output=True)
    return home


@pytest.fixture
def home(ingested: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PESTLE_HOME of the test's own with the ingested archive."""
    copy = shutil.copytree(ingested, tmp_path / "home")
    monkeypatch.setenv("PESTLE_HOME", str(copy))
    return copy
