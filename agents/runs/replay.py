"""Carries a run out again, without its stored steps, and says what came out differently."""

import difflib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from agents.errors import UnknownRun
from agents.ports import RunLedger
from agents.runs.execute import execute
from agents.runs.pipeline import Pipeline, fresh_id
from agents.runs.records import RunRecord, StepRecord


class Change(StrEnum):
    """How a step of the replay compares with the original's."""

    SAME = "same"
    OUTPUT = "output"
    """Same name and inputs, another output: the step itself is not deterministic, or its rules changed."""
    INPUTS = "inputs"
    """Same name, other inputs: a step before it differs."""
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class StepDifference:
    """One step of either run. `lines` is a unified diff of the outputs as indented JSON."""

    name: str
    change: Change
    lines: tuple[str, ...] = ()
    fingerprints_differ: bool = False


@dataclass(frozen=True, slots=True)
class ReplayComparison:
    """Two runs with the same inputs, step by step in the order of the original.

    `result` is a unified diff of the results; empty when they are the same.
    """

    original: RunRecord
    again: RunRecord
    steps: tuple[StepDifference, ...]
    result: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether state, result and every step are the same."""
        unchanged = all(step.change is Change.SAME for step in self.steps)
        return unchanged and not self.result and self.original.state is self.again.state


async def replay(
    run_id: str, ledger: RunLedger, pipelines: Mapping[str, Pipeline], owner: str
) -> ReplayComparison:
    """Carry out a new run with the same inputs and budget, and compare. Raises `UnknownRun`."""
    original = await _find(ledger, run_id)
    again = _copy(original)
    await ledger.create(again)
    await execute(again.run_id, ledger, pipelines, owner)
    return await compare(run_id, again.run_id, ledger)


async def compare(original_id: str, again_id: str, ledger: RunLedger) -> ReplayComparison:
    """What differs between two runs. Raises `UnknownRun`."""
    original, again = await _find(ledger, original_id), await _find(ledger, again_id)
    before, after = await ledger.steps(original_id), await ledger.steps(again_id)
    differences = tuple(_differences(_finished(before), _finished(after)))
    return ReplayComparison(original, again, differences, _diff(original.result, again.result))


async def _find(ledger: RunLedger, run_id: str) -> RunRecord:
    record = await ledger.run(run_id)
    if record is None:
        raise UnknownRun(f"There is no run {run_id}. List the runs to find its id.")
    return record


def _copy(original: RunRecord) -> RunRecord:
    """A queued run of the same pipeline and inputs, outside any thread, so that nothing is posted."""
    run_id = fresh_id()
    return RunRecord(
        run_id,
        original.pipeline,
        original.inputs,
        request_key=f"replay:{run_id}",
        asked_by=original.asked_by,
        budget=original.budget,
        replay_of=original.run_id,
        queue=original.queue,
        revises=original.revises,
        section=original.section,
    )


def _finished(steps: list[StepRecord]) -> list[StepRecord]:
    return [step for step in steps if not step.error]


def _differences(before: list[StepRecord], after: list[StepRecord]) -> Iterator[StepDifference]:
    """Steps are paired by name and inputs first, then by name in order."""
    left = {(step.name, step.inputs_hash): step for step in after}
    partners = [left.pop((step.name, step.inputs_hash), None) for step in before]
    for step, partner in zip(before, partners, strict=True):
        if partner is not None:
            yield _difference(step, partner, Change.OUTPUT)
            continue
        key = next((key for key in left if key[0] == step.name), None)
        yield (
            StepDifference(step.name, Change.REMOVED)
            if key is None
            else _difference(step, left.pop(key), Change.INPUTS)
        )
    yield from (StepDifference(step.name, Change.ADDED) for step in left.values())


def _difference(before: StepRecord, after: StepRecord, change: Change) -> StepDifference:
    """`change`, unless the steps are the same."""
    lines = _diff(before.output, after.output)
    if change is Change.OUTPUT and not lines:
        change = Change.SAME
    return StepDifference(before.name, change, lines, before.fingerprints != after.fingerprints)


def _diff(before: str, after: str) -> tuple[str, ...]:
    """Unified diff of two JSON texts; empty if they say the same."""
    left, right = _pretty(before), _pretty(after)
    return tuple(difflib.unified_diff(left, right, "original", "replay", lineterm="", n=2))


def _pretty(text: str) -> list[str]:
    return json.dumps(json.loads(text), indent=1, ensure_ascii=False).splitlines() if text else []
