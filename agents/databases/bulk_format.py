"""What a file of a database is: how it is recognised, and which rows it gives under which keys.

    BulkFormat("mgi", "HMD_HumanPhenotype.rpt", "https://www.informatics.jax.org/downloads/reports/",
               ("gene symbol, Entrez id, mouse symbol, MGI id, MP ids",), fits, parse)

A format is pure: it sees lines, whatever file they come from. gz, zip and parquet are opened before
(`adapters/sources/lines.py`); a row of a parquet file comes as one line of JSON.
"""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from agents.errors import WrongFile
from retrieval.values import Document

Row = Mapping[str, str]
"""One row: names of columns and their text. What is no text in the file is JSON here."""

HEAD_LINES = 40
"""How many lines of a file `fits` and `release` see, at most."""


@dataclass(frozen=True, slots=True)
class BulkFormat:
    """One kind of file.

    `source` is the name under which its rows are asked for; several formats may give the same rows (an older
    and a newer file, TSV and JSON). `file` is its usual name, `page` where people get it, `header` what its
    first line looks like, for an error.

    `fits` tells from the first lines whether it is such a file. `parse` gives a key and a row at a time, in
    the file's order; the same row object under several keys, one after the other, is kept once. Keys are
    found in whatever case they are asked for. Lines that hold nothing are passed over; a line that shows that
    it is another file raises `WrongFile`. `release` reads the state of the data from the first lines.
    `stands_for` tells how many rows of the file a row stands for, where `parse` gathers them. `records`: a
    file holds some records of many, so that all files of a folder are taken together.

    A file takes the place of an earlier one of its source. A source of `documents` has these instead of rows:
    they are read from pieces of the file, wherever its lines end, and kept in an index of its own. Its files
    add up, and a document that is there is not taken in again.
    """

    source: str
    file: str
    page: str
    header: str
    fits: Callable[[Sequence[str]], bool]
    parse: Callable[[Iterable[str]], Iterator[tuple[str, Row]]] = lambda lines: iter(())
    release: Callable[[Sequence[str]], str] = lambda head: ""
    documents: Callable[[Iterable[str]], Iterator[Document]] | None = None
    stands_for: Callable[[Row], int] = lambda row: 1
    records: bool = False


def with_columns(*names: str, separator: str = "\t") -> Callable[[Sequence[str]], bool]:
    """A `fits`: one of the first lines is a header with all of these columns."""
    wanted = frozenset(names)

    def fits(head: Sequence[str]) -> bool:
        return any(wanted <= set(_cells(line, separator)) for line in head)

    return fits


def table(lines: Iterable[str], *names: str, separator: str = "\t") -> Iterator[dict[str, str]]:
    """The rows below the first line that has all columns `names`; what stands above it is passed over.

    A leading "#" of the header is no part of its first name. Cells that are missing at a line's end are "".
    Raises `WrongFile` if there is no such header.
    """
    wanted = frozenset(names)
    header: list[str] | None = None
    split = csv.reader(lines) if separator == "," else (_cells(line, separator) for line in lines)
    for cells in split:
        if header is not None:
            if any(cells):
                yield dict(zip(header, [*cells, *[""] * (len(header) - len(cells))], strict=False))
        elif wanted <= set(cells):
            header = cells
    if header is None:
        raise WrongFile(f"It has no header with {', '.join(names)}.")


def column_names(head: Sequence[str]) -> frozenset[str]:
    """The names of the columns in the first line, in small letters, whatever stands between them."""
    first = "".join(head[:1])
    return frozenset(name.strip(' "\r\n').casefold() for name in first.split(_mark(first)))


def named_table(lines: Iterable[str], *needed: Sequence[str]) -> Iterator[dict[str, str]]:
    """The rows of a table whose columns have names that differ from file to file, under these in small
    letters; commas, tabs, semicolons or `$` stand between them.

    Raises `WrongFile` where none of the names of one of `needed` is there.
    """
    lines = iter(lines)
    first = next(lines, "")
    for names in needed:
        if column_names([first]).isdisjoint(names):
            raise WrongFile(f"The table has no column named {', '.join(names)}.")
    for row in csv.DictReader(chain([first], lines), delimiter=_mark(first), restval=""):
        yield {(name or "").strip().casefold(): str(text).strip() for name, text in row.items()}


def first_told(row: Row, names: Iterable[str]) -> str:
    """The first of the columns with these names that holds something; "" where none does."""
    return next(filter(None, (row.get(name) for name in names)), "")


def columns(lines: Iterable[str], *names: str) -> Iterator[dict[str, str]]:
    """The rows of a file with tabs and without a header. Lines with fewer cells get "" for the rest."""
    for line in lines:
        if line.strip():
            cells = [cell.strip() for cell in line.rstrip("\r\n").split("\t")]
            yield dict(zip(names, [*cells, *[""] * (len(names) - len(cells))], strict=False))


def json_lines(lines: Iterable[str]) -> Iterator[dict[str, str]]:
    """One object a line. Text stays text, null is "", everything else is JSON.

    Raises `WrongFile` for a line that is no object.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise WrongFile(f"Line {number} is no JSON.") from error
        if not isinstance(value, dict):
            raise WrongFile(f"Line {number} is no JSON object.")
        yield {name: _text(inner) for name, inner in value.items()}


def json_under(*names: str) -> Callable[[Iterable[str]], Iterator[tuple[str, Row]]]:
    """A `parse` for lines of JSON: each row under what stands in these fields."""

    def parse(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
        for row in json_lines(lines):
            yield from under(row, *(row.get(name, "") for name in names))

    return parse


def with_fields(*names: str) -> Callable[[Sequence[str]], bool]:
    """A `fits` for lines of JSON: the first one is an object with all of these names."""
    wanted = frozenset(names)

    def fits(head: Sequence[str]) -> bool:
        try:
            return wanted <= next(json_lines(head[:1]), {}).keys()
        except WrongFile:
            return False

    return fits


def under(row: Row, *keys: str) -> Iterator[tuple[str, Row]]:
    """The row under each of these keys, once under each that is not empty."""
    for key in dict.fromkeys(key.strip() for key in keys):
        if key:
            yield key, row


def _mark(line: str) -> str:
    """What stands between the names of a header."""
    return max(",\t;$", key=line.count)


def _cells(line: str, separator: str) -> list[str]:
    cells = [_unquoted(cell) for cell in line.rstrip("\r\n").split(separator)]
    cells[0] = cells[0].lstrip("#").strip()
    return cells


def _unquoted(cell: str) -> str:
    """A cell without the quotes that some writers put around text."""
    cell = cell.strip()
    quoted = len(cell) > 1 and cell[0] == cell[-1] == '"'
    return cell[1:-1].replace('""', '"') if quoted else cell


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)
