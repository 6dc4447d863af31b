"""Spreadsheets and comma-separated values: each sheet a table under its name."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

import openpyxl

from retrieval.errors import DocumentTooLarge
from retrieval.models import ParsedFile
from retrieval.parse.guard import damaged
from retrieval.parse.limits import Limits, check_package
from retrieval.parse.office import paged
from retrieval.parse.tables import cell, pipe_table
from retrieval.parse.text import decoded

Row = Sequence[str]


def parse_xlsx(path: Path, limits: Limits) -> ParsedFile:
    """A workbook: values as calculated, each sheet a page."""
    check_package(path, limits)
    with damaged():
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        try:
            texts = [
                _sheet(sheet.title, _bounded(sheet.iter_rows(values_only=True), limits))
                for sheet in book.worksheets
            ]
            title = book.properties.title
        finally:
            book.close()
    return paged(texts, {"title": title} if title else {})


def parse_csv(path: Path, limits: Limits) -> ParsedFile:
    """Values separated by comma, semicolon, tab or bar, whichever the file uses."""
    text = decoded(path.read_bytes())
    try:
        dialect: type[csv.Dialect] | csv.Dialect = csv.Sniffer().sniff(text[:10_000], delimiters=",;\t|")
    except csv.Error:
        dialect = csv.excel
    with damaged():
        rows = _bounded(csv.reader(io.StringIO(text), dialect), limits)
    return ParsedFile(_sheet(path.stem, rows))


def _bounded(rows: Iterable[Sequence[object]], limits: Limits) -> list[list[str]]:
    """All rows as text. Raises `DocumentTooLarge` over the limit."""
    found: list[list[str]] = []
    for row in rows:
        found.append([_value(value) for value in row])
        if len(found) > limits.rows:
            raise DocumentTooLarge(f"A sheet has over {limits.rows} rows. Split it.")
    return found


def _value(value: object) -> str:
    """A cell as text: whole numbers without a point, dates in ISO form."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value.isoformat() if hasattr(value, "isoformat") else cell_text(value)


def cell_text(value: object) -> str:
    """Any other cell as text."""
    return str(value) if value is not None else ""


def _sheet(name: str, rows: list[list[str]]) -> str:
    """A sheet: lines of a single cell above the table are its title and notes."""
    rows = [row for row in rows if any(text.strip() for text in row)]
    above = 0
    while above < len(rows) - 1 and sum(bool(text.strip()) for text in rows[above]) == 1 < len(rows[above]):
        above += 1
    lead = [next(text for text in row if text.strip()) for row in rows[:above]]
    return "\n\n".join([f"## {cell(name)}", *map(cell, lead), pipe_table(rows[above:])]) + "\n\n"
