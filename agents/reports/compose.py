"""Where claims become statements with citation numbers. Sections are written through `Composer`."""

from collections.abc import Iterable, Sequence

from agents.evidence.values import Citation, Evidence
from agents.reports.values import Cell, Statement
from agents.trust.citations import cited
from agents.trust.values import Claim


class Composer:
    """Gives out the citation numbers of a report, in order of first use.

    `evidence` is all that may be cited. `known` are citations that the report has already: they keep their
    numbers, and new ones follow.
    """

    def __init__(self, evidence: Iterable[Evidence], known: Iterable[Citation] = ()) -> None:
        self._evidence = {item.key: item for item in evidence}
        self._given = {(one.doc_id, one.start, one.end): one for one in known}
        self._numbers: dict[str, list[int]] = {}

    def statement(self, claim: Claim) -> Statement:
        """A claim with the numbers of its citations. Raises `KeyError` for a key that is no evidence here."""
        numbers = dict.fromkeys(self.cite(key, claim.quotes) for key in claim.keys)
        return Statement(claim.text, tuple(numbers), claim)

    def cell(self, text: str, keys: Sequence[str] = ()) -> Cell:
        """A cell with every number of its evidence: that of the whole passage, and those of its quotes."""
        for key in keys:
            self.cite(key)
        return Cell(text, tuple(sorted({number for key in keys for number in self._numbers[key]})))

    def cite(self, key: str, quotes: Sequence[str] = ()) -> int:
        """The number of a piece of evidence, narrowed to the first quote that occurs in it, if any."""
        item = self._evidence[key]
        quote = next((quote for quote in quotes if quote and quote in item.text), item.text)
        start = item.start + item.text.index(quote)
        end = start + len(quote)
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

    def _next(self) -> int:
        return max((one.number for one in self._given.values()), default=0) + 1
