"""Steps that are to be carried out, and the event of one that has ended."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from agents.runs.hashing import canonical_json
from agents.runs.records import StepRecord

LOOKING = "agent.looking"
"""Event of an agent that is about to use a tool: `step` is the step, `subject` what it is asked for."""


@dataclass(frozen=True, slots=True)
class StepCall:
    """A step to be carried out: what `Run.gather` takes."""

    name: str
    work: Callable[..., Awaitable[Any]]
    inputs: tuple[object, ...]
    output: Any
    then: Callable[[Any], None] | None = None
    observed: bool = False
    """It tells what people said: a replay takes it from the run that it replays."""


def step_ended(step: StepRecord) -> tuple[str, str]:
    """Kind and detail of the event that a step has ended. Ledgers write it together with the step."""
    detail = canonical_json(
        {
            "step": step.name,
            "inputs": step.inputs_hash,
            "parent": step.parent,
            "seconds": round(step.seconds, 3),
            "tokens": step.usage.tokens,
            "cost_usd": step.usage.cost_usd,
            "error": step.error,
        }
    )
    return ("step.failed" if step.error else "step.finished"), detail
