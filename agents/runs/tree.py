"""A run's steps as a tree, with what each of them and everything inside it took."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from agents.runs.records import StepRecord
from agents.usage import Usage


@dataclass(frozen=True, slots=True)
class StepNode:
    """A step and the steps carried out inside it, in the order they began.

    `usage` is that of the whole branch; `step.usage` is the step's own.
    """

    step: StepRecord
    inside: tuple["StepNode", ...]
    usage: Usage


def tree(steps: Sequence[StepRecord]) -> tuple[StepNode, ...]:
    """The steps of a run, as `Ledger.steps` gives them. A step whose parent never ended stands at the top."""
    ordered = sorted(steps, key=lambda step: step.started)
    children: dict[int, list[StepRecord]] = {}
    top: list[StepRecord] = []
    for step in ordered:
        around = _around(step, ordered)
        (top if around is None else children.setdefault(id(around), [])).append(step)
    return tuple(_node(step, children) for step in top)


def total(nodes: Sequence[StepNode]) -> Usage:
    """What the branches spent together."""
    return sum((node.usage for node in nodes), Usage())


def _node(step: StepRecord, children: dict[int, list[StepRecord]]) -> StepNode:
    inside = tuple(_node(child, children) for child in children.get(id(step), ()))
    return StepNode(step, inside, step.usage + total(inside))


def _around(step: StepRecord, steps: Sequence[StepRecord]) -> StepRecord | None:
    """The attempt at the parent step that was going on when this one began.

    If that one never ended (a crash), the later attempt, which replayed this step.
    """
    parent = (step.parent, step.parent_inputs)
    attempts = [one for one in steps if step.parent and (one.name, one.inputs_hash) == parent]
    begun = datetime.fromisoformat(step.started)
    return next((attempt for attempt in attempts if _ended(attempt) >= begun), None)


def _ended(step: StepRecord) -> datetime:
    return datetime.fromisoformat(step.started) + timedelta(seconds=step.seconds)
