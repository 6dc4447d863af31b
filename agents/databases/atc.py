"""The Anatomical Therapeutic Chemical classification, where a table of it is loaded.

The table has a code, a name and, if the code is that of a class, an ingredient ("C09AA, ACE inhibitors,
captopril"); a line with a substance's own code ("C09AA01, captopril") needs none. A class holds what lies
below it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from agents.databases.bulk_format import BulkFormat, Row, column_names, first_told, named_table, under
from agents.databases.database import database
from agents.databases.ports import Bulk

SOURCE = "atc"
CODE = re.compile(r"[A-V](?:\d{2}(?:[A-Z](?:[A-Z](?:\d{2})?)?)?)?", re.IGNORECASE)
LEVELS = (1, 3, 4, 5)
"""Lengths of the codes of classes; a substance's own has seven."""
CODES = ("code", "atc_code", "atc", "atc code")
NAMES = ("name", "atc_name", "class", "atc level name")
INGREDIENTS = ("ingredient", "substance", "drug")
PAGE = "https://atcddd.fhi.no/atc_ddd_index/"


class Atc:
    """The loaded table. Nothing is found where none is loaded. All raise `ToolFailed`."""

    def __init__(self, bulk: Bulk) -> None:
        self._bulk = bulk

    @property
    def loaded(self) -> bool:
        """Whether there is a table."""
        return self._bulk.release(SOURCE) is not None

    async def code_of(self, written: str) -> str:
        """The code of a class by its code or name, in capitals; "" for one that is not there."""
        asked = written.strip()
        if CODE.fullmatch(asked):
            return asked.upper() if await self._bulk.rows(SOURCE, f"code {asked}") else ""
        rows = await self._bulk.rows(SOURCE, f"name {asked}")
        return min((row["code"] for row in rows), key=len, default="")

    async def ingredients(self, code: str) -> tuple[str, ...]:
        """The ingredients below a code, in small letters, in the table's order."""
        rows = await self._bulk.rows(SOURCE, f"code {code}")
        return tuple(dict.fromkeys(row["ingredient"] for row in rows if row["ingredient"]))


def _fits(head: Sequence[str]) -> bool:
    names = column_names(head)
    coded = names & {"atc_code", "atc", "atc code"} or ("code" in names and names & set(INGREDIENTS))
    return bool(coded) and bool(names & set(NAMES))


def _parse(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for line in named_table(lines):
        code, name, ingredient = (first_told(line, names) for names in (CODES, NAMES, INGREDIENTS))
        code = code.upper()
        if not CODE.fullmatch(code):
            continue
        single = len(code) not in LEVELS
        row = {"code": code, "name": name, "ingredient": (ingredient or (name if single else "")).casefold()}
        above = [f"code {code[:length]}" for length in LEVELS if length <= len(code)]
        yield from under(row, f"code {code}", *above, *([] if single else [f"name {name}"]))


TABLE = BulkFormat(SOURCE, "atc.csv", PAGE, "code,name,ingredient", _fits, _parse)
ATC = database(SOURCE, TABLE)
