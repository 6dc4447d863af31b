"""Spontaneous reports from a table (FAERS-like): a row for each report, drug and event."""

import csv
from collections import defaultdict
from collections.abc import Iterable, Mapping

from agents.errors import WrongFile
from agents.vigilance.signals import Case

CASE = ("primaryid", "caseid", "case", "report", "report_id", "safetyreportid")
DRUG = ("drug", "drugname", "drug_name", "prod_ai", "ingredient")
EVENT = ("event", "pt", "reaction", "preferred_term", "outcome")
SEX, AGE = ("sex", "gender"), ("age", "age_years")
BANDS = (18, 45, 65, 75)
"""Years at which a band of age begins."""


def read_cases(lines: Iterable[str]) -> list[Case]:
    """The reports of a table with commas, tabs or `$` between its columns.

    It needs columns for the report, the drug and the event; sex and age in years make the strata, where
    there are any. A report of several drugs or events has several rows.

    Raises:
        WrongFile: if a column is missing.
    """
    lines = iter(lines)
    head = next(lines, "")
    mark = max(",\t$", key=head.count)
    reader = csv.DictReader(lines, [one.strip().casefold() for one in head.split(mark)], delimiter=mark)
    names = reader.fieldnames or ()
    case, drug, event = (_column(names, wanted) for wanted in (CASE, DRUG, EVENT))
    sex, age = (next((one for one in wanted if one in names), "") for wanted in (SEX, AGE))
    drugs: dict[str, set[str]] = defaultdict(set)
    events: dict[str, set[str]] = defaultdict(set)
    strata: dict[str, str] = {}
    for row in reader:
        key = row[case] or ""
        drugs[key].add((row[drug] or "").strip().casefold())
        events[key].add((row[event] or "").strip().casefold())
        strata[key] = _stratum(row, sex, age)
    return [Case(frozenset(drugs[key]), frozenset(events[key]), strata[key]) for key in drugs]


def _column(names: Iterable[str], wanted: Iterable[str]) -> str:
    found = next((one for one in wanted if one in names), None)
    if found is None:
        raise WrongFile(f"The table of reports has no column named {', '.join(wanted)}.")
    return found


def _stratum(row: Mapping[str, str | None], sex: str, age: str) -> str:
    told = (row.get(sex) or "").strip().upper()[:1] if sex else ""
    try:
        years = float(row.get(age) or "") if age else None
    except ValueError:
        years = None
    band = "" if years is None else str(max((one for one in BANDS if one <= years), default=0))
    return f"{told} {band}".strip()
