"""Tables that were copied into plain text with one blank between their cells, as pipe tables.

Their heads end with a bracket or "%" each ("Drug (%) Placebo (%)", "run 1 (K-02) run 2 (K-03)"), and rows of
as many numbers follow. All else stays as it is written.
"""

import re
from collections.abc import Iterator, Sequence

from retrieval.captions import UNIT
from retrieval.parse.blocks import Table, write

_BRACKET = r"[(\[][^()\[\]]{1,20}[)\]]"
_HEAD = re.compile(rf"\s*(?P<words>[^()\[\]%|]*?)\s?(?P<end>{_BRACKET}|%)(?=\s|\Z)")
_NUMBER = r"(?:[<>≤≥~]\s?)?[-−]?\d[\d.,·]*(?:\s?%)?"
_ROW = re.compile(rf"\s*(?P<label>(?:\S.*?)??)(?:(?<=\s)|\A)(?P<cells>{_NUMBER}(?:\s+{_NUMBER})+)\s*\Z")
_APART = re.compile(r"\S(?:  |\t)")
"""Between the cells of a table in columns, which is none of these."""
_LONGEST = 300
"""Characters of a line of heads, or of a row."""
_MOST_WORDS = 8
"""Words of one head."""


def with_flat_tables(text: str) -> str:
    """A text with such tables as pipe tables."""
    lines = text.split("\n")
    made: list[str] = []
    at = 0
    while at < len(lines):
        heads = _heads(lines[at])
        rows = list(_rows(lines[at + 1 :], len(heads))) if heads else []
        if rows and (len(rows) > 1 or all(UNIT.fullmatch(_unit(head)) for head in heads)):
            made += write(_table(heads, rows)).split("\n")
            at += 1 + len(rows)
        else:
            made.append(lines[at])
            at += 1
    return "\n".join(made)


def _heads(line: str) -> tuple[str, ...]:
    """The heads of a line that consists of two or more, each with its bracket; none for other lines."""
    if len(line) > _LONGEST or not re.search(r"[)\]%]", line) or _APART.search(line):
        return ()
    found = list(_HEAD.finditer(line))
    whole = "".join(one[0] for one in found).strip() == line.strip()
    short = all(one["words"] and len(one["words"].split()) <= _MOST_WORDS for one in found)
    return tuple(one[0].strip() for one in found) if whole and short and len(found) > 1 else ()


def _unit(head: str) -> str:
    return "(%)" if head.endswith("%") else head[max(head.rfind("("), head.rfind("[")) :]


def _rows(lines: Sequence[str], width: int) -> Iterator[tuple[str, ...]]:
    """The rows of a label, or none, and as many numbers as there are heads, up to another line."""
    for line in lines:
        row = None if len(line) > _LONGEST or _APART.search(line) else _ROW.fullmatch(line)
        numbers = re.findall(_NUMBER, row["cells"]) if row else []
        if row is None or len(numbers) != width:
            return
        yield (row["label"].strip(), *numbers)


def _table(heads: Sequence[str], rows: Sequence[tuple[str, ...]]) -> Table:
    """The table; a first column without labels is left out."""
    if any(row[0] for row in rows):
        return Table(("", *heads), tuple(rows))
    return Table(tuple(heads), tuple(row[1:] for row in rows))
