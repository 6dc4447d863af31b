"""Which run is executed: what logs and traces name it by. Known through a context variable."""

import hashlib
from contextvars import ContextVar

RUN: ContextVar[str] = ContextVar("run", default="")
"""The id of the run around; "" outside any."""


def trace_of(run_id: str) -> str:
    """The id of a run's trace in OpenTelemetry: 32 hexadecimal digits."""
    return hashlib.sha256(run_id.encode()).hexdigest()[:32]
