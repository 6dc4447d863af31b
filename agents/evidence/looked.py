"""What a run looked at, as its trace tells it: searches, what they found, what was kept, what was refused."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a document; `end` is 0 where only the beginning is known."""

    doc_id: str
    start: int
    end: int = 0


@dataclass(frozen=True, slots=True)
class Refusal:
    """What was refused, and why: a passage at its `spot`, or a value that was read."""

    reason: str
    what: str = ""
    spot: Spot | None = None


@dataclass(frozen=True, slots=True)
class Looked:
    """One search: its query, where it looked, what was kept and refused."""

    query: str
    where: str = ""
    documents: int = 0
    kept: tuple[Spot, ...] = ()
    refused: tuple[Refusal, ...] = ()
