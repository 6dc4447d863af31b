"""Candidates for an answer: the passages of the chunks found, with the words that their place adds."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.archive.general.keys import named
from agents.archive.general.words import stems
from agents.archive.tools import LoadedDocument
from agents.text.rows import label_places, labels_of, spelled
from retrieval.values import Passage, PassageKind, TableRow

CONCENTRATION = re.compile(r"\((?:[mµunp]?(?:g|mol)/m?L|[nµup]M)\)", re.IGNORECASE)
PAIR = 2
"""Cells of a row that is a label with its value."""

Stems = frozenset[str]


@dataclass(frozen=True, slots=True)
class CandidatePassage:
    """A passage with the stems that it says, and those of its place.

    `place` are those above it (headings, caption, sub-heads), `title`
    those of the document, `label` those of a row's first cell. `columns` hold for each cell
    of a row its stems with head and label; a label with its value has none. `searched` is the standing of its
    chunk in the search, 1 for the best.
    """

    passage: Passage
    own: Stems
    place: Stems
    title: Stems
    searched: float = 0.0
    columns: tuple[Stems, ...] = ()


def stem_set(text: str) -> Stems:
    """Stems of a text without order."""
    return frozenset(stems(text))


def candidates_of(
    document: LoadedDocument, chunks: Sequence[tuple[int, int, float]]
) -> list[CandidatePassage]:
    """Candidates of a document: sentences, items, rows and headings that begin in its chunks, each once.

    A chunk is given as its start, end and standing in the search. Tables of contents and rows that only name
    columns are left out.
    """
    passages, record = document.passages, document.document.record
    name = stem_set(f"{record.title} {record.doc_id}")
    found: dict[int, CandidatePassage] = {}
    for first, last, standing in places_of(passages, chunks):
        for i in range(first, last):
            passage = passages[i]
            if passage.start in found or says_nothing(passage):
                continue
            found[passage.start] = candidate_of(passage, name, standing)
    return list(found.values())


def places_of(
    passages: Sequence[Passage], chunks: Sequence[tuple[int, int, float]]
) -> Iterator[tuple[int, int, float]]:
    """Where the passages of each chunk begin and end in the sequence, best chunk first."""
    starts = [passage.start for passage in passages]
    for start, end, standing in sorted(chunks, key=lambda chunk: -chunk[2]):
        yield bisect_left(starts, start), bisect_left(starts, end), standing


def says_nothing(passage: Passage) -> bool:
    """Whether a passage belongs to a table of contents, or only names columns."""
    if passage.row is not None and passage.kind is PassageKind.HEADING:
        return len(list(filter(None, passage.row.cells))) != PAIR
    return "...." in passage.text or any("contents" in one.casefold() for one in passage.section[-1:])


def candidate_of(passage: Passage, title: Stems, searched: float) -> CandidatePassage:
    """A sentence, item, heading or row with the words of its place."""
    row = passage.row
    over = (row.caption, *row.group) if row else ()
    place = stem_set(" ".join((*passage.section[-3:], passage.lead, *over)))
    columns = tuple(readings(row)) if row else ()
    heads = " ".join(row.header) if row and not any(columns) else ""
    return CandidatePassage(
        passage,
        stem_set(f"{passage.text} {heads}"),
        place,
        title,
        searched,
        columns,
    )


def readings(row: TableRow) -> Iterator[Stems]:
    """What each cell of a row that is no label says with its head and the row's labels.

    A number in the head of the labels ("6 dogs per group") is no value of a cell.
    """
    places = label_places(row)
    if len(list(filter(None, row.cells))) <= max(PAIR, len(places)):
        return
    heads, labels = zip(*labels_of(row), strict=True) if places else ((), ())
    sexes = map(str, named("\n".join(labels))["sex"])
    label = stem_set(" ".join((re.sub(r"\d", "", " ".join(heads)), *labels, *sexes)))
    for i, (head, cell) in enumerate(zip(map(spelled, row.header), row.cells, strict=False)):
        told = "concentration" if CONCENTRATION.search(head) else ""
        yield stem_set(f"{head} {told} {cell}") | label if cell and i not in places else frozenset()
