"""Heads of columns as people read them: "day28_1000" of a data file is day 28, 10:00, and 139 under "QSDY" is
day 139 where "QSDY | Actual Study Day of Finding" is cited too.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from agents.text.frequencies import parse_frequencies

_JOINED = re.compile(r"(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])|_+")
_CLOCK = re.compile(r"(?<=\d )([01]\d|2[0-3])([0-5]\d)\Z")
"""A time of the day without its colon, behind another number."""
Cell = tuple[str, str]
"""A head and what stands under it."""
_SHORT = re.compile(r"[A-Z][A-Z0-9_]{2,11}")
_DAY = (
    r"\W*{head}\s*(?:\||[:=]|[–—-]\s|\s{{2}})\W*"
    r"(?:(?!(?:per|each|every|a|of)\b)\w+\s){{0,3}}day\b(?!\s?/)"
)
"""A line that explains a head as a day."""


def plain_head(head: str) -> str:
    """The name of a column in words, where it joins words and numbers with "_" as data files do."""
    if "_" not in head or " " in head:
        return head
    return _CLOCK.sub(r"\1:\2", _JOINED.sub(" ", head).strip())


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
