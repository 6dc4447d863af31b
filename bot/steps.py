"""From a run's events to the lines of its progress card: one line per sort of step, with its time."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from agents.counts import shortened
from agents.runs.records import Event
from agents.runs.steps import LOOKING
from bot.values import Step

_STATES = {
    "step.started": "running",
    "step.finished": "done",
    "step.replayed": "done",
    "step.failed": "failed",
}
TALK = "thread"
"""The sort of steps that hear and show what is in the thread: they are no work to be told of."""
LONGEST_SUBJECT = 60
"""Characters that a line tells of what is looked for."""


@dataclass(slots=True)
class _Line:
    """The steps of one sort: each step's latest state, and the times of the first and the last event.

    `subject` is what an agent looked for last.
    """

    first: datetime
    last: datetime
    states: dict[tuple[str, str], str] = field(default_factory=dict)
    subject: str = ""


def lines(events: Sequence[Event], labels: Mapping[str, str], *, final: bool = False) -> tuple[Step, ...]:
    """One line per sort of step, in the order they began. In a `final` card nothing is shown as running.

    `labels` name the sorts for people.
    """
    sorts: dict[str, _Line] = {}
    for event in events:
        if state := _STATES.get(event.kind):
            at = datetime.fromisoformat(event.at)
            detail = json.loads(event.detail)
            if (sort := _sort_of(detail["step"])) == TALK:
                continue
            line = sorts.setdefault(sort, _Line(at, at))
            line.states[detail["step"], detail["inputs"]] = state
            line.last = at
        elif event.kind == LOOKING:
            detail = json.loads(event.detail)
            at = datetime.fromisoformat(event.at)
            sorts.setdefault(_sort_of(detail["step"]), _Line(at, at)).subject = detail["subject"]
    return tuple(_shown(label(sort, labels), line, final) for sort, line in sorts.items())


def elapsed(events: Sequence[Event]) -> float | None:
    """Seconds from a run's first event to its last; None without events."""
    if not events:
        return None
    return (datetime.fromisoformat(events[-1].at) - datetime.fromisoformat(events[0].at)).total_seconds()


def label(sort: str, labels: Mapping[str, str]) -> str:
    """What a sort of step is called in a card."""
    return labels.get(sort, sort.replace("_", " ").replace("-", " ").capitalize())


def _sort_of(name: str) -> str:
    """The part of a step's name before its subject: "search" of "search:clinical"."""
    return re.split(r"[/:.\[ ]", name, maxsplit=1)[0]


def _shown(label: str, line: _Line, final: bool) -> Step:
    states = list(line.states.values())
    over = len(states) - states.count("running")
    running = over < len(states) and not final
    state = "running" if running else "failed" if "failed" in states else "done"
    seconds = None if running else (line.last - line.first).total_seconds()
    told = f"{label}: {shortened(line.subject, LONGEST_SUBJECT)}" if line.subject else label
    return Step(told, state, seconds, f"{over} of {len(states)}" if len(states) > 1 else "")
