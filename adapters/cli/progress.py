"""How far an ingest is: a line that moves at a terminal, now and then a line in a log."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from adapters.cli.screen import Screen, one_line

LOG_S = 10.0
"""Seconds between two lines where there is no terminal."""
WINDOW_S = 60.0
"""Seconds over which the rate is measured."""

Shown = Callable[[int, int, str], None]


@contextmanager
def progress(console: Console, what: str = "files") -> Iterator[Shown]:
    """What is called with files done, files in all and the file at hand, while the context is open."""
    if not console.is_terminal:
        with Log(what).ticking() as log:
            yield log
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(pace := Pace()),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("Reading", total=None)

        def shown(done: int, total: int, name: str) -> None:
            pace.note(done, total, name)
            shown_name = escape(one_line(name)[-60:])
            bar.update(task, completed=done, total=total, description=shown_name)

        yield shown


class Pace:
    """How fast files are done lately, and how long the rest may take.

    While one file takes longer than the others would let expect, no time is promised.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._steps = deque([(clock(), 0)])
        self.done = self.total = 0
        self.name, self._is_done = "", False
        self._since = clock()

    def note(self, done: int, total: int, name: str) -> None:
        """Take note of files that are done and of the one at hand."""
        now = self._clock()
        if done < self.done:  # another round has begun
            self._steps = deque([(now, 0)])
        self._is_done = done != self.done
        if done != self.done:
            self._since = now
            self._steps.append((now, done))
        while len(self._steps) > 2 and now - self._steps[1][0] >= WINDOW_S:
            self._steps.popleft()
        self.done, self.total, self.name = done, total, name

    def told(self, unit: str = " a minute") -> str:
        """The rate of the last minute and the time left; or the file at hand, and how long it has taken."""
        now = self._clock()
        first, before = self._steps[0]
        rate = 60 * (self.done - before) / max(now - first, 1e-3)
        if now - self._since >= LOG_S or rate < 1:
            where = "after" if self._is_done else "at"
            return f"{where} {one_line(self.name)} for {timedelta(seconds=round(now - self._since))}"
        left = timedelta(seconds=round(60 * (self.total - self.done) / rate))
        return f"{rate:.0f}{unit}, about {left} left"


class Rate(ProgressColumn):
    """What `Pace` tells, also while nothing is done for long."""

    def __init__(self, pace: Pace) -> None:
        super().__init__()
        self._pace = pace

    def render(self, task: Task) -> Text:
        """The rate as it is now."""
        return Text(self._pace.told("/min"))


class Log:
    """Writes a line on standard error every `LOG_S` seconds."""

    def __init__(self, what: str = "files", clock: Callable[[], float] = time.monotonic) -> None:
        self._what = what
        self._clock = clock
        self._last = clock()
        self._pace = Pace(clock)
        self._console = Screen(stderr=True)
        self._writing = threading.Lock()

    def __call__(self, done: int, total: int, name: str) -> None:
        """Take note of what is done."""
        self._pace.note(done, total, name)
        self.tick()

    def tick(self) -> None:
        """Write a line if it is time for one and something has begun."""
        with self._writing:
            now, pace = self._clock(), self._pace
            if now - self._last < LOG_S or not pace.total:
                return
            self._last = now
            line = f"{pace.done} of {pace.total} {self._what}, {pace.told()}"
            self._console.tell(line)

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
