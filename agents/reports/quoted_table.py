"""Tables that a citation quotes: shown whole or not at all, and the one cell of them that a text tells."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from operator import itemgetter

from agents.evidence.values import Citation
from agents.reports.values import Cell, Table
from agents.text.rows import label_places
from retrieval.markdown import Span, cell_spans, cells, is_delimiter, lines
from retrieval.tables import LEVELS
from retrieval.values import TableRow

SHARED = 3
"""Columns from which what their heads have in common is told once, above the table."""
WORD = re.compile(r"[^\W_]+(?:\.\d+)?")


def whole_table(cited: Citation) -> Table | None:
    """The table that a citation quotes from its heads to its last row; None where it quotes none, or a part.

    Every row cites it, as its values rest on it.
    """
    lines = cited.quote.splitlines()
    if len(lines) < 3 or not is_delimiter(lines[1]) or not all(one.lstrip().startswith("|") for one in lines):
        return None
    rows = [cells(line) for line in lines[2:]]
    columns = cited.header or cells(lines[0])
    if any(len(row) != len(columns) for row in rows):
        return None
    told = tuple((Cell(row[0], (cited.number,)), *map(Cell, row[1:])) for row in rows)
    title = cited.caption or " ".join(cited.section[-1:]) or cited.title
    shared, heads = shared_head(columns)
    return Table(", ".join(filter(None, (title, shared))), heads, told, folded=True)


def shared_head(heads: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """What most heads begin with ("Time (hours) / 1", "Time (hours) / 2", …), and the heads without it."""
    above = Counter(filter(None, (head.rpartition(LEVELS)[0] for head in heads)))
    shared, times = max(above.items(), key=itemgetter(1), default=("", 0))
    if times < SHARED:
        return "", tuple(heads)
    return shared, tuple(head.removeprefix(f"{shared}{LEVELS}") for head in heads)


def cell_told(cited: Citation, texts: Iterable[str]) -> Span | None:
    """The cell of a quoted table that some texts tell, by its offsets in the document; None where they tell
    none, or several alike.

    A text tells a cell whose words it has in a row; of several it tells the one of which it names most: the
    cells that name its row, and the head of its column.
    """
    rows = [(span, cells(cited.quote[slice(*span)])) for span in lines(cited.quote)]
    if len(rows) < 2 or not all(cited.quote[slice(*span)].lstrip().startswith("|") for span, _ in rows):
        return None
    header = cited.header or rows[0][1]
    told = [f" {' '.join(_words(text))} " for text in texts]
    found = [
        (named, (cited.start + first, cited.start + last))
        for span, row in rows
        if row != header
        for place, (first, last) in enumerate(cell_spans(cited.quote, *span))
        if (named := _named(TableRow("", header, row), place, told))
    ]
    most = max((named for named, _ in found), default=0.0)
    best = [cell for named, cell in found if named == most]
    return best[0] if len(best) == 1 else None


def _named(row: TableRow, place: int, told: Sequence[str]) -> float:
    """The share of what names a cell that a text names which tells it; 0 for a label of its row."""
    labels, words = label_places(row), " ".join(_words(row.cells[place]))
    head = row.header[place] if place < len(row.header) else ""
    about = {word for text in (head, *(row.cells[i] for i in labels)) for word in _words(text)}
    if not words or not about or place in labels:
        return 0.0
    telling = (one for one in told if f" {words} " in one)
    return max((len(about.intersection(one.split())) / len(about) for one in telling), default=0.0)


def _words(text: str) -> list[str]:
    return WORD.findall(text.casefold())
