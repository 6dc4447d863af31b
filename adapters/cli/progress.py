"""How far an ingest is: a line that moves at a terminal, now and then a line in a log."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from adapters.cli.screen import Screen

LOG_S = 10.0
"""Seconds between two lines where there is no terminal."""

Shown = Callable[[int, int, str], None]


@contextmanager
def ingest_progress(console: Console, what: str = "files") -> Iterator[Shown]:
    """What is called with files done, files in all and a file's name, while the context is open."""
    if not console.is_terminal:
        yield Log(what)
        return
    rate = TextColumn("{task.fields[rate]}")
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        rate,
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("Reading", total=None, rate="")
        began = time.monotonic()

        def shown(done: int, total: int, name: str) -> None:
            rate = f"{done / max(time.monotonic() - began, 1e-3):.1f}/s"
            bar.update(task, completed=done, total=total, description=escape(name[-40:]), rate=rate)

        yield shown


class Log:
    """Writes a line on standard error every `LOG_S` seconds, with rate and remaining time."""

    def __init__(self, what: str = "files", clock: Callable[[], float] = time.monotonic) -> None:
        self._what = what
        self._clock = clock
        self._began = self._last = clock()
        self._console = Screen(stderr=True)

    def __call__(self, done: int, total: int, name: str) -> None:
        """Take note of a file that is done."""
        now = self._clock()
        if now - self._last < LOG_S:
            return
        self._last = now
        rate = done / (now - self._began)
        left = timedelta(seconds=round((total - done) / rate))
        line = f"{done} of {total} {self._what}, {rate:.1f} a second, about {left} left"
        self._console.print(line, highlight=False, soft_wrap=True)
