"""From the best passage to the answer: the cell, the value after a label, or the shortest span of the right
kind.
"""

import re
from dataclasses import dataclass

from agents.archive.general.asked import Asked, Kind
from agents.archive.general.spans import has_kind, shortest
from agents.archive.general.words import stems, synonyms
from agents.archive.models import DraftField
from retrieval.models import Passage, TableRow

LABELLED = re.compile(r"^\W*(?P<label>[^:：|]{2,60}?)\s*[:：]\s*(?P<value>\S.*)$", re.DOTALL)
LONGEST_SHORT = 220
KEY_VALUE_CELLS = 2


@dataclass(frozen=True, slots=True)
class Extracted:
    """The short answer, and for a table cell its place."""

    short: str
    row: str = ""
    column: str = ""
    caption: str = ""


def extract(asked: Asked, passage: Passage) -> Extracted:
    """The short answer in a passage."""
    if passage.row is not None:
        return from_row(asked, passage.row)
    labelled = LABELLED.match(passage.text)
    if labelled and shares_word(asked, labelled["label"]):
        value = clean(labelled["value"])
        return Extracted(
            shortest(asked, value) if has_kind(value, asked.kind) and len(value) > 40 else cut(value)
        )
    if asked.kind in (Kind.TEXT, Kind.YES_NO):
        return Extracted(cut(clean(passage.text)))
    return Extracted(cut(clean(shortest(asked, passage.text))))


def from_row(asked: Asked, row: TableRow) -> Extracted:
    """The cell whose column the question names; without such a column the cells beside the row's label."""
    filled = [(head, clean(cell)) for head, cell in zip(row.header, row.cells, strict=True) if cell.strip()]
    if not filled:
        return Extracted("", caption=row.caption)
    label = filled[0][1]
    rest = filled[1:] or filled
    best = max(rest, key=lambda pair: column_score(asked, *pair))
    if len(rest) > 1 and column_score(asked, *best) <= 0:
        return Extracted(
            cut("; ".join(f"{head}: {cell}" if head else cell for head, cell in rest)), label, "", row.caption
        )
    return Extracted(cut(best[1]), label, best[0], row.caption)


def column_score(asked: Asked, head: str, cell: str) -> float:
    """How far a column is the one asked for: words of its header, and a cell of the right kind."""
    words = stems(head)
    said = sum(not synonyms(word).isdisjoint(asked.terms) for word in words)
    named = any(word in asked.text.lower().split() for word in head.lower().split() if word.isdigit())
    of_kind = asked.kind not in (Kind.TEXT, Kind.YES_NO) and has_kind(cell, asked.kind)
    return said / len(words) + 0.3 * of_kind + named if words else 0.3 * of_kind


def shares_word(asked: Asked, label: str) -> bool:
    """Whether a label says one of the question's words."""
    return any(not synonyms(word).isdisjoint(asked.terms) for word in stems(label))


def clean(text: str) -> str:
    """Without emphasis marks, list marks and line breaks, for display only."""
    return " ".join(re.sub(r"(?<!\\)(?:\*\*|__|`)|^[-*•]\s+", "", text).split())


def cut(text: str) -> str:
    """At most so many characters, cut at a word."""
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
