"""Where claims become statements with citation numbers. Sections are written through `Composer`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from agents.evidence.values import Citation, Evidence
from agents.reports.values import Cell, Statement
from agents.text.words import content_words, stems
from agents.trust.carrier import carrier_of
from agents.trust.citations import cited, find_quote
from agents.trust.support import Support, faults
from agents.trust.values import Claim, Derivation

T = TypeVar("T")


class Composer:
    """Gives out the citation numbers of a report, in order of first use.

    `evidence` is all that may be cited. With `line_by_line`, each quote of a claim is a citation of its own,
    and what lies between two of them is not cited.
    """

    def __init__(self, evidence: Iterable[Evidence], *, line_by_line: bool = False) -> None:
        self._line_by_line = line_by_line
        self._evidence = {item.key: item for item in evidence}
        self._given: dict[tuple[str, int, int], Citation] = {}
        self._numbers: dict[str, list[int]] = {}

    def statement(self, claim: Claim) -> Statement:
        """A claim with the numbers of its citations. Raises `KeyError` for a key that is no evidence here.

        A passage is cited as a whole where its quotes alone do not carry the values of the claim.
        """
        quotes = claim.quotes
        narrow = [self._place(key, lines) for key in claim.keys for lines in self._lines(key, quotes)]
        if quotes and any(faults(claim.text, Support(tuple(map(carrier_of, narrow)), claim.derived))):
            quotes = ()
        return Statement(claim.text, self.numbers(claim.keys, quotes), claim)

    def numbers(self, keys: Iterable[str], quotes: Sequence[str] = ()) -> tuple[int, ...]:
        """The numbers of several pieces of evidence, each narrowed to those quotes that it holds."""
        cited = (self.cite(key, lines) for key in keys for lines in self._lines(key, quotes))
        return tuple(dict.fromkeys(cited))

    def _lines(self, key: str, quotes: Sequence[str]) -> list[Sequence[str]]:
        """The quotes that make one citation each."""
        if not self._line_by_line:
            return [quotes]
        item = self._evidence[key]
        return [[quote] for quote in quotes if quote and find_quote(quote, item)] or [()]

    def cell(self, text: str, keys: Sequence[str] = ()) -> Cell:
        """A cell with the fewest citations that carry its values and words; all where no part is enough."""
        said = _said(text)
        taken = enough(text, {key: self._place(key) for key in keys})
        return Cell(text, tuple(sorted({self._known(key, text, said) for key in taken})))

    def fewest(
        self, text: str, numbers: Sequence[int], derived: tuple[Derivation, ...] = ()
    ) -> tuple[int, ...]:
        """Those of some citations that are enough for a text."""
        given = {one.number: one for one in self.citations(numbers)}
        return enough(text, {number: given[number] for number in numbers}, derived)

    def _known(self, key: str, text: str, said: frozenset[str]) -> int:
        """The number under which a passage is cited already, if that part of it carries as much of a text."""
        whole = said & _carried(text, self._place(key))
        for number in self._numbers.get(key, ()):
            given = next(one for one in self._given.values() if one.number == number)
            if whole <= _carried(text, given):
                return number
        return self.cite(key)

    def cite(self, key: str, quotes: Sequence[str] = ()) -> int:
        """The number of a piece of evidence, narrowed to the part that holds its quotes, if any."""
        place = self._place(key, quotes)
        item, start, end = self._evidence[key], place.start, place.end
        known = self._given.get((item.doc_id, start, end))
        if known is None:
            known = cited(self._next(), item, start, end)
            self._given[item.doc_id, start, end] = known
        if known.number not in self._numbers.setdefault(key, []):
            self._numbers[key].append(known.number)
        return known.number

    def citations(self, numbers: Iterable[int] | None = None) -> tuple[Citation, ...]:
        """The citations with these numbers, in order; by default all."""
        wanted = None if numbers is None else set(numbers)
        given = sorted(self._given.values(), key=lambda one: one.number)
        return tuple(one for one in given if wanted is None or one.number in wanted)

    def _place(self, key: str, quotes: Sequence[str] = ()) -> Citation:
        """A piece of evidence as a citation without a number, from the first of its quotes to the last.

        The row of a table is always cited as a whole: a part of it cannot be read with its heads.
        """
        item = self._evidence[key]
        spans = [span for quote in quotes if quote and not item.cells and (span := find_quote(quote, item))]
        start = min((span[0] for span in spans), default=item.start)
        end = max((span[1] for span in spans), default=item.end)
        return cited(0, item, start, end)

    def _next(self) -> int:
        return max((one.number for one in self._given.values()), default=0) + 1


def enough(text: str, given: Mapping[T, Citation], derived: tuple[Derivation, ...] = ()) -> tuple[T, ...]:
    """Those of some citations that are enough for a text: what all carry of it, they carry.

    The one that carries most comes first; all where no part of them is enough.
    """
    said = _said(text)
    taken = fewest(said, {one: said & _carried(text, place) for one, place in given.items()})

    def missing(some: Iterable[T]) -> int:
        return len(list(faults(text, Support(tuple(carrier_of(given[one]) for one in some), derived))))

    return taken if taken and missing(taken) <= missing(given) else tuple(given)


def fewest(wanted: frozenset[str], carried: Mapping[T, frozenset[str]]) -> tuple[T, ...]:
    """The fewest that carry what is wanted, as far as any does; each adds something, the best comes first."""
    left = dict(carried)
    taken: list[T] = []
    while left:
        best = max(left, key=lambda one: len(left[one] & wanted))
        if not left[best] & wanted:
            break
        taken.append(best)
        wanted = wanted - left.pop(best)
    return tuple(taken)


def _said(text: str) -> frozenset[str]:
    """The values and words of a text."""
    return frozenset(one.value for one in faults(text, Support(()))) | content_words(text)


def _carried(text: str, place: Citation) -> frozenset[str]:
    """Those of the values and words of a text that a citation carries."""
    missing = {one.value for one in faults(text, Support((carrier_of(place),)))}
    read = "\n".join((place.quote, place.caption, *place.header, *place.section, place.title))
    return (_said(text) - content_words(text) - missing) | (content_words(text) & stems(read))
