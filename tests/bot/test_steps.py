"""Lines of a progress card tell what an agent looks for."""

import json

from agents.runs.records import Event
from agents.runs.steps import LOOKING
from bot.steps import lines


def event(number: int, kind: str, **detail: object) -> Event:
    return Event(number, f"2026-01-01T00:00:0{number}+00:00", kind, json.dumps(detail))


def test_the_latest_search_stands_in_its_line() -> None:
    step = "tool/search_archive"
    events = [
        event(1, LOOKING, step=step, subject="liver of the dog"),
        event(2, "step.started", step=step, inputs="a"),
        event(3, LOOKING, step=step, subject="x" * 100),
    ]
    first, last = lines(events[:2], {"tool": "Looking further"}), lines(events, {"tool": "Looking further"})
    assert [line.label for line in first] == ["Looking further: liver of the dog"]
    assert last[0].label == f"Looking further: {'x' * 59}…"
