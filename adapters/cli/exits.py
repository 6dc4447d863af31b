"""Exit codes, and how an error becomes a sentence on standard error.

| code | meaning                                                                                    |
|------|--------------------------------------------------------------------------------------------|
| 0    | done; "not stated in the archive" is an answer too                                         |
| 1    | unexpected error; or index or weights are damaged, and the message says what to do         |
| 2    | wrong use, wrong setting, or a question that cannot be asked                               |
| 3    | something named does not exist or holds nothing readable; or the archive is still empty    |
| 4    | in use by another process, or overloaded: wait and repeat                                  |
| 5    | disk full; what was complete is kept                                                       |
| 6    | no service: database, queue, index, bucket, language model or model workers                |
| 7    | a run stopped or failed, a replay differs, a citation is not verbatim, a value not         |
|      | carried, the audit's chain is broken                                                       |
| 130  | interrupted with Ctrl-C; what was finished is kept                                         |
"""

import logging
import sys
from collections.abc import Mapping
from sqlite3 import SQLITE_FULL
from typing import NoReturn

from adapters.cli.screen import Screen
from adapters.errors import AdapterError, DiskFull, LegalHold, SettingsError, StorageError
from agents.errors import (
    AgentError,
    LibraryMissing,
    ModelError,
    RunStopped,
    StepFailed,
    ToolFailed,
    UnknownRun,
    WrongFile,
    WrongOrder,
)
from agents.runs.records import RunRecord, RunState
from bot.errors import BadRequest, BotError, QueueDown
from retrieval.errors import (
    FULL,
    ArchiveNotFound,
    DeviceError,
    EditRefused,
    IndexBusy,
    IndexForbidden,
    IndexUnavailable,
    JudgementsError,
    ModelOverloaded,
    ModelsMissing,
    ModelsUnavailable,
    RetrievalError,
    SourceDown,
    StorageFull,
)

logger = logging.getLogger(__name__)


class RunEndedEarly(AgentError):
    """A run was stopped or failed; what it found has been shown."""


CODES: Mapping[type[Exception], int] = {
    SettingsError: 2,
    BadRequest: 2,
    WrongOrder: 2,
    IndexForbidden: 2,
    EditRefused: 2,
    LegalHold: 2,
    DeviceError: 2,
    ModelsMissing: 2,
    LibraryMissing: 2,
    ArchiveNotFound: 3,
    JudgementsError: 3,
    UnknownRun: 3,
    WrongFile: 3,
    IndexBusy: 4,
    ModelOverloaded: 4,
    StorageFull: 5,
    DiskFull: 5,
    IndexUnavailable: 6,
    QueueDown: 6,
    SourceDown: 6,
    StorageError: 6,
    ModelsUnavailable: 6,
    ModelError: 6,
    ToolFailed: 6,
    RunStopped: 7,
    StepFailed: 7,
    RunEndedEarly: 7,
}
"""Classes and their codes: the first one that fits decides. Any other error ends with 1."""

INTERRUPTED = 130
OURS = (AdapterError, AgentError, BotError, RetrievalError)


def check_done(record: RunRecord) -> None:
    """Raises `RunEndedEarly`, with the reason, if a run did not end with its whole answer."""
    if record.state is RunState.WAITING:
        raise RunEndedEarly(
            f"The run waits for a decision. `pestle run answer {record.run_id} CHOICE` gives it."
        )
    if record.state is not RunState.DONE:
        reason = record.error.rstrip(".")
        raise RunEndedEarly(f"{reason}. `pestle run resume {record.run_id}` goes on from the finished steps.")


def end(error: Exception) -> NoReturn:
    """Say what happened, and end the program with the error's code."""
    if not isinstance(error, OURS):
        logger.error("unexpected", exc_info=error)
    say(sentence(error))
    sys.exit(code(error))


def say(message: str) -> None:
    """One line on standard error; the terminal breaks it, so that it stays whole in a log."""
    console = Screen(stderr=True)
    console.tell(f"pestle: {message}", "red")


def code(error: Exception) -> int:
    """The exit code for an error."""
    if _disk_full(error):
        return 5
    return next((number for kind, number in CODES.items() if isinstance(error, kind)), 1)


def sentence(error: Exception) -> str:
    """An error in a sentence for the user: what happened, and what to do."""
    if isinstance(error, OURS):
        return str(error)
    if _disk_full(error):
        return "The disk is full. Free some space and repeat the command; what was complete is kept."
    return f"Unexpected {type(error).__name__}: {error}. `pestle -v …` shows where; please report it."


def _disk_full(error: BaseException | None) -> bool:
    """Whether an error, ours or not, comes from a full disk."""
    while error is not None:
        if getattr(error, "errno", None) in FULL or getattr(error, "sqlite_errorcode", None) == SQLITE_FULL:
            return True
        error = error.__cause__
    return False
