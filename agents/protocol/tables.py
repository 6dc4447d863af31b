"""Tables at hand: what each holds, told from its heads and its first rows; and its content for programs."""

import csv
import gzip
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from agents.protocol.accessions import accessions_in
from agents.protocol.soft import gds_tables
from agents.protocol.values import DataFile, Dataset

Rows = Callable[[], Iterator[Sequence[str]]]
"""Reads a table, its heads first."""
LOOKED_AT = 2000
"""Rows that are read to tell what the columns hold."""
FEW = 8
"""Values of a column that makes groups, at most."""
MOST_SAMPLES = 500
"""A table of values without a table of its samples has cells in its columns if it has more."""
MANY_ROWS = 500
"""A table of values of genes has more."""
TIME = re.compile(
    r"(?:^|[^a-z])(?:os|pfs|rfs)?(?:times?|days|months|futime|survival)(?:$|[^a-z])|^t\.", re.IGNORECASE
)
EVENT = re.compile(r"event|status|death|dead|died|fustat|censor|vital|^e\.|^(?:os|pfs|rfs)$", re.IGNORECASE)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|NA|")
KINDS = {
    "counts": "RNA-seq counts",
    "expression": "expression values",
    "matrix": "expression values, a sample a row, without heads",
    "survival": "survival table",
    "cells": "single-cell data",
    "AnnData": "single-cell data",
}
"""What a dataset is called by its main table."""


def tables_in(path: Path) -> Mapping[str, Rows]:
    """The tables of a file by name: itself, or what is made of it (ARFF and GDS become CSV); none of another
    file.
    """
    plain = path.name.removesuffix(".gz")
    if plain.endswith((".csv", ".tsv")):
        return {path.name: partial(_separated, path)}
    if plain.endswith(".arff"):
        return {f"{plain.removesuffix('.arff')}.csv": partial(_arff, path)}
    if plain.endswith(".soft"):
        return gds_tables(plain.removesuffix(".soft"), partial(lines_of, path))
    return {}


def content(path: Path, name: str) -> bytes:
    """A table of a file as a program reads it."""
    if path.name == name:
        return path.read_bytes()
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(tables_in(path)[name]())
    return written.getvalue().encode()


def lines_of(path: Path) -> Iterator[str]:
    """The lines of a file, unpacked."""
    is_packed = path.suffix == ".gz"
    with gzip.open(path, "rt", errors="replace") if is_packed else path.open(errors="replace") as file:
        yield from file


def _separated(path: Path) -> Iterator[Sequence[str]]:
    yield from csv.reader(lines_of(path), delimiter="\t" if ".tsv" in path.name else ",")


def _arff(path: Path) -> Iterator[Sequence[str]]:
    columns: list[str] = []
    lines = lines_of(path)
    for line in lines:
        if line.lower().startswith("@attribute"):
            columns.append(line.split()[1].strip("'\""))
        elif line.lower().startswith("@data"):
            break
    yield ["row", *columns]
    for number, line in enumerate(filter(str.strip, lines), start=1):
        yield [str(number), *(cell.strip() for cell in line.split(","))]


def described(name: str, rows: Rows) -> DataFile:
    """What a table holds. Raises `OSError`, `ValueError`, `csv.Error` for one that cannot be read."""
    given = rows()
    first = list(next(given, []))
    if first and all(map(NUMBER.fullmatch, first)):
        return DataFile(name, "matrix", (), 1 + sum(1 for _ in given))
    seen = list(islice(given, LOOKED_AT))
    total = len(seen) + sum(1 for _ in given)
    levels = tuple((column, found) for place, column in enumerate(first) if (found := _levels(seen, place)))
    kind = _kind(first, seen, total, levels)
    empty = [""] * len(first)
    cells = (tuple([*row, *empty][: len(first)]) for row in seen) if kind == "samples" else ()
    return DataFile(name, kind, tuple(first), total, levels, tuple(cells))


def _levels(rows: Sequence[Sequence[str]], place: int) -> tuple[str, ...]:
    """The values of a column that makes groups; none for another."""
    found = {row[place] for row in rows if place < len(row) and row[place] not in ("", "NA")}
    enough = len(rows) >= 2 * len(found) or len(found) == 2
    return tuple(sorted(found)) if 1 < len(found) <= FEW and enough else ()


def _kind(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    total: int,
    levels: Sequence[tuple[str, tuple[str, ...]]],
) -> str:
    if any(map(TIME.search, columns)) and any(map(EVENT.search, columns)):
        return "survival"
    values = [cell.strip() for row in rows[:50] for cell in row[1:]]
    numeric = sum(bool(NUMBER.fullmatch(one)) for one in values) > 0.95 * max(1, len(values))
    if numeric and total > MANY_ROWS and len(columns) > 3:
        return "counts" if all(map(str.isdigit, filter(None, values))) else "expression"
    return "samples" if levels and total < MANY_ROWS else "table"


def alike(columns: Iterable[str], name: str) -> list[str]:
    """Columns, those first that share words with another ("rfs_event" with "rfs_time")."""
    words = {*re.split(r"[_. ]", name)}
    return sorted(columns, key=lambda one: -len(words.intersection(re.split(r"[_. ]", one))))


def datasets_of(tables: Sequence[DataFile]) -> Iterator[Dataset]:
    """The tables as datasets: values with the tables of their samples and symbols, which are named alike."""
    for one in tables:
        values = one.kind in ("counts", "expression")
        sheet = next((each for each in tables if each.kind == "samples" and _stem(each) == _stem(one)), None)
        if values and sheet is None and len(one.columns) > MOST_SAMPLES:
            values, one = False, replace(one, kind="cells")
        if one.kind not in KINDS:
            continue
        symbols = next((each for each in tables if each.name == f"symbols_{_stem(one)}.csv"), None)
        files = tuple(filter(None, (one, sheet, symbols))) if values else (one,)
        named = accessions_in(one.name.replace("_", " "))
        name = named[0] if named else _stem(one) if len(files) > 1 else one.name.split(".")[0]
        title = re.sub(r"[_.]+", " ", one.name.split(".")[0])
        yield Dataset(name, KINDS[one.kind], title, _samples(one, sheet), files=files, source="table at hand")


def _stem(one: DataFile) -> str:
    return re.split(r"[_.]", one.name)[0]


def _samples(one: DataFile, sheet: DataFile | None) -> int | None:
    if sheet is not None:
        return sheet.rows
    if one.kind in ("counts", "expression"):
        return len(one.columns) - 1
    return one.rows if one.kind in ("survival", "matrix") else None
