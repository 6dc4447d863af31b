"""What of the chunks found is shown where not all of it fits: the best chunks whole, and of the others the
sentences and rows that answer most likely, each with what stands beside it.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from agents.archive.general.blocks import Limits, block_around, slice_of
from agents.archive.reading.shown import heads_of
from agents.archive.tools import LoadedDocument
from retrieval.captions import CAPTION
from retrieval.ingest.self_description import is_correction
from retrieval.values import Passage, PassageKind, TableRow

SHORT, OF_SHORT, OF_LONG = 2_000, 0.5, 0.35
"""A part of at most so many characters is about one thing. The best parts are shown whole as long as they
take no more than this share of the room, short ones and long ones; the rest is for the best lines of all.
"""
BESIDE = Limits(text=400, table=700, rows=250)
"""What is shown with a line: its paragraph, list or table where that is short, else the next rows."""
REFUSED = 3
"""Lines that do not fit, after which the best chunks fill what room is left."""

Place = tuple[str, int]
"""A sentence or row: its document, and its number there."""


class Choice:
    """The sentences and rows that are shown of some parts of documents, at most `room` characters of them."""

    def __init__(self, documents: Mapping[str, LoadedDocument], parts: Sequence[Passage], room: int) -> None:
        self._documents = documents
        self._starts = {key: [p.start for p in one.passages] for key, one in documents.items()}
        self._inside = {place for part in parts for place in self.within(part)}
        self.parts: Sequence[Passage] = parts
        self._taken: set[Place] = set()
        self._heads: set[str] = set()
        self.left = room

    def within(self, part: Passage) -> list[Place]:
        """The lines that begin in a part of a document."""
        starts = self._starts[part.doc_id]
        first, end = bisect_left(starts, part.start), bisect_left(starts, part.end)
        return [(part.doc_id, number) for number in range(first, end)]

    def show(self, line: Passage) -> bool:
        """Show a line with what is read with it, or alone, if it fits."""
        number = bisect_left(self._starts[line.doc_id], line.start)
        block = block_around(self._documents[line.doc_id], number, BESIDE)
        beside = [place for place in self.within(block) if place in self._inside]
        return self.take(beside) or self.take([(line.doc_id, number)])

    def join(self) -> None:
        """Make parts that follow each other in a document one, which stands where the better one stood."""
        made: list[tuple[int, Passage]] = []
        for rank, part in sorted(enumerate(self.parts), key=lambda one: (one[1].doc_id, one[1].start)):
            before, last = made[-1] if made else (rank, part)
            starts = self._starts[part.doc_id]
            if last.doc_id == part.doc_id and bisect_left(starts, last.end) >= bisect_left(
                starts, part.start
            ):
                text = self._documents[part.doc_id].document.text[last.start : part.end]
                made[-1:] = [(min(rank, before), replace(last, end=part.end, text=text))]
            else:
                made.append((rank, part))
        self.parts = [part for _, part in sorted(made, key=lambda one: one[0])]

    def sections(self, run: Passage) -> list[tuple[str, ...]]:
        """The headings over each line of a run, those that are headings left out."""
        lines = map(self._line, self.within(run))
        return [line.section for line in lines if line.kind is not PassageKind.HEADING or line.row] or [
            run.section
        ]

    def take(self, places: Sequence[Place]) -> bool:
        """Show these lines, if they fit; the heads of their table take room once."""
        new = [place for place in places if place not in self._taken]
        lines = [self._line(place) for place in new]
        heads = {told for line in lines if line.kind is PassageKind.ROW for told in heads_of(line)}
        heads -= self._heads.union(line.text for line in lines)
        cost = sum(len(told) + 1 for told in (*(line.text for line in lines), *heads))
        if cost > self.left:
            return False
        self.left -= cost
        self._taken |= set(new)
        self._heads |= heads
        return True

    def runs(self, part: Passage) -> list[Passage]:
        """What is shown of a part: the lines that follow each other as one, a row with its heads.

        Headings and captions with nothing below them are left out.
        """
        kept = [place for place in self.within(part) if place in self._taken]
        runs = groupby(enumerate(kept), lambda pair: pair[1][1] - pair[0])
        told = [[place for _, place in run] for _, run in runs]
        ends = [max((n for n, place in enumerate(run) if self._says(place)), default=-1) for run in told]
        return [self._slice(run[0], run[end]) for run, end in zip(told, ends, strict=True) if end >= 0]

    def _says(self, place: Place) -> bool:
        """Whether a line is more than a heading or a caption."""
        line = self._line(place)
        return line.row is not None or not (line.kind is PassageKind.HEADING or CAPTION.match(line.text))

    def _slice(self, first: Place, last: Place) -> Passage:
        begin = self._line(first)
        run = slice_of(self._documents[first[0]], first[1], last[1], first[1])
        return replace(run, kind=PassageKind.SENTENCE, lead="", row=begin.row and above(begin.row))

    def _line(self, place: Place) -> Passage:
        return self._documents[place[0]].passages[place[1]]


def above(row: TableRow) -> TableRow:
    """What is told above a row: caption, heads and sub-heads; above the row of heads the caption."""
    if row.cells != row.header:
        return replace(row, cells=("",) * len(row.header))
    return TableRow(row.caption, (), ())


def choose(
    documents: Mapping[str, LoadedDocument],
    parts: Sequence[Passage],
    ranked: Sequence[Passage],
    room: int,
) -> Choice:
    """The choice among parts, which come best first; `ranked` are the lines of all of them, best first.

    A short part of a correction is shown whole: which of its rows decides, its words do not tell.
    """
    choice = Choice(documents, parts, room)
    for part in parts:
        record = documents[part.doc_id].record
        if len(part.text) <= SHORT and is_correction(record.title, record.document_type):
            choice.take(choice.within(part))
    for place, part in enumerate(parts):
        share = OF_SHORT if place == 0 or len(part.text) <= SHORT else OF_LONG
        if room - choice.left + len(part.text) > share * room:
            break
        choice.take(choice.within(part))
    refused = 0
    for line in ranked:
        refused += not choice.show(line)
        if refused > REFUSED:
            break
    for part in parts:
        choice.take(choice.within(part))
    choice.join()
    return choice
