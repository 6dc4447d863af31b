"""How often drugs are prescribed: counts by name from any table that has them.

A CSV or TSV with a column for the name ("drug", "name") and one for the count, one line a prescription
without such a column (MIMIC's `prescriptions`), or lines of JSON with lists of [name, count].
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from agents.databases.bulk_format import BulkFormat, Row, column_names, first_told, named_table, under
from agents.databases.database import database
from agents.databases.fields import items, number, text
from agents.databases.ingredients import base_name, ingredients_of, spellings
from agents.databases.ports import Bulk
from agents.errors import WrongFile

SOURCE = "prescriptions"
NAMES = ("drug", "name", "drug_name", "drug_source_value", "medication", "ingredient")
COUNTS = ("count", "n", "prescriptions", "prescription_count", "counts", "records")
LISTS = "prescription_counts"
"""How the name of a field with a list of [name, count] ends."""


class Prescriptions:
    """Counts over a loaded table."""

    def __init__(self, bulk: Bulk) -> None:
        self._bulk = bulk

    async def count(self, names: Sequence[str]) -> int | None:
        """Prescriptions of a drug under all its names, salts and forms; combinations count as themselves.

        None where no table is loaded or none of the names is in it. Raises `ToolFailed`.
        """
        wanted = {ingredients_of(names[0])} if names else set()
        found: dict[str, int] = {}
        for name in spellings(names):
            for row in await self._bulk.rows(SOURCE, name):
                written = row["name"]
                if len(ingredients_of(written)) == 1 or ingredients_of(written) in wanted:
                    found[written] = int(row["count"])
        return sum(found.values()) if found else None

    @property
    def loaded(self) -> bool:
        """Whether there is a table."""
        return self._bulk.release(SOURCE) is not None


def _fits(head: Sequence[str]) -> bool:
    if any(line.lstrip().startswith("{") for line in head[:1]):
        return LISTS in head[0]
    columns = column_names(head)
    return bool(columns & set(NAMES)) and bool(columns & {*COUNTS, "subject_id"})


def _parse(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    counted: Counter[str] = Counter()
    for name, count in _counts(iter(lines)):
        counted[name] += count
    for name, count in counted.items():
        row = {"name": name, "count": str(count)}
        parts = ingredients_of(name)
        yield from under(row, name, base_name(name), *(parts if len(parts) == 1 else ()), "; ".join(parts))


def _counts(lines: Iterator[str]) -> Iterator[tuple[str, int]]:
    first = next(lines, "")
    if first.lstrip().startswith("{"):
        seen: set[tuple[str, int]] = set()
        for line in filter(str.strip, (first, *lines)):
            for pair in _listed(line):
                if pair not in seen:  # a drug of two categories stands in both lists
                    seen.add(pair)
                    yield pair
        return
    for row in named_table(chain([first], lines)):
        name, given = first_told(row, NAMES), first_told(row, COUNTS) or "1"
        if name and given.isdigit():
            yield name, int(given)


def _listed(line: str) -> Iterator[tuple[str, int]]:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise WrongFile("One of its lines is no JSON.") from error
    for name in value if isinstance(value, dict) else ():
        if name.endswith(LISTS):
            for pair in items(value, name):
                if (drug := text(pair, 0)) and (count := number(pair, 1)) is not None:
                    yield drug, int(count)


TABLE = BulkFormat(
    SOURCE,
    "prescriptions.csv",
    "https://physionet.org/content/mimiciv/",
    "drug,count",
    _fits,
    _parse,
)
PRESCRIPTIONS = database(SOURCE, TABLE)
