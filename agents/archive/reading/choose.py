"""What of the chunks found is shown where not all of it fits: the best chunks whole, and of the others the
sentences and rows that answer most likely, each with what stands beside it.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from agents.archive.reading.trim import CUT
from agents.archive.tools import LoadedDocument
from agents.minds.readable import readable
from retrieval.captions import CAPTION
from retrieval.values import Passage, PassageKind, TableRow

SHORT, OF_SHORT, OF_LONG = 2_000, 0.8, 0.6
"""A part of at most so many characters is about one thing. The best parts are shown whole as long as they
take no more than this share of the room, short ones and long ones; the rest is for the best lines of all.
"""
SMALL_TABLE = 700
"""Characters of a table that is shown whole for one of its rows; of a longer one the next rows are."""
SMALL_LIST = 1_000
"""Characters of a list that is shown whole for one of its items, or for the sentence that leads to it."""
SHORT_ROW = 160
"""Characters of a row that is shown where the rows on both sides of it are: to mark the gap takes as much."""
HEADS = 120
"""Characters that are reckoned for caption and heads above rows."""
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
        self._taken: set[Place] = set()
        self.left = room

    def within(self, part: Passage) -> list[Place]:
        """The lines that begin in a part of a document."""
        starts = self._starts[part.doc_id]
        first, end = bisect_left(starts, part.start), bisect_left(starts, part.end)
        return [(part.doc_id, number) for number in range(first, end)]

    def beside(self, line: Passage) -> list[Place]:
        """A line with the next ones on both sides, or with its whole table or list where that is small."""
        own = self._number(line)
        if line.row is not None:
            table = self._reach(line.doc_id, own, len(self._starts[line.doc_id]))
            if self._size(table) <= SMALL_TABLE:
                return table
        elif (items := self._list_at(line.doc_id, own)) and self._size(items) <= SMALL_LIST:
            return items
        return self.next_to(line)

    def next_to(self, line: Passage) -> list[Place]:
        """A line with the next one on both sides."""
        return self._reach(line.doc_id, self._number(line), 1)

    def close_gaps(self) -> None:
        """Show a short row of a table where the rows on both sides of it are shown."""
        for doc_id, number in sorted(self._inside - self._taken):
            around = ((doc_id, number - 1), (doc_id, number + 1))
            between = self._line((doc_id, number)).row is not None and self._taken.issuperset(around)
            same = between and all(self._goes_on(doc_id, number, other) for _, other in around)
            if same and len(self._line((doc_id, number)).text) <= SHORT_ROW:
                self.take([(doc_id, number)])

    def take(self, places: Sequence[Place]) -> bool:
        """Show these lines, if they fit."""
        new = [place for place in places if place not in self._taken]
        lines = [self._line(place) for place in new]
        cost = sum(len(line.text) + 1 for line in lines) + HEADS * any(line.row for line in lines)
        if cost > self.left:
            return False
        self.left -= cost
        self._taken |= set(new)
        return True

    def runs(self, part: Passage) -> list[Passage]:
        """What is shown of a part: the lines that follow each other as one, a row with its heads.

        Headings and captions with nothing below them are left out.
        """
        kept = [place for place in self.within(part) if place in self._taken]
        runs = groupby(enumerate(kept), lambda pair: pair[1][1] - pair[0])
        told = [[place for _, place in run] for _, run in runs]
        says = [run for run in told if any(self._says(place) for place in run)]
        return [self._slice(part, run[0], run[-1]) for run in says]

    def _says(self, place: Place) -> bool:
        line = self._line(place)
        bare = line.kind is PassageKind.HEADING or CAPTION.match(line.text)
        return line.row is not None or not bare

    def _slice(self, part: Passage, first: Place, last: Place) -> Passage:
        begin, end = self._line(first), self._line(last)
        opens = first == self.within(part)[0]
        start, stop = part.start if opens else begin.start, end.end
        stop = part.end if last == self.within(part)[-1] else stop
        text = self._documents[part.doc_id].document.text[start:stop]
        row = begin.row and above(begin.row)
        return Passage(part.doc_id, start, stop, text, section=begin.section, page=begin.page, row=row)

    def _line(self, place: Place) -> Passage:
        return self._documents[place[0]].passages[place[1]]

    def _number(self, line: Passage) -> int:
        return bisect_left(self._starts[line.doc_id], line.start)

    def _size(self, places: Sequence[Place]) -> int:
        return sum(len(self._line(place).text) for place in places)

    def _list_at(self, doc_id: str, own: int) -> list[Place]:
        """The list that a line is of, or leads to, with the line before it; nothing where there is none."""
        is_item = self._is_item(doc_id, own)
        first = last = own if is_item else own + 1
        if not self._is_item(doc_id, first):
            return []
        while self._is_item(doc_id, last + 1):
            last += 1
        while self._is_item(doc_id, first - 1):
            first -= 1
        lead = first - 1 if (doc_id, first - 1) in self._inside and self._leads(doc_id, first - 1) else first
        return [(doc_id, number) for number in range(lead, last + 1)]

    def _is_item(self, doc_id: str, number: int) -> bool:
        return (doc_id, number) in self._inside and self._line((doc_id, number)).kind is PassageKind.ITEM

    def _leads(self, doc_id: str, number: int) -> bool:
        before, item = self._line((doc_id, number)), self._line((doc_id, number + 1))
        return before.row is None and before.section == item.section

    def _reach(self, doc_id: str, own: int, most: int) -> list[Place]:
        """The lines around one that are read with it, at most so many on either side."""
        first = last = own
        while last - own < most and self._goes_on(doc_id, own, last + 1):
            last += 1
        while own - first < most and self._goes_on(doc_id, own, first - 1):
            first -= 1
        return [(doc_id, number) for number in range(first, last + 1)]

    def _goes_on(self, doc_id: str, own: int, other: int) -> bool:
        if (doc_id, other) not in self._inside:
            return False
        one, beside = self._line((doc_id, own)), self._line((doc_id, other))
        if one.row is None or beside.row is None:
            by_heading = one.section == beside.section or beside.kind is PassageKind.HEADING
            return one.row is None and beside.row is None and by_heading
        return (one.row.caption, one.row.header) == (beside.row.caption, beside.row.header)


def choose(
    documents: Mapping[str, LoadedDocument],
    parts: Sequence[Passage],
    ranked: Sequence[Passage],
    room: int,
) -> Choice:
    """The choice among parts, which come best first; `ranked` are the lines of all of them, best first."""
    choice = Choice(documents, parts, room)
    for place, part in enumerate(parts):
        share = OF_SHORT if place == 0 or len(part.text) <= SHORT else OF_LONG
        if room - choice.left + len(part.text) > share * room:
            break
        choice.take(choice.within(part))
    refused = 0
    for line in ranked:
        refused += not (choice.take(choice.beside(line)) or choice.take(choice.next_to(line)))
        if refused > REFUSED:
            break
    choice.close_gaps()
    for part in parts:
        choice.take(choice.within(part))
    return choice


def told(part: Passage, head: str, runs: Sequence[Passage]) -> str:
    """A part as it is shown, with the heads above it; what is left out of it is marked."""
    if head and len(runs) == 1 and (runs[0].start, runs[0].end) == (part.start, part.end):
        return readable(f"{head}\n{part.text}")
    before = [(), *map(heads_of, runs)]
    heads = [
        () if above == heads_of(run) else heads_of(run) for above, run in zip(before, runs, strict=False)
    ]
    shown = [readable("\n".join((*over, run.text))) for over, run in zip(heads, runs, strict=True)]
    return f"\n{CUT}\n".join(shown) + ("" if not runs or runs[-1].end == part.end else f"\n{CUT}")


def above(row: TableRow) -> TableRow:
    """What is told above a row: caption, heads and sub-heads; above the row of heads the caption."""
    if row.cells != row.header:
        return replace(row, cells=("",) * len(row.header))
    return TableRow(row.caption, (), ())


def heads_of(run: Passage) -> tuple[str, ...]:
    """Caption, heads and sub-heads of the table in which a run of lines begins."""
    if run.row is None:
        return ()
    heads = f"| {' | '.join(run.row.header)} |" if any(run.row.header) else ""
    return tuple(filter(None, (run.row.caption, heads, *run.row.group)))
