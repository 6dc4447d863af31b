"""How far an ingest is: a line that moves at a terminal, now and then a line in a log."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Protocol

from rich.console import Console
from rich.text import Text

from adapters.cli.screen import Screen, one_line

LOG_S = 10.0
"""Seconds between two lines where there is no terminal."""
WINDOW_S = 60.0
"""Seconds over which the rate is measured."""


class Shown(Protocol):
    """Is called with files done, files in all, the file at hand, and the pages read where these are known."""

    def __call__(self, done: int, total: int, name: str, pages: int = 0, /) -> None:
        """Show it."""


@contextmanager
def progress(console: Console, what: str = "files") -> Iterator[Shown]:
    """What shows how far it is, while the context is open."""
    if not console.is_terminal:
        with Log(what).ticking() as log:
            yield log
        return
    pace = Pace(what)
    with console.status(pace):
        yield pace.note


class Pace:
    """How fast files are done lately, and how long the rest may take.

    The rate is one of pages where these are known. While one file takes longer than the others would let
    expect, no time is promised.
    """

    def __init__(self, what: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._what = what
        self._clock = clock
        self._steps = deque([(clock(), 0, 0)])
        self.done = self.total = self._pages = 0
        self.name = ""
        self._since = clock()

    def note(self, done: int, total: int, name: str, pages: int = 0) -> None:
        """Take note of files that are done, of the one at hand, and of the pages read so far."""
        now = self._clock()
        if done < self.done:  # another round has begun
            self._steps = deque([(now, 0, 0)])
        if done != self.done:
            self._since = now
        if (done, pages) != self._steps[-1][1:]:
            self._steps.append((now, done, pages))
        while len(self._steps) > 2 and now - self._steps[1][0] >= WINDOW_S:
            self._steps.popleft()
        self.done, self.total, self.name, self._pages = done, total, name, pages

    def __rich__(self) -> Text:
        """A line that is right whenever the terminal is drawn."""
        return Text(self.told() if self.total else "Reading", no_wrap=True, overflow="ellipsis")

    def told(self) -> str:
        """How many are done, with the rate of the last minute and the time left; or the file at hand, and how
        long it has taken.
        """
        now = self._clock()
        first, files, pages = self._steps[0]
        minutes = max(now - first, 1e-3) / 60
        rate, paged = (self.done - files) / minutes, (self._pages - pages) / minutes
        counted = f"{self.done} of {self.total} {self._what}"
        pace = f"{paged:.0f} pages a minute" if paged >= 1 else f"{rate:.0f} a minute"
        if now - self._since >= LOG_S or rate < 1:
            long = timedelta(seconds=round(now - self._since))
            counted = f"{counted}, {pace}" if paged >= 1 else counted
            return f"{counted}, at {one_line(self.name)} for {long}"
        left = timedelta(seconds=round(60 * (self.total - self.done) / rate))
        return f"{counted}, {pace}, about {left} left"


class Log:
    """Writes a line on standard error every `LOG_S` seconds."""

    def __init__(self, what: str = "files", clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last = clock()
        self._pace = Pace(what, clock)
        self._console = Screen(stderr=True)
        self._writing = threading.Lock()

    def __call__(self, done: int, total: int, name: str, pages: int = 0, /) -> None:
        """Take note of what is done."""
        self._pace.note(done, total, name, pages)
        self.tick()

    def tick(self) -> None:
        """Write a line if it is time for one and something has begun."""
        with self._writing:
            now, pace = self._clock(), self._pace
            if now - self._last < LOG_S or not pace.total:
                return
            self._last = now
            self._console.tell(pace.told())

    @contextmanager
    def ticking(self) -> Iterator["Log"]:
        """Look at the clock by itself, too: nothing may be done for long."""
        ended = threading.Event()

        def look() -> None:
            while not ended.wait(LOG_S / 10):
                self.tick()

        looking = threading.Thread(target=look, name="progress", daemon=True)
        looking.start()
        try:
            yield self
        finally:
            ended.set()
            looking.join()
