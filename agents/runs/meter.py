"""What the step being carried out spends and uses, collected through a context variable.

Tasks and threads started inside a step (`asyncio.create_task`, `asyncio.to_thread`) count into it. Inside a
nested step the innermost one counts.
"""

import hashlib
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from agents.runs.clock import stamp, utc_now
from agents.runs.records import StepRecord
from agents.usage import Usage


class Meter:
    """Measures one step from its beginning; `inside` is the meter of the step around it."""

    def __init__(self, name: str, inputs_hash: str, inside: "Meter | None") -> None:
        self.name = name
        self.inputs_hash = inputs_hash
        self.inside = inside
        self.usage = Usage()
        self.fingerprints: set[str] = set()
        self.turns: Counter[str] = Counter()
        """How many steps of a name `Run.turn` counted inside this one."""
        self._started = stamp(utc_now())
        self._began = time.perf_counter()

    def record(self, run_id: str, output: str = "", error: str = "") -> StepRecord:
        """What is kept of the step, which ends now."""
        return StepRecord(
            run_id,
            self.name,
            self.inputs_hash,
            output,
            self._started,
            time.perf_counter() - self._began,
            self.inside.name if self.inside else "",
            self.usage,
            tuple(sorted(self.fingerprints)),
            error,
            self.inside.inputs_hash if self.inside else "",
        )

    def surrounds(self, name: str, inputs_hash: str) -> bool:
        """Whether this step or one around it has this name and these inputs."""
        if (self.name, self.inputs_hash) == (name, inputs_hash):
            return True
        return self.inside is not None and self.inside.surrounds(name, inputs_hash)


_current: ContextVar[Meter | None] = ContextVar("current_meter", default=None)


def current() -> Meter | None:
    """The meter of the step being carried out; None outside any step."""
    return _current.get()


@contextmanager
def measuring(name: str, inputs_hash: str) -> Iterator[Meter]:
    """Count what happens inside the block into a new meter."""
    meter = Meter(name, inputs_hash, _current.get())
    token = _current.set(meter)
    try:
        yield meter
    finally:
        _current.reset(token)


def spend(usage: Usage) -> None:
    """Count tokens and money into the current step, also when the call then fails. Nothing outside a step."""
    if meter := _current.get():
        meter.usage += usage


def fingerprint(name: str, content: str) -> None:
    """Note that the current step used a prompt or skill with this content: "name sha256-prefix"."""
    if meter := _current.get():
        meter.fingerprints.add(marked(name, content))


def marked(name: str, content: str) -> str:
    """How a step's fingerprint names a content: "name sha256-prefix"."""
    return f"{name} {hashlib.sha256(content.encode()).hexdigest()[:12]}"
