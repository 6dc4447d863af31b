"""What a tool answers: records that can be cited, a summary, and data for a program."""

from dataclasses import dataclass, replace

from pydantic import JsonValue

from agents.evidence.sources import Source
from agents.runs.artefacts import Artefact
from retrieval.values import Passage


@dataclass(frozen=True, slots=True)
class ToolRecord:
    """One piece of evidence: a source, or one passage of it.

    `passage` is None where the whole text of the source is meant. A record of a document always has one.
    """

    source: Source
    passage: Passage | None = None

    @property
    def place(self) -> Passage:
        """The passage meant, with its offsets in the source's text."""
        if self.passage is not None:
            return self.passage
        return Passage(self.source.id, 0, len(self.source.text), self.source.text)


@dataclass(frozen=True, slots=True)
class ToolReply:
    """The answer to one call.

    `summary` is a sentence for a model and a reader ("3 passages of 2 documents"). `note` says what they must
    know beside it ("nothing found: searched the labels of 2026-06", "needs a subscription"). `data` is the
    value for a program, as the tool's `output` describes it; it is no evidence. `files` are artefacts that it
    made, by their hashes.
    """

    records: tuple[ToolRecord, ...] = ()
    summary: str = ""
    note: str = ""
    data: dict[str, JsonValue] | None = None
    files: tuple[Artefact, ...] = ()

    def noted(self, note: str) -> "ToolReply":
        """The same reply with one more sentence in its note."""
        return replace(self, note=f"{self.note} {note}".strip())
