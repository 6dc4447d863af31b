"""XLSX and CSV: each sheet a section, each block of rows a table under its header row."""

import csv
import datetime
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from openpyxl import load_workbook

from retrieval.errors import CorruptDocument
from retrieval.parse.blocks import Block, Heading, Paragraph, Table, render
from retrieval.parse.container import check_container, properties
from retrieval.parse.limits import MIB, Limits, check
from retrieval.parse.plain import decode
from retrieval.parse.spans import flatten
from retrieval.ports import OcrEngine
from retrieval.values import ParsedFile

STREAMED_BYTES = 24 * MIB
"""Unpacked size over which a workbook is streamed; merged cells are then not repeated."""
UNCALCULATED = re.compile(rb"</f><v\s*/>|</f><v></v>|</f></c>")
NUMBER = re.compile(r"[<>≤≥~±]?\s*[-+−]?[\d.,]+\s*%?")
FIXED = re.compile(r"(?:#,##)?0(?:\.(0+))?(%?)")
DELIMITERS = ",;\t|"


def parse_xlsx(path: Path, ocr: OcrEngine | None, limits: Limits) -> ParsedFile:
    """Canonical text of an XLSX file with values as shown, hidden sheets included."""
    check_container(path, "spreadsheetml", limits)
    with zipfile.ZipFile(path) as container:
        parts = [entry for entry in container.infolist() if entry.filename.startswith("xl/worksheets/")]
        streamed = sum(entry.file_size for entry in parts) > STREAMED_BYTES
        warnings = [] if streamed else _uncalculated(container, parts)
    book = load_workbook(path, read_only=streamed, data_only=True)
    blocks: list[Block] = []
    for sheet in book.worksheets:
        blocks += [Heading(2, sheet.title), *tables(_rows(sheet, streamed, limits), limits)]
    metadata = properties(book.properties) | (
        {"author": book.properties.creator} if book.properties.creator else {}
    )
    book.close()
    return ParsedFile(text=render(blocks)[0], metadata=metadata, warnings=tuple(warnings))


def _uncalculated(container: zipfile.ZipFile, parts: Sequence[zipfile.ZipInfo]) -> list[str]:
    count = sum(len(UNCALCULATED.findall(container.read(part))) for part in parts)
    if not count:
        return []
    return [f"{count} formulas have no stored result and were left empty; open and save the workbook once."]


def _rows(sheet: Any, streamed: bool, limits: Limits) -> Iterator[list[str]]:
    if not streamed:  # a cell far away makes one of every place before it, at 300 bytes each
        check(sheet.max_row * sheet.max_column, limits.table_cells, "The sheet", "cells")
    merged = {} if streamed else _merged(sheet)
    for i, row in enumerate(sheet.iter_rows(), 1):
        yield [shown(merged.get((i, j), cell)) for j, cell in enumerate(row, 1)]


def _merged(sheet: Any) -> dict[tuple[int, int], Any]:
    """The cell that is shown at each place of a merged range; ranges over whole columns are left alone."""
    found = {}
    for area in sheet.merged_cells.ranges:
        if area.size["rows"] * area.size["columns"] <= 10_000:
            origin = sheet.cell(area.min_row, area.min_col)
            found.update({place: origin for row in area.rows for place in row})
    return found


def shown(cell: Any) -> str:
    """A cell's value as the sheet shows it, for dates, percentages and fixed decimals."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        return _number(value, cell.number_format or "")
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time()
        return value.date().isoformat() if midnight else value.isoformat(" ", "minutes")
    return str(value)


def _number(value: float, pattern: str) -> str:
    fixed = FIXED.fullmatch(pattern)
    if fixed and (fixed[1] or fixed[2]):
        places = len(fixed[1] or "")
        return f"{value * 100:.{places}f}%" if fixed[2] else f"{value:.{places}f}"
    return f"{value:.15g}"


def parse_csv(path: Path, ocr: OcrEngine | None, limits: Limits) -> ParsedFile:
    """Canonical text of a CSV or TSV file."""
    text = decode(path.read_bytes(), path.name)
    try:
        rows = csv.reader(text.splitlines(), delimiter=_delimiter(text), strict=False)
        content, _ = render(tables(rows, limits))
    except csv.Error as error:
        raise CorruptDocument(f"{path.name} is not a table ({error}). Save it as CSV anew.") from error
    return ParsedFile(text=content)


def _delimiter(text: str) -> str:
    """The delimiter that splits the first lines into the same number of fields, most of them."""
    sample = [line for line in text[:20_000].split("\n")[:50] if line.strip()]

    def agreement(delimiter: str) -> tuple[int, int]:
        widths = [len(row) for row in csv.reader(sample, delimiter=delimiter)]
        common = max(set(widths), key=widths.count, default=1)
        return (widths.count(common) if common > 1 else 0, common)

    return max(DELIMITERS, key=agreement)


def tables(rows: Iterable[Sequence[str]], limits: Limits) -> Iterator[Block]:
    """The blocks of a sheet: rows of one filled cell above a table are its title; blank rows part tables."""
    block: list[list[str]] = []
    header: list[str] | None = None
    cells = 0
    for count, row in enumerate(rows, 1):
        check(count, limits.table_rows, "The sheet", "rows")
        filled = [cell.strip() for cell in row]
        cells += len(filled)
        check(cells, limits.table_cells, "The sheet", "cells")
        if any(filled):
            block.append(filled)
        elif block:
            made, header = _block(block, header)
            yield from made
            block = []
    if block:
        yield from _block(block, header)[0]


def _block(rows: list[list[str]], header: list[str] | None) -> tuple[list[Block], list[str] | None]:
    """Titles and table of rows without a blank one, and the header that further rows may go on under."""
    rows = _without_empty_columns(rows, header)
    titles = 0
    while titles < len(rows) and len(set(filter(None, rows[titles]))) == 1:
        titles += 1
    made: list[Block] = [Paragraph(next(filter(None, row))) for row in rows[:titles]]
    rest = rows[titles:]
    if not rest:
        return made, header
    if header and not titles and _goes_on(rest[0], header):
        return [Table(tuple(header), tuple(map(tuple, rest)))], header
    depth = _header_rows(rest)
    table = flatten(rest, depth)
    return [*made, table], list(table.header)


def _without_empty_columns(rows: list[list[str]], header: list[str] | None) -> list[list[str]]:
    """Rows without the columns to the left and right that are empty throughout."""
    if header:
        return rows
    width = max(map(len, rows))
    full = [row + [""] * (width - len(row)) for row in rows]
    used = [j for j in range(width) if any(row[j] for row in full)]
    return [row[used[0] : used[-1] + 1] for row in full]


def _header_rows(rows: list[list[str]]) -> int:
    """Two where the first row repeats a merged cell over columns that the second names; else one."""
    first = rows[0]
    repeated = any(a and a == b for a, b in pairwise(first))
    if repeated and len(rows) > 2 and not any(NUMBER.fullmatch(cell) for cell in rows[1]):
        return 2
    return 1


def _goes_on(row: Sequence[str], header: Sequence[str]) -> bool:
    """Whether a row after a blank one belongs to the table above: it has its width and holds numbers."""
    return len(row) == len(header) and any(NUMBER.fullmatch(cell) for cell in row)
