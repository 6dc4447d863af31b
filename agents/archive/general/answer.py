"""The answer to a general question: the best passage as it stands, and the shortest part of it that answers.

The deterministic mind selects, it does not write; where no passage is good enough, the archive does not
say. A language model reads more and writes instead (`agents.archive.general.agent`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agents.archive.answer import SearchedPlace
from agents.archive.general.extract import Extracted, clean, extract, fields_of
from agents.archive.general.question import AnswerType, FactualQuestion, analyse_question
from agents.archive.general.review import ReviewedGenerally, ReviewedPassage
from agents.archive.general.search import FoundGenerally
from agents.archive.general.tables import LabelledRow, labelled_rows
from agents.archive.review import PassageRef
from agents.archive.tools import ArchiveTools, LoadedDocument
from agents.archive.values import Draft, DraftClaim
from retrieval.values import Filters, Passage, Stage

ENOUGH_COVERAGE = 0.55
ENOUGH_SCORE = 0.50
LEAST_RAREST = 0.5
LEAST_RERANK_OF_TEXT = 0.2
ABSENT = "Not stated in the archive."
TOLD = 3
NEAR = 0.97
"""Share of the best score from which on another passage is told as well."""

Rows = Mapping[str, Mapping[int, LabelledRow]]
"""Table rows by document and offset."""


@dataclass(frozen=True, slots=True)
class GeneralDraft:
    """The answer to a general question, and the domain of the document it stands in.

    `why_fallen_back` says why a model that was asked did not answer; else it is "". `by_rules` is what the
    rules say where a model made the draft, for the case that none of its claims stands.
    """

    draft: Draft
    domain: Stage
    searched: SearchedPlace
    why_fallen_back: str = ""
    by_rules: Draft | None = None
    notes: tuple[str, ...] = ()


async def answer_generally(
    tools: ArchiveTools, text: str, found: FoundGenerally, review: ReviewedGenerally
) -> GeneralDraft:
    """The best passage, if it is good enough."""
    question = analyse_question(text, found.names)
    documents = await tools.documents.open_all(
        tools.index, dict.fromkeys(item.ref.doc_id for item in review.passages)
    )
    passages = [passage_at(documents, item.ref) for item in review.passages]
    rows = {d.document.record.doc_id: labelled_rows(d.passages) for d in documents}

    draft = draft_by_rules(question, review, passages, rows)
    searched = replace(found.searched, passages=review.looked_at)
    return GeneralDraft(draft, await domain_of(tools, draft), searched)


async def domain_of(tools: ArchiveTools, draft: Draft) -> Stage:
    """The domain of the document that an answer stands in; that of decisions where there is none."""
    if not draft.present:
        return Stage.STRATEGIC
    [record] = await tools.index.records(Filters(doc_ids=(draft.claims[0].passages[0].doc_id,)))
    return record.stages[0] if record.stages else Stage.STRATEGIC


def draft_by_rules(
    question: FactualQuestion,
    review: ReviewedGenerally,
    passages: Sequence[Passage],
    rows: Rows,
) -> Draft:
    """The best passage that is good enough, with those that are as good."""
    good = [
        (item, passage)
        for item, passage in zip(review.passages, passages, strict=True)
        if is_enough(question, item)
    ]
    if not good:
        return Draft(False, "", ABSENT)
    best_item, best_passage = good[0]
    row = rows[best_passage.doc_id].get(best_passage.start)
    extracted = extract(question, best_passage, row, best_item.column)
    claims = [
        DraftClaim(told(passage, rows), (passage,))
        for item, passage in good
        if item.score >= NEAR * best_item.score
    ]
    return Draft(
        True, extracted.short, headline(extracted), tuple(claims[:TOLD]), fields_of(extracted, best_passage)
    )


def is_enough(question: FactualQuestion, item: ReviewedPassage) -> bool:
    """Calibrated on questions with and without an answer in real reports (tests/agents/archive/general)."""
    return (
        item.of_answer_type
        and item.coverage >= ENOUGH_COVERAGE
        and item.score >= ENOUGH_SCORE
        and (item.exact or item.rarest >= LEAST_RAREST)
        and item.conditions > 0
        and (question.answer_type is not AnswerType.TEXT or item.rerank >= LEAST_RERANK_OF_TEXT)
    )


def passage_at(documents: Sequence[LoadedDocument], ref: PassageRef) -> Passage:
    """The passage that begins there."""
    [document] = [d for d in documents if d.document.record.doc_id == ref.doc_id]
    return next(passage for passage in document.passages if passage.start == ref.start)


def headline(extracted: Extracted) -> str:
    """The short answer with its place in a table."""
    place = ", ".join(filter(None, (extracted.row, extracted.column)))
    return f"{extracted.short} ({place})" if place and extracted.column else extracted.short


def told(passage: Passage, rows: Rows) -> str:
    """A passage as a statement: the sentence itself; of a row its cells."""
    row = rows[passage.doc_id].get(passage.start)
    if row is None:
        return clean(passage.text)
    return "; ".join(clean(cell) for cell in row.cells if cell)
