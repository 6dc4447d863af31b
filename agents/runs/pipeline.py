"""What executes a run needs to know about a pipeline, and how a run of it is ordered."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from agents.runs.hashing import canonical_json
from agents.runs.records import RunRecord
from agents.runs.run import Run


def as_made(partial: Any, reason: str) -> Any:
    """The partial result just as the pipeline made it."""
    return partial


@dataclass(frozen=True, slots=True)
class Pipeline:
    """An async function over a run, with its tools bound, and the types of what goes in and comes out.

    `stopped` writes the reason of an early stop into a partial result. `concurrency` bounds how many runs of
    it one process executes at a time.
    """

    work: Callable[[Run, Any], Awaitable[Any]]
    inputs: Any
    output: Any
    stopped: Callable[[Any, str], Any] = as_made
    concurrency: int | None = None


def fresh_id() -> str:
    """An id for a run, short enough to be told on the phone."""
    return uuid4().hex[:12]


def new_run(
    pipeline: str,
    inputs: object,
    request_key: str = "",
    **fields: Any,
) -> RunRecord:
    """A queued run with a fresh id; `request_key` is by default a key of its own. `fields` are more of the
    record's.
    """
    run_id = fresh_id()
    return RunRecord(run_id, pipeline, canonical_json(inputs), request_key or f"run:{run_id}", **fields)
