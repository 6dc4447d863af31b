"""From the best passage to the short answer: a cell, the value behind a label, or the shortest span."""

import re
from dataclasses import dataclass

from agents.archive.general.question import AnswerType, FactualQuestion
from agents.archive.general.spans import has_answer_type, shortest
from agents.archive.general.tables import LabelledRow
from agents.archive.general.words import stems, synonyms
from agents.archive.values import DraftField
from retrieval.values import Passage

LABELLED = re.compile(r"^\W*(?P<label>[^:：|]{2,60}?)\s*[:：]\s*(?P<value>\S.*)$", re.DOTALL)
LONGEST_SHORT = 220
LONG_VALUE = 60
WHOLE = (AnswerType.TEXT, AnswerType.YES_NO)
"""Kinds of which no shorter part than the passage can be told."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """The short answer, and for a table cell its place."""

    short: str
    row: str = ""
    column: str = ""
    caption: str = ""


def extract(
    question: FactualQuestion, passage: Passage, row: LabelledRow | None, column: int | None
) -> Extracted:
    """The short answer in a passage."""
    if row is not None and column is not None:
        return from_row(question, row, column)
    labelled = LABELLED.match(passage.text)
    if labelled and shares_word(question, labelled["label"]):
        value = clean(labelled["value"])
        long = (
            len(value) > LONG_VALUE and question.answer_type not in WHOLE and has_answer_type(value, question)
        )
        return Extracted(cut(shortest(question, value) if long else value))
    return Extracted(
        cut(clean(passage.text if question.answer_type in WHOLE else shortest(question, passage.text)))
    )


def from_row(question: FactualQuestion, row: LabelledRow, column: int) -> Extracted:
    """A cell. Where the question's words stand in the cell itself, the answer stands beside it."""
    cell = clean(row.cells[column])
    filled = [
        clean(other)
        for i, other in enumerate(row.cells)
        if other and i != column and not other.rstrip(" *_").endswith(":")
    ]
    named = shares_word(question, cell) and question.answer_type in WHOLE
    if (named or cell.endswith(":") or not has_answer_type(cell, question)) and filled:
        fitting = [
            other for other in filled if has_answer_type(other, question) and not shares_word(question, other)
        ]
        return Extracted(cut("; ".join(fitting or filled)), cell, "", clean(row.caption))
    label = row.label if row.cells[0] else f"{row.label_above} {row.label}".strip()
    head = "" if row.is_header else clean(row.heads[column])
    return Extracted(cut(cell), clean(label) if label != cell else "", head, clean(row.caption))


def shares_word(question: FactualQuestion, label: str) -> bool:
    """Whether a label says one of the question's words."""
    return any(not synonyms(word).isdisjoint(question.terms) for word in stems(label))


def clean(text: str) -> str:
    """Without emphasis marks, list marks and line breaks, for display only."""
    return " ".join(re.sub(r"(?<!\\)(?:\*\*|__|`)|^[-*•]\s+", "", text).split())


def cut(text: str) -> str:
    """At most so many characters, cut at a word; a colon that stood after a label is left out."""
    text = text.lstrip(":： ")
    return text if len(text) <= LONGEST_SHORT else text[:LONGEST_SHORT].rsplit(" ", 1)[0] + " …"


def fields_of(extracted: Extracted, passage: Passage) -> tuple[DraftField, ...]:
    """The fields of the general schema."""
    page = "" if passage.page is None else str(passage.page)
    values = {
        "answer": extracted.short,
        "row": extracted.row,
        "column": extracted.column,
        "caption": extracted.caption,
        "page": page,
    }
    return tuple(DraftField(name, value, passages=(passage,)) for name, value in values.items() if value)
