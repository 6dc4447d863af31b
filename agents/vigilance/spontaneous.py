"""What loaded spontaneous reports say beside the labels: in words of its own, and no verdict rests on it."""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.databases.case_reports import CaseReports
from agents.errors import ToolFailed
from agents.evidence.sources import Source, tool_source
from agents.vigilance.signals import Signal, signal_of
from agents.vigilance.values import FoundClass, Ingredient, Outcome, Reported

NAMED = "spontaneous reports"


@dataclass(frozen=True, slots=True)
class Counted:
    """What the table says. `missing` says why it could not be read, "" if it could."""

    reported: tuple[Reported, ...] = ()
    missing: str = ""


async def counted(
    reports: CaseReports, found: tuple[FoundClass, ...], outcomes: tuple[Outcome, ...]
) -> Counted:
    """The signals of each class and outcome: of all its representatives together, then of each."""
    release = reports.release
    if release is None:
        return Counted()
    table = f"{release.file}, loaded {release.loaded}"
    by_class: dict[str, list[Ingredient]] = {}
    for one in found:
        by_class.setdefault(one.part_of or one.drug_class.name, []).extend(one.chosen)
    try:
        told = [
            Reported(name, outcome.name, await _signals(reports, name, drugs, outcome), table)
            for name, drugs in by_class.items()
            for outcome in outcomes
            if drugs
        ]
    except ToolFailed as error:
        return Counted(missing=str(error))
    return Counted(tuple(told))


async def _signals(
    reports: CaseReports, name: str, drugs: Sequence[Ingredient], outcome: Outcome
) -> tuple[Signal, ...]:
    whole = [(name, [each for one in drugs for each in one.names])] if len(drugs) > 1 else []
    asked = [*whole, *((one.name, [one.name, *one.names]) for one in drugs)]
    terms = [outcome.name, *outcome.terms]
    return tuple(
        [signal_of(await reports.counts(names, terms), label, outcome.name) for label, names in asked]
    )


def source_of(one: Reported) -> Source:
    """What the table says of a class and an outcome, as a source."""
    title = f"Spontaneous reports: {one.category} and {one.outcome} ({one.table})"
    return tool_source(NAMED, title, one.text, query=f"{one.category}, {one.outcome}")
