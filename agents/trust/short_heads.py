"""Heads of columns that are short forms, explained by a line cited beside: 139 under "QSDY" is day 139
where "QSDY | Actual Study Day of Finding" is cited too.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from agents.trust.frequencies import parse_frequencies

Cell = tuple[str, str]
"""A head and what stands under it."""
_SHORT = re.compile(r"[A-Z][A-Z0-9_]{2,11}")
_DAY = (
    r"\W*{head}\s*(?:\||[:=]|[–—-]\s|\s{{2}})\W*"
    r"(?:(?!(?:per|each|every|a|of)\b)\w+\s){{0,3}}day\b(?!\s?/)"
)
"""A line that explains a head as a day."""


def cells_of(header: Sequence[str], row: Sequence[str]) -> Iterator[Cell]:
    """The cells of a row under heads that are short forms."""
    return ((head, cell) for head, cell in zip(header, row, strict=False) if _SHORT.fullmatch(head.strip()))


def days_under(cells: Iterable[Cell], lines: Sequence[str]) -> frozenset[str]:
    """The days, as terms ("D139"), in cells whose head one of some lines explains as a day."""
    told = (cell for head, cell in cells if cell.strip().isdigit() and _is_day(head.strip(), lines))
    return frozenset(one.term for cell in told for one in parse_frequencies(f"day {cell.strip()}"))


def _is_day(head: str, lines: Sequence[str]) -> bool:
    explains = re.compile(_DAY.format(head=re.escape(head)), re.IGNORECASE)
    return any(explains.match(line) for line in lines)
