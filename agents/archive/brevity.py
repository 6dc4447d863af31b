"""What is worth telling: tables and statements less what the line that answers has said already."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from agents.archive.answer import AnswerTable, KeyedCell
from agents.reports.brief import says

LONG = 300
"""Characters of a line that answers; a longer one is cut where a table tells the rest."""
CUT = 220
RAW_ROW = " | "
Row = tuple[KeyedCell, ...]


def without_repetition(table: AnswerTable, told: str) -> AnswerTable | None:
    """The table without the columns that a text tells, and without equal rows; None if nothing is left.

    Where several rows are left, the first column stays: it says what a row is about.
    """
    cells = [tuple(_plain(cell) for cell in row) for row in table.rows]
    places = range(len(table.columns))
    kept = [
        place for place in places if any(row[place].text and not says(told, row[place].text) for row in cells)
    ]
    rows = _distinct(tuple(row[place] for place in kept) for row in cells)
    if len(rows) > 1 and 0 not in kept:
        kept = [0, *kept]
        rows = _distinct(tuple(row[place] for place in kept) for row in cells)
    return replace(table, columns=tuple(table.columns[place] for place in kept), rows=rows) if rows else None


def _plain(cell: KeyedCell) -> KeyedCell:
    """A cell; nothing in place of a row of a document's table as it stands there."""
    return KeyedCell("") if RAW_ROW in cell.text else cell


def _distinct(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Rows that say something, each once."""
    by_text = {tuple(cell.text for cell in row): row for row in rows}
    return tuple(row for texts, row in by_text.items() if any(texts))


def line_that_answers(headline: str, *, more_below: bool) -> str:
    """A headline; a long one is cut after an item of its list where what follows it is told below."""
    semicolons = (found.start() for found in re.finditer("; ", headline))
    ends = [end for end in semicolons if headline.count("(", 0, end) == headline.count(")", 0, end)]
    if len(headline) <= LONG or not more_below or not ends:
        return headline
    return f"{headline[: max((end for end in ends if end < CUT), default=ends[0])]}. More below."


def is_quoted(text: str, quotes: Sequence[str]) -> bool:
    """Whether a statement only repeats a passage that it cites: then the sources show it."""
    return any(quote.startswith("|") or says(quote, text) for quote in quotes)
