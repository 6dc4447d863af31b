"""What an archive run takes and yields: a question, and an answer with its tables and citations.

All values are frozen, JSON-serialisable through Pydantic's `TypeAdapter`, and so can be step outputs in the
ledger.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from agents.evidence.values import Citation
from agents.kinds.channel import FromChannel
from agents.reports.markdown import text_of
from agents.reports.values import Block, Table
from agents.trust.values import Derivation
from retrieval.values import Domain


class AnswerOutcome(StrEnum):
    """How a question came out: a value, the passages that come closest to one, or nothing."""

    ANSWERED = "answered"
    CLOSEST = "closest"
    NOTHING = "nothing"


class Realisation(StrEnum):
    """Whether what a passage describes was done, or only planned or projected (DiscoVerse, Table 3)."""

    ACTUAL = "actual"
    PLANNED = "planned"
    PROJECTED = "projected"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class SearchedPlace:
    """What was searched, for an answer that says "not stated"."""

    query: str
    domain: Domain | None
    documents: int


@dataclass(frozen=True, slots=True)
class FieldValue:
    """One field of a structured answer (taxonomy agent). Values of the same `record` belong together."""

    field: str
    value: str
    unit: str = ""
    keys: tuple[str, ...] = ()
    realisation: Realisation = Realisation.UNCLEAR
    record: int = 0


@dataclass(frozen=True, slots=True)
class Rejected:
    """A value that was found and not taken, with the guard that refused it."""

    value: str
    guard: str
    reason: str


@dataclass(frozen=True, slots=True)
class KeyedCell:
    """A table cell with the evidence behind it."""

    text: str
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """A structured table: organ toxicity matrix, study list, comparison of molecules.

    `question_type` and `molecule` name the part of the answer that it belongs to.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[KeyedCell, ...], ...]
    question_type: str = ""
    molecule: str = ""


@dataclass(frozen=True, slots=True)
class Question(FromChannel):
    """A question as the pipeline gets it.

    `thread_molecules` are the molecules being discussed, or words that name some, `previous` the questions
    asked before as they were understood, latest first, and `thread_document` is the document that the last
    answer stood in. `text` is how this one was understood, `written` how a person wrote it, and `language`
    the one to answer in, "" for English. `instruction` is what a reader wishes of this answer: it is followed
    and never searched for.
    """

    text: str
    thread_molecules: tuple[str, ...] = ()
    previous: tuple[str, ...] = ()
    asked_by: str = ""
    thread_document: str = ""
    written: str = ""
    language: str = ""
    instruction: str = ""

    @property
    def instructions(self) -> str:
        """All that is wished of the answer, as a model is told it."""
        return "\n".join(filter(None, (*self.wishes, self.instruction)))


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of an archive run.

    `short` answers in one line (a value where one was asked for); `blocks` are the full answer. `outcome`
    says whether it is one: where no sentence says it for certain, the closest passages are cited instead,
    and where nothing comes close, `searched` says what was read. `ask_back` is set instead when the question
    must be cleared up first, with `options` to choose from. `partial` is set when the run was stopped early,
    and says why.
    """

    question: str
    short: str
    blocks: tuple[Block, ...]
    outcome: AnswerOutcome
    molecules: tuple[str, ...] = ()
    question_types: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    not_found: tuple[str, ...] = ()
    searched: tuple[SearchedPlace, ...] = ()
    ask_back: str = ""
    options: tuple[str, ...] = ()
    partial: str = ""
    notes: tuple[str, ...] = field(default=())
    """What the reader must know: contradictions between documents, a weaker check, a model that failed."""
    understood: str = ""
    """The question as it was worked on; "" if as it was asked."""
    subjects: tuple[str, ...] = ()
    """The molecules that the answer speaks of, where the question names none."""
    derived: tuple[Derivation, ...] = ()
    """Numbers of the answer that were counted or computed."""

    @property
    def present(self) -> bool:
        """Whether the question is answered."""
        return self.outcome is AnswerOutcome.ANSWERED

    @property
    def text(self) -> str:
        """The full answer in Markdown with `[1]` marks, without its tables."""
        return text_of(self.blocks)

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables of the answer, comparison first."""
        return tuple(block for block in self.blocks if isinstance(block, Table))
