"""How far an ingest is, with a terminal and without one."""

import io
import re
import time
from dataclasses import replace

import pytest
from rich.console import Console

from adapters.cli.progress import Log, progress
from adapters.cli.screen import Screen
from adapters.cli.terminal import Terminal
from bot.cards import started_card
from bot.values import ThreadRef
from tests.support.hostile import ESCAPES


def test_without_a_terminal_a_line_comes_every_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    now = 0.0
    log = Log(clock=lambda: now)
    for done in range(1, 101):
        now = done * 0.25
        log(done, 100, f"{done}.md")
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "40 of 100 files, 240 a minute, about 0:00:15 left",
        "80 of 100 files, 240 a minute, about 0:00:05 left",
    ]


@pytest.mark.parametrize(
    ("done", "told"), [(0, "0 of 10 files, at a [bold]report.pdf for 0:00:00"), (3, "3 of 10 files, ")]
)
def test_at_a_terminal_a_line_moves_with_its_rate(done: int, told: str) -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=120)
    with progress(console) as shown:
        shown(done, 10, "a [bold]report.pdf")
    assert told in out.getvalue()
    assert ("a minute" in out.getvalue()) == bool(done)


def test_no_time_is_promised_while_one_file_takes_long(capsys: pytest.CaptureFixture[str]) -> None:
    now = 0.0
    log = Log(clock=lambda: now)
    for done in range(1, 29):
        now = done * 0.5
        log(done, 66, f"{done}.md")
    for later in (20.0, 30.0, 3600.0):
        now = later
        log(28, 66, "reading big.txt")
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "20 of 66 files, 120 a minute, about 0:00:23 left",
        "28 of 66 files, 84 a minute, about 0:00:27 left",
        "28 of 66 files, at reading big.txt for 0:00:16",
        "28 of 66 files, at reading big.txt for 0:59:46",
    ]


def test_the_rate_is_one_of_pages_where_these_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    now = 0.0
    log = Log(clock=lambda: now)
    for page in range(1, 81):
        now = page * 0.25
        log(0, 2, f"reading page {page} of 80 of long.pdf", page)
    now = 24.0
    log(1, 2, "long.pdf", 80)
    now = 30.0
    log(1, 2, "next.md", 80)
    assert capsys.readouterr().err.splitlines() == [
        "0 of 2 files, 240 pages a minute, at reading page 40 of 80 of long.pdf for 0:00:10",
        "0 of 2 files, 240 pages a minute, at reading page 80 of 80 of long.pdf for 0:00:20",
        "1 of 2 files, 160 pages a minute, about 0:00:30 left",
    ]


def test_the_rate_is_that_of_the_last_minute(capsys: pytest.CaptureFixture[str]) -> None:
    now = 0.0
    log = Log(clock=lambda: now)
    for done in range(1, 101):
        now += 0.1 if done <= 50 else 10.0
        log(done, 200, f"{done}.md")
    assert capsys.readouterr().err.splitlines()[-1] == "100 of 200 files, 6 a minute, about 0:16:40 left"


def test_a_line_comes_also_while_nothing_is_done(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.cli.progress.LOG_S", 0.05)
    with Log().ticking() as log:
        log(0, 1, "big.txt")
        time.sleep(0.4)
    assert capsys.readouterr().err.count("0 of 1 files, at big.txt for 0:00:00") >= 3


@pytest.mark.parametrize("terminal", [True, False])
def test_a_name_steers_no_terminal(capsys: pytest.CaptureFixture[str], terminal: bool) -> None:
    out = io.StringIO()
    screen = Screen(file=out, force_terminal=terminal, width=200, color_system=None)
    with progress(screen) as shown:
        shown(0, 10, f"a{ESCAPES}\nforged line")
    text = re.sub(r"\x1b\[(?:\?25[lh]|\d*[AK])", "", out.getvalue() + capsys.readouterr().err)
    assert [sign for sign in text if sign in "\x1b\x07\x9b\u202e"] == []
    assert "\nforged" not in text


async def test_what_a_run_takes_is_told_at_a_terminal_before_it_begins() -> None:
    out, thread = io.StringIO(), ThreadRef("cli-a", "terminal", "a")
    terminal = Terminal(Screen(file=out, force_terminal=True, width=120), thread)
    card = started_card("r1", "What of KP-100?", ("From 5 past runs it takes about [2] minutes.",))
    first = await terminal.post(thread, card)
    await terminal.update(thread, first, replace(card, title="At work", notes=()))
    terminal.rest()
    assert out.getvalue().count("From 5 past runs it takes about [2] minutes.") == 1
