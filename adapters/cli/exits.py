"""Exit codes, and how an error becomes a sentence.

0 done · 1 unexpected · 2 wrong use or setting · 3 something named does not exist · 4 in use by another
process · 5 disk full · 6 a service cannot be reached · 7 the run was stopped or failed
"""

from collections.abc import Mapping

from adapters.errors import AdapterError, SettingsError, StorageError
from agents.errors import AgentError, ModelError, RunStopped, StepFailed, UnknownRun
from bot.errors import BadRequest, BotError, QueueDown
from retrieval.errors import ArchiveNotFound, IndexBusy, RetrievalError, StorageFull

CODES: Mapping[type[Exception], int] = {
    SettingsError: 2,
    BadRequest: 2,
    ArchiveNotFound: 3,
    UnknownRun: 3,
    IndexBusy: 4,
    StorageFull: 5,
    QueueDown: 6,
    StorageError: 6,
    ModelError: 6,
    RunStopped: 7,
    StepFailed: 7,
}
"""The first class that fits decides; any other error of ours is 1."""

OURS = (AdapterError, AgentError, BotError, RetrievalError)


def code(error: Exception) -> int:
    """The exit code for an error."""
    return next((number for kind, number in CODES.items() if isinstance(error, kind)), 1)
