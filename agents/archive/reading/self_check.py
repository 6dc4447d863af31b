"""The review of a model's answer before it is taken: what the gate would strike of it.

A true value is struck where its quote is not given, or where its computation lacks an input. Where that is in
the short answer, the model is asked once more, and may quote the value, compute it, or leave it out. In the
rest nobody is asked: a headline goes, and a statement says what it quotes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from agents.archive.ground import passage_carrier
from agents.archive.reading.answers import (
    ModelAnswer,
    all_derived,
    as_quoted,
    draft_claims,
    shown_passages,
    without_absences,
)
from agents.archive.reading.quotes import missing_quotes
from agents.archive.tools import ArchiveTools, LoadedDocument
from agents.archive.values import DraftClaim
from agents.minds.critic import ACCEPT, Review
from agents.minds.work import AgentResult, Said, Work
from agents.text.numbers import parse_numbers
from agents.trust.carrier import Carrier, text_carrier
from agents.trust.support import Support, derived_fault, sound
from agents.trust.support import faults as struck
from agents.trust.values import Derivation
from retrieval.values import Passage

MOST = 6
"""Points of one review."""
MEND = (
    "Quote the sentence or row that says it, with its key; or give it in `computed` with all its inputs "
    "quoted; or leave it out."
)


async def review_answer(
    tools: ArchiveTools, asked: str, draft: AgentResult, dialog: tuple[Said, ...], work: Work
) -> Review:
    """Asks once for another answer where this one cites nothing, where a statement quotes nothing that a
    passage says, or where the short answer states a value that the quotes do not carry.
    """
    answer = ModelAnswer.model_validate_json(draft.answer)
    if dialog[-1].round > 1 or answer.outcome == "nothing":
        return ACCEPT
    shown = shown_passages(work.memory.all())
    points = quote_faults(answer, shown)
    if not points and answer.outcome == "answered":
        documents = await documents_of(tools, shown)
        points = Reviewed.of(answer, shown, documents, asked).faults_of_short(answer.short)
    return Review(verdict="revise", points=tuple(points[:MOST])) if points else ACCEPT


def quote_faults(answer: ModelAnswer, shown: Mapping[str, Passage]) -> list[str]:
    """What is wrong with an answer's citations, a sentence each; a statement may do without a quote of
    several.
    """
    if not answer.statements:
        return ["No statement carries the answer. Give at least one, with keys and quotes."]
    points: list[str] = []
    for one in answer.statements:
        quotes = [quote for quote in one.quotes if quote.strip()]
        missing = missing_quotes(quotes, shown.values())
        if not quotes:
            points.append(
                f'The statement "{one.text or one.keys}" has no quote. Copy the words that it rests on.'
            )
        elif len(missing) == len(quotes):
            points += [
                f'No passage says "{quote}" word for word. Copy its words, or leave them out.'
                for quote in missing
            ]
    return points


async def documents_of(tools: ArchiveTools, shown: Mapping[str, Passage]) -> dict[str, LoadedDocument]:
    """The documents of passages, by id."""
    opened = await tools.documents.open_all(tools.index, dict.fromkeys(one.doc_id for one in shown.values()))
    return {one.document.record.doc_id: one for one in opened}


@dataclass(frozen=True, slots=True)
class Reviewed:
    """An answer's statements, with what their quotes carry as the gate reads it."""

    claims: tuple[DraftClaim, ...]
    derived: tuple[Derivation, ...]
    documents: Mapping[str, LoadedDocument]
    carriers: tuple[Carrier, ...]
    """What all statements together quote, read for its values."""
    asked: str

    @classmethod
    def of(
        cls,
        answer: ModelAnswer,
        shown: Mapping[str, Passage],
        documents: Mapping[str, LoadedDocument],
        asked: str,
    ) -> "Reviewed":
        """An answer with the passages that it was made of."""
        statements, _ = without_absences(answer.statements)
        claims = draft_claims(statements, shown, documents)
        carriers = _carriers([passage for one in claims for passage in one.passages], documents)
        return cls(claims, all_derived(statements), documents, carriers, asked)

    def faults_of_short(self, short: str) -> list[str]:
        """What of the short answer is not carried, and which computation may be why, a sentence each."""
        points = self._faults(short, self.carriers, self.derived)
        return [*_of_computed(self.derived, self.carriers), *points] if points else []

    def headline(self, text: str) -> str:
        """A headline; "" for one that states what is not carried."""
        return "" if self._faults(text, self.carriers, self.derived) else text

    def carried(self, short: str) -> tuple[DraftClaim, ...]:
        """The statements; one that states what its quotes do not carry says what it quotes.

        Below a short answer that is not carried they stay as they are: they were made to carry it.
        """
        if self.faults_of_short(short):
            return self.claims
        told: list[DraftClaim] = []
        for one in self.claims:
            struck = one.quotes and self._faults(
                one.text, _carriers(one.passages, self.documents), one.derived
            )
            told += [replace(said, instead_of=one.text) for said in as_quoted(one)] if struck else [one]
        return tuple(dict.fromkeys(told))

    def _faults(self, text: str, own: Sequence[Carrier], derived: Sequence[Derivation]) -> list[str]:
        support = Support(tuple(own), sound(derived, own), (text_carrier(self.asked),), asked=self.asked)
        return list(_fault_lines(text, support))


def _carriers(passages: Sequence[Passage], documents: Mapping[str, LoadedDocument]) -> tuple[Carrier, ...]:
    return tuple(
        passage_carrier(one, documents[one.doc_id].document.record)
        for one in dict.fromkeys(passages)
        if one.doc_id in documents
    )


def _of_computed(derived: Sequence[Derivation], carriers: Sequence[Carrier]) -> Iterator[str]:
    for one in derived:
        if fault := derived_fault(one, carriers):
            yield f"{fault} Quote every input, and write the formula over them."


def _fault_lines(text: str, support: Support) -> Iterator[str]:
    for fault in struck(text, support):
        if parse_numbers(fault.value):
            yield f'"{fault.value}" in "{text}": {fault.reason}. {MEND}'
