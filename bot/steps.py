"""From a run's events to the lines of its progress card: one line per kind of step, with its time."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from agents.runs.records import Event
from bot.values import Step

LABELS = {
    "classify": "Understanding the question",
    "resolve": "Recognising the molecules",
    "decompose": "Breaking it down",
    "search": "Searching the archive",
    "review": "Reviewing what was found",
    "research": "Reading the evidence",
    "check": "Checking every claim",
    "supervise": "Putting the answer together",
    "taxonomy": "Filling the table",
}
_STATES = {
    "step.started": "running",
    "step.finished": "done",
    "step.replayed": "done",
    "step.failed": "failed",
}


@dataclass(slots=True)
class _Line:
    """The steps of one kind: each step's latest state, and the times of the first and the last event."""

    first: datetime
    last: datetime
    states: dict[tuple[str, str], str] = field(default_factory=dict)


def lines(events: Sequence[Event], *, final: bool = False) -> tuple[Step, ...]:
    """One line per kind of step, in the order they began. In a `final` card nothing is shown as running."""
    kinds: dict[str, _Line] = {}
    for event in events:
        if state := _STATES.get(event.kind):
            at = datetime.fromisoformat(event.at)
            detail = json.loads(event.detail)
            line = kinds.setdefault(_kind_of(detail["step"]), _Line(at, at))
            line.states[detail["step"], detail["inputs"]] = state
            line.last = at
    return tuple(_shown(kind, line, final) for kind, line in kinds.items())


def elapsed(events: Sequence[Event]) -> float | None:
    """Seconds from a run's first event to its last; None without events."""
    if not events:
        return None
    return (datetime.fromisoformat(events[-1].at) - datetime.fromisoformat(events[0].at)).total_seconds()


def label(kind: str) -> str:
    """What a kind of step is called in a card."""
    return LABELS.get(kind, kind.replace("_", " ").replace("-", " ").capitalize())


def _kind_of(name: str) -> str:
    """The part of a step's name before its subject: "search" of "search:clinical"."""
    return re.split(r"[/:.\[ ]", name, maxsplit=1)[0]


def _shown(kind: str, line: _Line, final: bool) -> Step:
    states = list(line.states.values())
    over = len(states) - states.count("running")
    running = over < len(states) and not final
    state = "running" if running else "failed" if "failed" in states else "done"
    seconds = None if running else (line.last - line.first).total_seconds()
    return Step(label(kind), state, seconds, f"{over} of {len(states)}" if len(states) > 1 else "")
