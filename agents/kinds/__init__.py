"""Kinds of runs: what each is called and does (`RunKind`), and those of a process (`Kinds`).

Importing this takes neither a pipeline nor Pydantic, so that a help text can name all kinds at once.
"""

from agents.kinds.kind import AnyKind, KindLimits, Opener, RunKind, Work
from agents.kinds.registry import Kinds, RunView, wish
from agents.kinds.values import (
    UNFOLLOWED,
    Certainty,
    Given,
    Guidance,
    Named,
    Principal,
    RevisionRequest,
    ThreadContext,
    Understood,
    UserMessage,
    Watch,
    chosen,
)

__all__ = [
    "UNFOLLOWED",
    "AnyKind",
    "Certainty",
    "Given",
    "Guidance",
    "KindLimits",
    "Kinds",
    "Named",
    "Opener",
    "Principal",
    "RevisionRequest",
    "RunKind",
    "RunView",
    "ThreadContext",
    "Understood",
    "UserMessage",
    "Watch",
    "Work",
    "chosen",
    "wish",
]
