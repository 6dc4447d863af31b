"""Rows of plain text whose cells are set apart by two blanks or more: thousands in them that a single blank
parts, and a unit that has a cell of its own.

"AUC    5 310    3 510    ng*h/mL" states 5310 and 3510 ng·h/mL, and no 510 ng·h/mL.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from agents.trust.quantities import parse_quantities
from agents.trust.quantity import Quantity
from agents.trust.units import match_unit, plain

_CELL = re.compile(r"[^ \t\n]+(?: [^ \t\n]+)*")
_MARK = r"(?P<mark>(?:\s?\([Nn]\s?=\s?\d+\)| ?[a-z]|\s?[*†‡]+)?)"
_PARTED = r"[1-9]\d{0,2}(?: \d{3})+"
_THOUSANDS = re.compile(rf"[<>≤≥~]?\s?{_PARTED}(?:\.\d+)?(?:\s?(?:±|[-–])\s?(?:{_PARTED}|\d[\d.,]*))?{_MARK}")
_THIN = "\u202f"
"""The blank that parts thousands and nothing else; it is as long as the plain one."""
_NUMBER_BEFORE = re.compile(r"(?<!\S)\d[\d.,]* \Z")
"""A number by itself, and none at the end of a name ("AUC0-24")."""
_VALUE = re.compile(rf"[<>≤≥~]?\s?\d[\d.,·{_THIN}]*(?:\s?(?:±|[-–])\s?\d[\d.,·{_THIN}]*)?{_MARK}")
"""A cell that is a number, a range or a mean with its spread, and the mark of a footnote or a number of
subjects behind it.
"""
_BRACKET = re.compile(r"[(\[]([^()\[\]]+)[)\]]\Z")
_BEHIND_UNIT = re.compile(r"\Z|\s?[(,;*†‡]")
_LONE = frozenset({"%", "h", "g"})
"""Units of one letter that are read in a cell; M is a sex, and a, d or s a footnote."""


def spaced(text: str) -> str:
    """The text with thin blanks in the thousands of its cells; no character moves.

    A row needs another cell of numbers or units beside: "Weight    10 200" may be two columns.
    """
    return "\n".join(_spaced(line) for line in text.split("\n"))


def joined(text: str, sources: Iterable[str]) -> str:
    """A text that writes thousands with a plain blank as a row of its sources does, with thin blanks."""
    known = {found for source in sources for found in re.findall(rf"\d+(?:{_THIN}\d{{3}})+", spaced(source))}
    for number in known:
        written = re.compile(rf"(?<![\d.,]){number.replace(_THIN, ' ')}(?![\d.,]*\d| \d{{3}}\b)")
        places = [one for one in written.finditer(text) if not _NUMBER_BEFORE.search(text[: one.start()])]
        for place in places:
            text = f"{text[: place.start()]}{number}{text[place.end() :]}"
    return text


def amounts(text: str) -> tuple[tuple[Quantity, ...], str]:
    """The numbers of rows with the unit that stands in a cell of its own, or over their column, and all lines
    but these rows.
    """
    found: list[Quantity] = []
    rest: list[str] = []
    heads: tuple[str, ...] = ()
    for line in spaced(text).split("\n"):
        heads = _units_of_heads(line) or (heads if line.strip() else ())
        own = tuple(_amounts(line)) or tuple(_below(heads, line))
        found += own
        rest += () if own else (line,)
    return tuple(found), "\n".join(rest)


def _amounts(line: str) -> Iterator[Quantity]:
    cells = [found[0] for found in _CELL.finditer(line)]
    units = {unit for cell in cells[1:] if (unit := _unit_of(cell))}
    for cell in cells[1:] if len(units) == 1 else ():
        if value := _VALUE.fullmatch(cell):
            yield from parse_quantities(f"{cell[: value.start('mark')].strip()} {next(iter(units))};")


def _units_of_heads(line: str) -> tuple[str, ...]:
    """The unit of each head of a line, "" for one without; none for a line of fewer than two units, which
    tell no columns apart, and for one with numbers.
    """
    cells = [found[0] for found in _CELL.finditer(line)]
    units = tuple(_unit_of(bracket[1]) if (bracket := _BRACKET.search(cell)) else "" for cell in cells)
    return units if len(set(units) - {""}) > 1 and not any(map(_VALUE.fullmatch, cells)) else ()


def _below(heads: Sequence[str], line: str) -> Iterator[Quantity]:
    """The numbers of a row with the units over them: as many cells as heads, or one more, its label."""
    cells = [found[0] for found in _CELL.finditer(line)]
    if not heads or len(cells) - len(heads) not in (0, 1):
        return
    for unit, cell in zip(heads, cells[len(cells) - len(heads) :], strict=True):
        if unit and (value := _VALUE.fullmatch(cell)):
            yield from parse_quantities(f"{cell[: value.start('mark')].strip()} {unit};")


def _spaced(line: str) -> str:
    cells = list(_CELL.finditer(line))
    beside = sum(
        bool(_VALUE.fullmatch(one[0]) or _THOUSANDS.fullmatch(one[0]) or _unit_of(one[0])) for one in cells
    )
    for cell in cells if beside > 1 else ():
        if _THOUSANDS.fullmatch(cell[0]):
            thin = re.sub(_PARTED, lambda number: number[0].replace(" ", _THIN), cell[0])
            line = f"{line[: cell.start()]}{thin}{line[cell.end() :]}"
    return line


def _unit_of(cell: str) -> str:
    """The unit that a cell consists of, "ng/mL" of "ng/mL (unchanged)"; "" for other cells."""
    unit = match_unit(plain(cell), 0)
    if unit is None or not _BEHIND_UNIT.match(cell, unit.end) or unit.symbol == "fold":
        return ""
    return unit.text if len(unit.text) > 1 or unit.text in _LONE else ""
