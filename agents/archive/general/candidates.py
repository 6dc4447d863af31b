"""Candidates for an answer: every passage of a document, with the words that its place adds to it."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from agents.archive.general.question import AnswerType
from agents.archive.general.spans import PATTERNS
from agents.archive.general.tables import LabelledRow, has_values, labelled_rows
from agents.archive.general.words import stems
from retrieval.values import DocumentRecord, Passage

OPENING = 6
"""Passages at the beginning of a document that say what it is about, as its title does."""
LABEL = re.compile(r"^\W*([^:：|]{2,60}?)\s*[:：]\s*\S")
FURNITURE = 4
"""A line that comes so often in a document is a running head or foot."""
FRONT_PASSAGES = 12
FRONT = frozenset(stems("sponsor company organisation facility author wrote prepared"))
"""What a name among the first passages of a document stands for."""
CONTENTS = re.compile(r"\bcontents\b", re.IGNORECASE)

Stems = frozenset[str]


@dataclass(frozen=True, slots=True)
class CandidatePassage:
    """A passage with the stems that it says, and those of its place.

    `before` are those of the passage before, `place` those above it, and `title` those of the document.

    `row` is set for table rows: `columns` then holds the stems of each cell with its head, the first cell
    left out.
    """

    passage: Passage
    own: Stems
    before: Stems
    place: Stems
    title: Stems
    label: Stems = frozenset()
    row: LabelledRow | None = None
    columns: tuple[Stems, ...] = ()


def stem_set(text: str) -> Stems:
    """Stems of a text without order."""
    return frozenset(stems(text))


def candidates_of(record: DocumentRecord, passages: Sequence[Passage]) -> list[CandidatePassage]:
    """Candidates of a document: sentences, items, rows and headings.

    Running heads are taken once; tables of contents, and headers that only name columns, not at all.
    """
    opening = " ".join(passage.text for passage in passages[:OPENING])
    title = stem_set(f"{record.title} {record.doc_id} {opening}")
    rows = labelled_rows(passages)
    times = Counter(passage.text for passage in passages)
    found: list[CandidatePassage] = []
    told: set[str] = set()
    before: Stems = frozenset()
    for i, passage in enumerate(passages):
        row = rows.get(passage.start)
        repeated = times[passage.text] >= FURNITURE and passage.text in told
        if (
            (repeated and row is None)
            or is_contents(passage)
            or (row and row.is_header and not has_values(row))
        ):
            continue
        told.add(passage.text)
        candidate = (
            of_row(passage, row, title) if row else of_text(passage, before, title, i < FRONT_PASSAGES)
        )
        before = candidate.own
        found.append(candidate)
    return found


def is_contents(passage: Passage) -> bool:
    """Whether a passage belongs to a table of contents."""
    return "...." in passage.text or any(CONTENTS.search(heading) for heading in passage.section[-1:])


def of_text(passage: Passage, before: Stems, title: Stems, in_front: bool) -> CandidatePassage:
    """A sentence, item or heading. A name in front of a document is that of who made it."""
    label = LABEL.match(passage.text)
    place = stem_set(" ".join(passage.section[-3:]))
    if in_front and PATTERNS[AnswerType.ORGANISATION].search(passage.text):
        place |= FRONT
    return CandidatePassage(
        passage, stem_set(passage.text), before, place, title, stem_set(label[1]) if label else frozenset()
    )


def of_row(passage: Passage, row: LabelledRow, title: Stems) -> CandidatePassage:
    """A table row, or a header that may be the first row of a table without one."""
    label = stem_set(row.label)
    place = stem_set(f"{' '.join(passage.section[-2:])} {row.caption} {row.span}")
    heads = ("",) * len(row.cells) if row.is_header else row.heads
    columns = tuple(stem_set(f"{head} {cell}") for head, cell in zip(heads, row.cells, strict=True))
    return CandidatePassage(
        passage, stem_set(passage.text), stem_set(row.label_above), place, title, label, row, columns
    )
