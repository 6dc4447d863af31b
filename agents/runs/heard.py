"""What people write and react in the thread of a run that listens, from the run's trail. Pure.

Each line is an event, written when it came. The run takes in what came since it last did; that is a step, so
that a replay takes in the same.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from agents.runs.encoding import decode
from agents.runs.hashing import canonical_json
from agents.runs.records import Event, StepRecord

HEARD = "thread.said"
"""Event of something said in the thread."""
HEARING = "thread.heard"
"""Name of the steps that take in what was said."""


@dataclass(frozen=True, slots=True)
class Said:
    """A message (`text`), or an emoji under a card that was set or, if `removed`, taken off.

    `who` is as their platform names them, `at` when it came (ISO 8601, UTC). `on` is the id of the section
    whose card the emoji is under, "" for any other card. `key` is the event among those of all platforms.
    """

    who: str
    at: str
    key: str
    text: str = ""
    emoji: str = ""
    removed: bool = False
    on: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """What one step took in: everything up to the event of this number."""

    said: tuple[Said, ...]
    upto: int


def said_detail(said: Said) -> str:
    """The event of something said."""
    return canonical_json(said)


def everything_said(events: Iterable[Event]) -> tuple[Said, ...]:
    """What was said, in order; an event that a platform sent twice counts once."""
    found = (Said(**json.loads(event.detail)) for event in events if event.kind == HEARD)
    return tuple({said.key: said for said in found}.values())


def taken_in(steps: Iterable[StepRecord]) -> tuple[int, frozenset[str]]:
    """The number of the last event that a run took in, and the keys of all that it did."""
    heard = [decode(Heard, one.output, HEARING) for one in steps if one.name == HEARING and not one.error]
    return max((one.upto for one in heard), default=0), frozenset(s.key for one in heard for s in one.said)


def not_heard(events: Iterable[Event], steps: Iterable[StepRecord]) -> tuple[Said, ...]:
    """What was said and the run has not taken in."""
    upto, keys = taken_in(steps)
    said = everything_said(event for event in events if event.number > upto)
    return tuple(one for one in said if one.key not in keys)
