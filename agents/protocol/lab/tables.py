"""Tables that tasks are run on, checked where they come in: what is wrong is told before a program starts."""

import csv
import gzip
import io
import operator
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from agents.errors import AgentError

MISSING = frozenset({"", "na", "n/a", "nan", "null"})
MOST_NAMED = 5
"""Names that one sentence tells."""
ONLY = r"^(?P<column>\S+) (?P<how>=|!=|>=|<=|>|<) (?P<value>\S.*)$"
"""Which rows of a table are meant."""
COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
GZIP = b"\x1f\x8b"
MOST_BYTES = 500_000_000


class WrongInput(AgentError):
    """A task cannot be run on what was given; the message says what is missing or wrong."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text: its file's name, its columns, its rows as wide as the columns."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def column(self, name: str) -> tuple[str, ...]:
        """The values of a column. Raises `WrongInput` with the columns that there are."""
        if name not in self.columns:
            raise WrongInput(f"{self.name} has no column {name!r}. It has {named(self.columns)}.")
        place = self.columns.index(name)
        return tuple(row[place] for row in self.rows)

    def levels(self, name: str) -> tuple[str, ...]:
        """The different values of a column that are not missing, in their order."""
        return tuple(dict.fromkeys(value for value in self.column(name) if known(value)))

    def numbers(self) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
        """All columns but the first, as numbers. Raises `WrongInput` that names the first that is none."""
        try:
            return np.array([row[1:] for row in self.rows], dtype=np.float64)
        except ValueError:
            row, column = next(_no_numbers(self))
            raise WrongInput(
                f"{self.name} holds {self.rows[row][column]!r}, which is no number, in the row "
                f"{self.rows[row][0]!r} and the column {self.columns[column]!r}."
            ) from None


def read_table(name: str, data: bytes) -> Table:
    """A table with a head, separated by commas or tabs, gzipped or not. Raises `WrongInput`."""
    rows = cells_of(text_of(name, data))
    if len(rows) < 2 or len(rows[1]) < 2:
        raise WrongInput(f"{name} is no table: it needs a head, two columns and a row, with commas or tabs.")
    head = ("", *rows[0]) if len(rows[0]) + 1 == len(rows[1]) else rows[0]
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(head):
            raise WrongInput(f"Row {number} of {name} has {len(row)} cells; its head has {len(head)}.")
    columns = tuple(one.strip() or ("id" if place == 0 else "") for place, one in enumerate(head))
    if twice := [one for one in dict.fromkeys(columns) if columns.count(one) > 1]:
        raise WrongInput(f"{name} has several columns {named(twice)}: give each a name of its own.")
    return Table(name, columns, tuple(rows[1:]))


def cells_of(text: str) -> list[tuple[str, ...]]:
    """The rows of a table that are not empty."""
    tabs = "\t" in text.partition("\n")[0]
    return [tuple(row) for row in csv.reader(io.StringIO(text), delimiter="\t" if tabs else ",") if row]


def rows_with(table: Table, only: str) -> Table:
    """The rows that are meant ("nodes > 0"). Raises `WrongInput` for a condition that cannot be read."""
    if (found := re.match(ONLY, only)) is None:
        raise WrongInput(f"Which rows are meant cannot be read: {only!r}. Write it as `nodes > 0`.")
    holds, value, values = COMPARISONS[found["how"]], found["value"], table.column(found["column"])
    if is_number(value):
        fits = [is_number(one) and holds(float(one), float(value)) for one in values]
    else:
        fits = [known(one) and holds(one, value) for one in values]
    return replace(table, rows=tuple(row for row, one in zip(table.rows, fits, strict=True) if one))


def check_counts(table: Table) -> None:
    """Raises `WrongInput` unless all values are counts."""
    values = table.numbers()
    wrong = np.argwhere((values < 0) | (values != np.floor(values)))
    if len(wrong):
        row, column = wrong[0]
        raise WrongInput(
            f"{table.name} holds {table.rows[row][column + 1]!r} in the row {table.rows[row][0]!r}: counts "
            "are whole numbers of 0 and more. Give raw counts, not normalised values."
        )


def known(value: str) -> bool:
    """Whether a value is given."""
    return value.strip().lower() not in MISSING


def is_number(value: str) -> bool:
    """Whether a value is a number."""
    try:
        float(value)
    except ValueError:
        return False
    return True


def named(names: Sequence[str]) -> str:
    """Some names in a sentence."""
    rest = len(names) - MOST_NAMED
    return ", ".join(map(repr, names[:MOST_NAMED])) + (f" and {rest} more" if rest > 0 else "")


def as_csv(columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> bytes:
    """A table as a file."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([columns, *rows])
    return written.getvalue().encode()


def _no_numbers(table: Table) -> Iterator[tuple[int, int]]:
    for row, cells in enumerate(table.rows):
        for column, cell in enumerate(cells[1:], start=1):
            if not is_number(cell):
                yield row, column


def text_of(name: str, data: bytes) -> str:
    """The text of a file, gzipped or not. Raises `WrongInput`."""
    if data.startswith(GZIP):
        try:
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(MOST_BYTES + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise WrongInput(f"{name} is a damaged gzip file.") from error
    if len(data) > MOST_BYTES:
        raise WrongInput(f"{name} has more than {MOST_BYTES // 1_000_000} MB: give a smaller part of it.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WrongInput(f"{name} is no text: give a table as CSV or TSV.") from error
