"""The sentences, table rows and figures of a safety report as they are shown, and their classes (4.1.2)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from agents.reports.values import (
    PROPOSED,
    Block,
    Cell,
    Figure,
    Heading,
    Paragraph,
    Points,
    Prose,
    Report,
    Section,
    Statement,
    Table,
)
from agents.trust.values import Verdict
from retrieval.text.sentences import split_sentences


class Grounding(StrEnum):
    """The classes of the paper."""

    CITED = "cited"
    TOOL_GROUNDED = "tool-grounded"
    INFERABLE = "inferable"
    COMMON_KNOWLEDGE = "common knowledge"
    PROCEDURAL = "procedural"
    PROPOSED = "proposed"
    IN_MEMORY = "in-memory"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, table row or figure of a report as it is shown.

    `procedural` is what its form says: a remark, or a statement without a claim. `proposed`: it cites
    nothing, and says that somebody proposes it. `refused` is one whose claim was judged not to be carried,
    `unjudged` one whose claim nobody judged.
    """

    section: str
    text: str
    citations: tuple[int, ...] = ()
    procedural: bool = False
    proposed: bool = False
    refused: bool = False
    unjudged: bool = False
    parts: tuple[str, ...] = ()
    """The texts that the gate checks one by one: the cells of a row."""


@dataclass(frozen=True, slots=True)
class Grounded:
    """The class of every sentence of some reports."""

    sentences: tuple[tuple[Sentence, Grounding], ...] = ()

    def __add__(self, other: "Grounded") -> "Grounded":
        return Grounded(self.sentences + other.sentences)

    @property
    def counts(self) -> dict[Grounding, int]:
        """How many sentences are in each class."""
        found = Counter(kind for _, kind in self.sentences)
        return {kind: found[kind] for kind in Grounding}

    @property
    def rate(self) -> float | None:
        """The evidential support rate; None for a report without factual sentences."""
        factual = len(self.sentences) - self.counts[Grounding.PROCEDURAL] - self.counts[Grounding.PROPOSED]
        return (factual - self.counts[Grounding.UNSUPPORTED]) / factual if factual else None

    @property
    def unsupported(self) -> tuple[Sentence, ...]:
        """The sentences that rest on nothing."""
        return tuple(one for one, kind in self.sentences if kind is Grounding.UNSUPPORTED)

    def as_fields(self) -> dict[str, Any]:
        """Everything by name, also by section."""
        names = dict.fromkeys(one.section for one, _ in self.sentences)
        parts = {name: Grounded(tuple(p for p in self.sentences if p[0].section == name)) for name in names}
        return {
            "esr": self.rate,
            "sentences": len(self.sentences),
            "classes": {str(kind): count for kind, count in self.counts.items()},
            "sections": {name: part.rate for name, part in parts.items()},
            "unsupported": [{"section": one.section, "text": one.text} for one in self.unsupported],
            "each": [
                {"section": one.section, "class": str(kind), "text": one.text, "citations": one.citations}
                for one, kind in self.sentences
            ],
        }


def sentences_of(report: Report) -> tuple[Sentence, ...]:
    """All that a report tells, in reading order, each once. Headings and notes on the work tell nothing."""
    short = split_sentences(report.short) if report.sections else []
    found = [Sentence("", one, proposed=one.endswith(f"({PROPOSED})")) for one in short]
    found += [one for section in report.sections for block in section.blocks for one in _of(section, block)]
    return tuple(dict.fromkeys(found))


def _of(section: Section, block: Block) -> Iterator[Sentence]:
    if isinstance(block, Prose | Points):
        for one in block.statements:
            yield _statement(section, one)
    elif isinstance(block, Table):
        for row in block.rows:
            yield from _row(section, row, proposed=block.origin is not None)
    elif isinstance(block, Paragraph):
        for text in split_sentences(block.text):
            yield Sentence(section.id, text, procedural=block.remark)
    elif isinstance(block, Figure):
        text = f"{block.title}. {block.text}"
        yield Sentence(section.id, text, block.citations)
    elif not isinstance(block, Heading):
        yield Sentence(section.id, getattr(block, "text", "") or getattr(block, "name", ""), procedural=True)


def _row(section: Section, row: Sequence[Cell], *, proposed: bool) -> Iterator[Sentence]:
    """A row as one sentence; its cells that somebody proposes as another."""
    own = [cell.text for cell in row if cell.text and proposed and not cell.citations]
    told = [cell.text for cell in row if cell.text and not (proposed and not cell.citations)]
    numbers = tuple(dict.fromkeys(number for cell in row for number in cell.citations))
    if told:
        yield Sentence(section.id, " | ".join(told), numbers, parts=tuple(told))
    if own:
        yield Sentence(section.id, " | ".join(own), proposed=True)


def _statement(section: Section, one: Statement) -> Sentence:
    claim = one.claim
    bare = claim is None and not one.citations
    judged = claim is not None and bool(claim.checked_by)
    refused = judged and claim is not None and claim.verdict in (Verdict.UNSUPPORTED, Verdict.CONTRADICTED)
    if bare and one.origin is not None:
        return Sentence(section.id, one.text, proposed=True)
    unjudged = claim is not None and not judged
    return Sentence(section.id, one.text, one.citations, bare, refused=refused, unjudged=unjudged)
