"""Candidates for an answer: the passages of the chunks found, with the words that their place adds."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.archive.general.question import AnswerType
from agents.archive.general.spans import PATTERNS
from agents.archive.general.tables import CAPTION_REACH, LabelledRow, has_values, labelled_rows
from agents.archive.general.words import WORD, stems
from agents.archive.tools import LoadedDocument
from retrieval.values import Passage

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
    `initials` are those of its words, each a letter.

    `searched` is the standing of its chunk in the search, 1 for the best. `row` is set for table rows:
    `columns` then holds the stems of each cell with its head.
    """

    passage: Passage
    own: Stems
    before: Stems
    place: Stems
    title: Stems
    label: Stems = frozenset()
    searched: float = 0.0
    row: LabelledRow | None = None
    columns: tuple[Stems, ...] = ()
    initials: str = ""


def stem_set(text: str) -> Stems:
    """Stems of a text without order."""
    return frozenset(stems(text))


def initials_of(text: str) -> str:
    """The first letters of a text's words, so that "maximum tolerated dose" is found under "MTD"."""
    return "".join(word[0] for word in WORD.findall(text)).lower()


def candidates_of(
    document: LoadedDocument, chunks: Sequence[tuple[int, int, float]]
) -> list[CandidatePassage]:
    """Candidates of a document: sentences, items, rows and headings that begin in its chunks, each once.

    A chunk is given as its start, end and standing in the search.
    Running heads are taken once; tables of contents, and headers that only name columns, not at all.
    """
    passages = document.passages
    opening = " ".join(passage.text for passage in passages[:OPENING])
    title = stem_set(f"{document.document.record.title} {document.document.record.doc_id} {opening}")
    times = Counter(passage.text for passage in passages)
    found: dict[int, CandidatePassage] = {}
    told: set[str] = set()
    for first, last, standing in places_of(passages, chunks):
        rows = labelled_rows(passages[table_start(passages, first) : last])
        for i in range(first, last):
            passage, row = passages[i], rows.get(passages[i].start)
            repeated = row is None and times[passage.text] >= FURNITURE and passage.text in told
            if passage.start in found or repeated or is_contents(passage) or is_bare_header(row):
                continue
            told.add(passage.text)
            before = stem_set(passages[i - 1].text) if i else frozenset()
            found[passage.start] = (
                of_row(passage, row, title, standing)
                if row
                else of_text(passage, before, title, standing, in_front=i < FRONT_PASSAGES)
            )
    return list(found.values())


def places_of(
    passages: Sequence[Passage], chunks: Sequence[tuple[int, int, float]]
) -> Iterator[tuple[int, int, float]]:
    """Where the passages of each chunk begin and end in the sequence, best chunk first."""
    starts = [passage.start for passage in passages]
    for start, end, standing in sorted(chunks, key=lambda chunk: -chunk[2]):
        yield bisect_left(starts, start), bisect_left(starts, end), standing


def table_start(passages: Sequence[Passage], place: int) -> int:
    """Where the table begins that a place lies in, with what may be its caption."""
    while place and passages[place].row is not None and passages[place - 1].row is not None:
        place -= 1
    return max(0, place - CAPTION_REACH)


def is_bare_header(row: LabelledRow | None) -> bool:
    """Whether a row only names columns."""
    return row is not None and row.is_header and not has_values(row)


def is_contents(passage: Passage) -> bool:
    """Whether a passage belongs to a table of contents."""
    return "...." in passage.text or any(CONTENTS.search(heading) for heading in passage.section[-1:])


def of_text(
    passage: Passage, before: Stems, title: Stems, searched: float, *, in_front: bool
) -> CandidatePassage:
    """A sentence, item or heading. A name in front of a document is that of who made it."""
    label = LABEL.match(passage.text)
    place = stem_set(" ".join(passage.section[-3:]))
    if in_front and PATTERNS[AnswerType.ORGANISATION].search(passage.text):
        place |= FRONT
    return CandidatePassage(
        passage,
        stem_set(passage.text),
        before,
        place,
        title,
        stem_set(label[1]) if label else frozenset(),
        searched,
        initials=initials_of(passage.text),
    )


def of_row(passage: Passage, row: LabelledRow, title: Stems, searched: float) -> CandidatePassage:
    """A table row, or a header that may be the first row of a table without one."""
    label = stem_set(row.label)
    place = stem_set(f"{' '.join(passage.section[-2:])} {row.caption} {row.span}")
    heads = ("",) * len(row.cells) if row.is_header else row.heads
    columns = tuple(stem_set(f"{head} {cell}") for head, cell in zip(heads, row.cells, strict=True))
    above = stem_set(row.label_above)
    return CandidatePassage(
        passage,
        stem_set(passage.text),
        above,
        place,
        title,
        label,
        searched,
        row,
        columns,
        initials_of(f"{row.caption} {passage.text}"),
    )
