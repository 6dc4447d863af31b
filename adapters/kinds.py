"""The kinds of runs of this house: the one list. A new kind is one more line here."""

from agents.archive.kind import KIND as ARCHIVE
from agents.kinds import AnyKind

KINDS: tuple[AnyKind, ...] = (ARCHIVE,)
"""In order of preference: the first of two that are equally sure of a message is offered first."""
