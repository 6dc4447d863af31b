"""What of the chunks found is shown where not all of it fits: the best chunks whole, and of the others the
sentences and rows that answer most likely, each with what stands beside it.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import groupby

from agents.archive.reading.render import above, heads_of
from agents.archive.tools import LoadedDocument
from retrieval.captions import CAPTION
from retrieval.values import Passage, PassageKind

SHORT, OF_SHORT, OF_LONG = 2_000, 0.5, 0.35
"""A part of at most so many characters is about one thing. The best parts are shown whole as long as they
take no more than this share of the room, short ones and long ones; the rest is for the best lines of all.
"""
SMALL_TABLE, FEW_ROWS = 700, 13
"""A table of so many characters or rows at most, heads counted, is shown whole for one of its rows; of a
longer one the next rows are.
"""
SMALL_LIST = 1_000
"""Characters of a list that is shown whole for one of its items, or for the sentence that leads to it."""
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
        self._heads: set[str] = set()
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
            table = self._table_of(line.doc_id, own)
            if len(table) <= FEW_ROWS or self._size(table) <= SMALL_TABLE:
                return table
        elif (items := self._list_at(line.doc_id, own)) and self._size(items) <= SMALL_LIST:
            return items
        return self.next_to(line)

    def next_to(self, line: Passage) -> list[Place]:
        """A line with the next one on both sides."""
        return self._reach(line.doc_id, self._number(line), 1)

    def before(self, run: Passage) -> Passage | None:
        """The line before a run; None for the first one of the document."""
        number = self._number(run)
        return self._line((run.doc_id, number - 1)) if number else None

    def opening(self, run: Passage) -> int:
        """Where the headings, caption and heads begin that stand right above a run."""
        start, number = run.start, self._number(run)
        while number and self._leads_in((run.doc_id, number - 1)):
            number -= 1
            start = self._starts[run.doc_id][number]
        return start

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
        return [self._slice(part, run[0], run[end]) for run, end in zip(told, ends, strict=True) if end >= 0]

    def _says(self, place: Place) -> bool:
        return self._line(place).row is not None or not self._leads_in(place)

    def _leads_in(self, place: Place) -> bool:
        """Whether a line is a heading, a caption or the heads of a table."""
        line = self._line(place)
        return line.kind is PassageKind.HEADING or (line.row is None and bool(CAPTION.match(line.text)))

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

    def _table_of(self, doc_id: str, row: int) -> list[Place]:
        return self._reach(doc_id, row, len(self._starts[doc_id]))

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
    for part in parts:
        choice.take(choice.within(part))
    return choice
