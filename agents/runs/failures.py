"""From what was raised in a step to what is kept, raised on and told to a user."""

import asyncio

from agents.errors import AgentError, LeaseLost, LedgerMismatch, RunStopped, StepFailed, Suspended
from retrieval.errors import RetrievalError

WHOLE_RUN = asyncio.CancelledError | RunStopped | Suspended | LeaseLost | LedgerMismatch
"""What concerns the whole run, whichever step raised it."""


def innermost(error: BaseException) -> BaseException:
    """The first error inside exception groups, or the error itself."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def explain(error: BaseException, trace_id: str) -> str:
    """What to tell a user about an error."""
    if isinstance(error, AgentError | RetrievalError):
        return str(error)
    return (
        f"Something unexpected went wrong ({type(error).__name__}). "
        f"Try again; if it happens again, report the trace id {trace_id}."
    )


def innermost_cause(error: BaseException) -> BaseException:
    """What made the innermost step fail, or the error itself."""
    while isinstance(error, StepFailed) and error.__cause__ is not None:
        error = error.__cause__
    return error


def expected(error: BaseException) -> bool:
    """Whether an error, or what made a step fail, is one of ours: then its message says all."""
    return isinstance(innermost_cause(error), AgentError | RetrievalError)


def failure_of(name: str, cause: BaseException, trace_id: str) -> BaseException:
    """The error that a step raises: errors that concern the whole run, or an inner step, stay as they are."""
    if isinstance(cause, WHOLE_RUN | StepFailed):
        return cause
    failure = StepFailed(name, f"The step {name} failed. {explain(cause, trace_id)}")
    failure.__cause__ = cause
    return failure


def what_happened(failure: BaseException) -> str:
    """The line kept with an unfinished step."""
    if isinstance(failure, asyncio.CancelledError | RunStopped | Suspended):
        return f"interrupted: {failure}" if str(failure) else "interrupted"
    cause = failure.__cause__ or failure
    return f"{type(cause).__name__}: {cause}"
