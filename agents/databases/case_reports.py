"""Spontaneous reports from a table (FAERS-like): a row for each report, drug and event.

Loaded, they are kept as the numbers of the reports that name a drug, or an event, by stratum: so a drug by
several names and an event by several terms count each report once. Drugs are compared without salt, form and
strength, events in American spelling: "WARFARIN SODIUM" is warfarin, "Haemorrhage" is hemorrhage.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from agents.databases.bulk_format import BulkFormat, Row, column_names, first_told, named_table
from agents.databases.database import database
from agents.databases.ingredients import base_name
from agents.databases.ports import Bulk, BulkRelease
from agents.databases.spelling import american
from agents.errors import ToolFailed

SOURCE = "case-reports"
ALL = "all reports"
AGAIN = f"load it again as {SOURCE}"
CASE = ("primaryid", "caseid", "case", "report", "report_id", "safetyreportid")
DRUG = ("drug", "drugname", "drug_name", "prod_ai", "ingredient")
EVENT = ("event", "pt", "reaction", "preferred_term", "outcome")
SEX, AGE = ("sex", "gender"), ("age", "age_years")
BANDS = (18, 45, 65, 75)
"""Years at which a band of age begins."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Reports with drug and event, with the drug alone, with the event alone, with neither; from 0."""

    a: int
    b: int
    c: int
    d: int

    @property
    def total(self) -> int:
        """All reports."""
        return self.a + self.b + self.c + self.d

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.a + other.a, self.b + other.b, self.c + other.c, self.d + other.d)


def event_key(term: str) -> str:
    """An event's term as reports are compared by it: in small letters and American spelling."""
    return american(" ".join(term.split()).casefold())


class CaseReports:
    """The loaded table. All that ask for rows raise `ToolFailed` where it is damaged, or was loaded before
    names were compared by ingredient.
    """

    def __init__(self, bulk: Bulk) -> None:
        self._bulk = bulk

    @property
    def release(self) -> BulkRelease | None:
        """What is loaded; None where nothing is."""
        return self._bulk.release(SOURCE)

    async def counts(self, drugs: Sequence[str], events: Sequence[str]) -> dict[str, Counts]:
        """By stratum, the reports of a drug by any of its names and of an event by any of its terms."""
        (everything,) = await self._numbers([ALL]) or ({},)
        on = _united(await self._numbers(_keys("drug", map(base_name, drugs))))
        seen = _united(await self._numbers(_keys("event", map(event_key, events))))
        found = {}
        for stratum, (total,) in everything.items():
            drug, event = on.get(stratum, set()), seen.get(stratum, set())
            both = len(drug & event)
            found[stratum] = Counts(both, len(drug) - both, len(event) - both, total - len(drug | event))
        return found

    async def _numbers(self, keys: Sequence[str]) -> list[dict[str, list[int]]]:
        rows = [row for key in keys for row in await self._bulk.rows(SOURCE, key)]
        if keys == [ALL] and any("reports" in row and "rows" not in row for row in rows):
            raise ToolFailed(f"The table of reports was loaded by an earlier version: {AGAIN}.")
        try:
            return [
                {name: list(map(int, given)) for name, given in json.loads(row["reports"]).items()}
                for row in rows
            ]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ToolFailed(f"The loaded table of reports is damaged: {AGAIN}.") from error


def _keys(kind: str, names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(f"{kind} {name}" for name in names if name))


def _united(listed: Iterable[Mapping[str, Iterable[int]]]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = defaultdict(set)
    for one in listed:
        for stratum, numbers in one.items():
            found[stratum].update(numbers)
    return found


@dataclass(frozen=True, slots=True)
class _Report:
    """The drugs and the events that a report names, as keys, and its stratum ("F 18")."""

    drugs: set[str] = field(default_factory=set)
    events: set[str] = field(default_factory=set)
    strata: list[str] = field(default_factory=list)


def _read(lines: Iterable[str]) -> tuple[list[_Report], int]:
    """The reports of a table with commas, tabs or `$` between its columns, and how many rows it has.

    A report of several drugs or events has several rows; the last one tells its stratum. Raises `WrongFile`.
    """
    found: dict[str, _Report] = defaultdict(_Report)
    rows = 0
    for row in named_table(lines, CASE, DRUG, EVENT):
        rows += 1
        report = found[first_told(row, CASE)]
        report.drugs.add(base_name(first_told(row, DRUG)))
        report.events.add(event_key(first_told(row, EVENT)))
        report.strata.append(_stratum(row))
    return list(found.values()), rows


def _stratum(row: Row) -> str:
    try:
        years = float(first_told(row, AGE))
        band = str(max((one for one in BANDS if one <= years), default=0))
    except ValueError:
        band = ""
    return f"{first_told(row, SEX).upper()[:1]} {band}".strip()


def _fits(head: Sequence[str]) -> bool:
    return not any(column_names(head).isdisjoint(names) for names in (CASE, DRUG, EVENT))


def _parse(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    listed: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    totals: dict[str, int] = defaultdict(int)
    cases, rows = _read(lines)
    for number, case in enumerate(cases):
        stratum = case.strata[-1]
        totals[stratum] += 1
        for key in (*_keys("drug", case.drugs), *_keys("event", case.events)):
            listed[key][stratum].append(number)
    if totals:
        counted = json.dumps({stratum: [count] for stratum, count in totals.items()})
        yield ALL, {"reports": counted, "rows": str(rows)}
    for key, numbers in listed.items():
        yield key, {"reports": json.dumps(numbers, separators=(",", ":"))}


def rows_of(row: Row) -> int:
    """How many rows of the file what is kept stands for: the count of all reports stands for all of them."""
    return int(row.get("rows", "0"))


TABLE = BulkFormat(
    SOURCE,
    "reports.csv",
    "https://fis.fda.gov/extensions/FPD-QDE-FAERS/FPD-QDE-FAERS.html",
    "report,drug,event,sex,age",
    _fits,
    _parse,
    stands_for=rows_of,
)
REPORTS = database(SOURCE, TABLE)
