"""The values that travel between the steps of an archive run.

They are frozen and JSON-serialisable, so that each can be the output of a step.
"""

from dataclasses import dataclass

from agents.archive.answer import AnswerOutcome, FieldValue, Realisation, Rejected, SearchedPlace
from agents.archive.tools import LoadedDocument
from agents.evidence.values import Evidence
from agents.trust.values import Claim, Derivation
from retrieval.values import Molecule, Passage


@dataclass(frozen=True, slots=True)
class Classification:
    """What a question is about (DiscoVerse, section 2.2): question types, several at once.

    `why_fallen_back` says why a model that was asked did not classify it; else it is "".
    """

    question_types: tuple[str, ...]
    molecules: tuple[str, ...] = ()
    comparison: bool = False
    why_fallen_back: str = ""


@dataclass(frozen=True, slots=True)
class ResearchInput:
    """What a research agent reads for one molecule and one question type."""

    molecule: Molecule
    others: tuple[Molecule, ...]
    """The archive's other molecules, so that their doses and findings are not taken for this one's."""
    documents: tuple[LoadedDocument, ...]
    question: str = ""
    """The question in its words; "" for all that the archive says of the type."""


@dataclass(frozen=True, slots=True)
class DraftClaim:
    """A statement and the passages that carry it.

    `quotes` are the words of these that it rests on, where they are given. `instead_of` is what a model wrote
    where the passage stands in the place of it, or "".
    """

    text: str
    passages: tuple[Passage, ...]
    derived: tuple[Derivation, ...] = ()
    quotes: tuple[str, ...] = ()
    instead_of: str = ""


@dataclass(frozen=True, slots=True)
class DraftField:
    """A field of the question type's schema, filled."""

    field: str
    value: str
    unit: str = ""
    passages: tuple[Passage, ...] = ()
    realisation: Realisation = Realisation.UNCLEAR
    record: int = 0
    """Number of the record that this value belongs to, from 1; 0 where the order of the fields tells."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What an extractor found. Keys are given out later by the run's evidence memory.

    `short` is the answer in one line, the value asked for first ("15 mg b.i.d. (Phase I, multiple dose)");
    empty when not `present`. `headline` is a full sentence, also when nothing was found.
    """

    present: bool
    short: str
    headline: str
    claims: tuple[DraftClaim, ...] = ()
    fields: tuple[DraftField, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    conflicts: tuple[str, ...] = ()
    """Contradictions between documents, and which one was followed and why."""
    closest: bool = False
    """Whether the claims are what comes closest to an answer, and none of them is one."""
    derived: tuple[Derivation, ...] = ()
    """Numbers of short answer and headline that were counted or computed."""
    not_found: str = ""
    """The note on what a model looked for and did not find."""


@dataclass(frozen=True, slots=True)
class GeneralDraft:
    """The answer to a general question.

    `why_fallen_back` says why a model that was asked did not answer; else it is "". `by_rules` is what the
    rules say where a model made the draft, for the case that none of its claims stands.
    """

    draft: Draft
    searched: SearchedPlace
    why_fallen_back: str = ""
    by_rules: Draft | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """The answer to one question type for one molecule.

    Where `outcome` is CLOSEST, the claims are the passages that come closest. `notes` are weaknesses that the
    reader must know, `contradictions` those between documents, with the passages that contradict.
    """

    question_type: str
    molecule: str
    outcome: AnswerOutcome
    short: str
    headline: str
    claims: tuple[Claim, ...] = ()
    fields: tuple[FieldValue, ...] = ()
    searched: tuple[SearchedPlace, ...] = ()
    notes: tuple[str, ...] = ()
    contradictions: tuple[Claim, ...] = ()
    derived: tuple[Derivation, ...] = ()

    @property
    def present(self) -> bool:
        """Whether this part is answered."""
        return self.outcome is AnswerOutcome.ANSWERED


@dataclass(frozen=True, slots=True)
class Merged:
    """All parts of an answer, and the evidence of their keys."""

    parts: tuple[AnswerPart, ...]
    evidence: tuple[Evidence, ...]
