"""How far an ingest is, with a terminal and without one."""

import io

import pytest
from rich.console import Console

from adapters.cli.progress import Log, ingest_progress


def test_without_a_terminal_a_line_comes_every_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    now = 0.0
    log = Log(clock=lambda: now)
    for done in range(1, 101):
        now = done * 0.25
        log(done, 100, f"{done}.md")
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "40 of 100 files, 4.0 a second, about 0:00:15 left",
        "80 of 100 files, 4.0 a second, about 0:00:05 left",
    ]


def test_at_a_terminal_a_line_moves_with_its_rate() -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=120)
    with ingest_progress(console) as shown:
        shown(3, 10, "a [bold]report.pdf")
    assert "a [bold]report.pdf" in out.getvalue()
    assert "3/10" in out.getvalue()
    assert "/s" in out.getvalue()
