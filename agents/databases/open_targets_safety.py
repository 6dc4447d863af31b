"""Open Targets' safety liabilities: effects of a target that reviews of target safety list.

Their curated rows (Lynch 2017, Bowes 2012, Urban 2012 and others) are what an evaluation of safety reports
counts as right. An evaluation therefore leaves this tool out: `CURATED_SAFETY` is its name.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from agents.databases.bulk_format import Row
from agents.databases.edition import Edition
from agents.databases.facts import Topic
from agents.databases.fields import cell, items, text
from agents.databases.open_targets import OPEN_TARGETS, SAFETY, TARGETS, TITLE, page_of, rows_of, target_of
from agents.databases.ports import Reach
from agents.databases.sheet import Sheet, target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked

CURATED_SAFETY = "open_targets_safety"
TOXCAST = "ToxCast"
"""Its rows are assays, and no outcomes: they are passed over."""
QUERY = """
query SafetyLiabilities($id: String!) { target(ensemblId: $id) { id approvedSymbol
  safetyLiabilities { event eventId datasource literature url effects { direction dosing }
    biosamples { tissueLabel tissueId cellLabel cellFormat } } } }
"""
DIRECTIONS = {"activation": "activation", "inhibition": "inhibition"}


@dataclass(frozen=True, slots=True)
class Liability:
    """One row. `effects` are pairs of direction ("activation", "inhibition" or "") and dosing."""

    event: str
    event_id: str
    datasource: str
    pmid: str
    effects: tuple[tuple[str, str], ...]
    places: tuple[str, ...]


async def liabilities_of(reach: Reach, target: Target) -> tuple[tuple[Liability, ...], Edition] | None:
    """The rows of a target, and where they come from; None where nobody could be asked.

    Raises `ToolFailed`.
    """
    for source, read in ((SAFETY, _of_safety_file), (TARGETS, _of_target_file)):
        if (loaded := reach.bulk.release(source)) is not None:
            rows = await rows_of(reach, source, target)
            found = tuple(parse_liability(one) for row in rows for one in read(row))
            return found, Edition.of_bulk(OPEN_TARGETS, loaded, page_of(target))
    if reach.web is None:
        return None
    asked = await target_of(reach.web, QUERY, target)
    value, edition = asked or (None, Edition(TITLE))
    return tuple(map(parse_liability, items(value, "safetyLiabilities"))), edition


async def curated_effects(reach: Reach, target: Target) -> TargetFindings:
    """The curated effects of a target as facts: one for each direction of an effect. Raises `ToolFailed`."""
    if (found := await liabilities_of(reach, target)) is None:
        return unasked(OPEN_TARGETS)
    rows, edition = found
    sheet = edition.sheet(f"safety liabilities of {target.symbol}", target.symbol)
    curated = [row for row in rows if row.event and row.datasource != TOXCAST]
    for row in sorted(dict.fromkeys(curated), key=lambda row: (row.event.lower(), row.datasource)):
        _effects_facts(sheet, target, row)
    nothing = f"Nothing found: {edition.asked} lists no safety liability of {target.symbol}."
    return target_findings((sheet,), nothing=nothing)


def _effects_facts(sheet: Sheet, target: Target, row: Liability) -> None:
    places = f" in {', '.join(row.places)}" if row.places else ""
    pmid = f", PMID {row.pmid}" if row.pmid else ""
    for change in dict.fromkeys(direction for direction, _ in row.effects) or ("",):
        dosing = ", ".join(dosing for direction, dosing in row.effects if direction == change and dosing)
        cause = f" on {change}" if change else ""
        detail = f" ({dosing})" if dosing else ""
        after = f"{row.datasource}{pmid}"
        says = f"Safety liability of {target.symbol}{cause}{detail}: {row.event}{places} ({after})"
        sheet.state(
            Topic.ADVERSE_EVENT,
            says,
            term=row.event,
            id=row.event_id,
            change=change,
            measure="curated safety liability",
        )


def _of_safety_file(row: Row) -> Sequence[JsonValue]:
    nested = ("effects", "biosamples")
    return ({name: cell(value) if name in nested else value for name, value in row.items()},)


def _of_target_file(row: Row) -> Sequence[JsonValue]:
    return items(cell(row.get("safetyLiabilities", "")))


def parse_liability(value: JsonValue) -> Liability:
    """A row of the service, of the target file or of the safety file: they differ by a name or two."""
    places = [
        text(one, "tissueLabel") or text(one, "cellLabel") or text(one, "cellFormat")
        for one in (items(value, "biosamples") or items(value, "biosample"))
    ]
    return Liability(
        text(value, "event"),
        text(value, "eventId"),
        text(value, "datasource"),
        text(value, "literature"),
        tuple(dict.fromkeys(_effects(items(value, "effects")))),
        tuple(dict.fromkeys(filter(None, places))),
    )


def _effects(values: Sequence[JsonValue]) -> Iterator[tuple[str, str]]:
    for one in values:
        said = text(one, "direction").lower()
        direction = next((known for begin, known in DIRECTIONS.items() if said.startswith(begin)), "")
        yield direction, text(one, "dosing")


open_targets_safety_tool = TargetTool(CURATED_SAFETY, OPEN_TARGETS, curated_effects, (Topic.ADVERSE_EVENT,))
