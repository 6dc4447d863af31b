"""Open Targets' drugs of a target: who they are, and what is warned of."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace

from pydantic import JsonValue

from agents.databases.bulk_format import Row
from agents.databases.chembl import WARNINGS, warning_of
from agents.databases.drugcentral import mechanism_drugs
from agents.databases.drugs import ADVANCED, Drug, plain_name, ranked, shown_name
from agents.databases.edition import Edition
from agents.databases.fields import at, cell, items, list_of, number, text, texts
from agents.databases.open_targets import (
    DRUGS,
    MECHANISMS,
    OPEN_TARGETS,
    TITLE,
    data_of,
    graphql,
    page_of,
    rows_of,
    target_of,
)
from agents.databases.ports import Reach, Web, WebReply
from agents.databases.target import Target
from agents.errors import ToolFailed

CANDIDATES = """
query DrugsOfTarget($id: String!) { target(ensemblId: $id) { id approvedSymbol
  drugAndClinicalCandidates { count rows { maxClinicalStage drug { id name drugType } } } } }
"""
DETAILS = """
query DrugDetails($id: String!) { drug(chemblId: $id) { id name
  mechanismsOfAction { rows { actionType mechanismOfAction targets { id approvedSymbol } } }
  drugWarnings { warningType toxicityClass country year description } } }
"""
STAGES = {
    "APPROVAL": 4.0,
    "PHASE_4": 4.0,
    "PREAPPROVAL": 3.0,
    "PHASE_3": 3.0,
    "PHASE_2_3": 2.0,
    "PHASE_2": 2.0,
    "PHASE_1_2": 1.0,
    "PHASE_1": 1.0,
    "EARLY_PHASE_1": 0.5,
}
"""Stages as ChEMBL counts phases: a trial of two phases has not passed the first of them."""


@dataclass(frozen=True, slots=True)
class KnownDrug:
    """A drug with what is warned of it. `cautions` are pairs of a warning and its toxicity."""

    drug: Drug
    cautions: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class KnownDrugs:
    """All drugs of a target, the farthest first, where they come from and what is missing."""

    drugs: tuple[KnownDrug, ...] = ()
    edition: Edition = Edition(TITLE)
    missing: tuple[str, ...] = ()


async def known_drugs(reach: Reach, target: Target) -> KnownDrugs | None:
    """The drugs from the loaded files, else from the service; None if neither. Raises `ToolFailed`."""
    if (loaded := reach.bulk.release(DRUGS)) is not None:
        return await _loaded(reach, target, Edition.of_bulk(OPEN_TARGETS, loaded, page_of(target)))
    return None if reach.web is None else await _live(reach.web, target)


async def _loaded(reach: Reach, target: Target, edition: Edition) -> KnownDrugs:
    """Molecules that are linked to the target or named with a mechanism on it."""
    actions: dict[str, str] = {}
    for row in await rows_of(reach, MECHANISMS, target):
        for id_ in texts(cell(row.get("chemblIds", ""))):
            actions[id_] = row.get("actionType", "").lower()
    rows = await rows_of(reach, DRUGS, target)
    known = {row.get("id", "") for row in rows}
    for id_ in actions:
        rows += [row for row in await reach.bulk.rows(DRUGS, id_) if id_ not in known]
    found = [_molecule(row, actions.get(row.get("id", ""), ""), target) for row in rows if row.get("name")]
    cautions: dict[str, tuple[tuple[str, str], ...]] = {}
    for one in found:
        name = plain_name(one.drug.name).casefold()
        cautions[name] = tuple(dict.fromkeys((*cautions.get(name, ()), *one.cautions)))
    known_actions = {one.name.casefold(): one for one in await mechanism_drugs(reach, target)}
    drugs = [
        _acting(one, known_actions.get(one.name.casefold())) for one in ranked(one.drug for one in found)
    ]
    kept = [KnownDrug(drug, cautions[plain_name(drug.name).casefold()]) for drug in drugs]
    return KnownDrugs(tuple([await _with_warnings(reach, one) for one in kept]), edition)


def _acting(drug: Drug, known: Drug | None) -> Drug:
    """The drug with what it does to the target: DrugCentral says it where Open Targets does not."""
    return drug if drug.action or known is None else replace(drug, action=known.action, shared=known.shared)


def _molecule(row: Row, action: str, target: Target) -> KnownDrug:
    """A row of the file of molecules, of an older release (`maximumClinicalTrialPhase`) or a newer one."""
    stage = row.get("maximumClinicalStage", "")
    phase = STAGES.get(stage) if stage else number(dict(row), "maximumClinicalTrialPhase")
    name = shown_name(text(dict(row), "name"))
    shared = bool(set(texts(at(cell(row.get("linkedTargets", "")), "rows"))) - {target.ensembl})
    drug = Drug(name, row.get("id", ""), phase, action, row.get("drugType", "").lower(), shared)
    cautions = [("boxed warning of the FDA", "")] if row.get("blackBoxWarning") == "true" else []
    if row.get("hasBeenWithdrawn") == "true":
        notice = cell(row.get("withdrawnNotice", ""))
        says = _warned("withdrawal", ", ".join(texts(notice, "countries")), text(notice, "year"))
        cautions.append((says, ", ".join(texts(notice, "classes"))))
    return KnownDrug(drug, tuple(cautions))


async def _with_warnings(reach: Reach, known: KnownDrug) -> KnownDrug:
    """The drug with what the file of ChEMBL's warnings says of it."""
    if not known.drug.chembl:
        return known
    warned = [warning_of(dict(row)) for row in await reach.bulk.rows(WARNINGS, known.drug.chembl)]
    cautions = [
        (_warned(one.type, one.country, one.year), one.toxicity or one.description)
        for one in warned
        if one.type
    ]
    return replace(known, cautions=tuple(dict.fromkeys((*known.cautions, *cautions))))


def _warned(kind: str, country: str, year: str) -> str:
    return " in ".join(filter(None, (kind.lower(), country, year)))


async def _live(web: Web, target: Target) -> KnownDrugs:
    asked = await target_of(web, CANDIDATES, target)
    if asked is None:
        return KnownDrugs()
    value, edition = asked
    drugs = ranked(parse_candidates(list_of(value, TITLE, "drugAndClinicalCandidates", "rows")))
    answers = await asyncio.gather(*(_detailed(web, target, drug) for drug in drugs[:ADVANCED]))
    detailed = tuple(known for known, _ in answers)
    rest = tuple(map(KnownDrug, drugs[ADVANCED:]))
    return KnownDrugs((*detailed, *rest), edition, tuple(fault for _, fault in answers if fault))


def parse_candidates(rows: Iterable[JsonValue]) -> list[Drug]:
    """The drugs of `drugAndClinicalCandidates`; rows without a name are passed over."""
    return [
        Drug(
            shown_name(text(row, "drug", "name")),
            text(row, "drug", "id"),
            STAGES.get(text(row, "maxClinicalStage")),
            kind=text(row, "drug", "drugType").lower(),
        )
        for row in rows
        if text(row, "drug", "name")
    ]


async def _detailed(web: Web, target: Target, drug: Drug) -> tuple[KnownDrug, str]:
    """A drug with its details, or without them and with a sentence on why."""
    try:
        reply = await web.fetch(graphql(DETAILS, id=drug.chembl))
        return (KnownDrug(drug) if reply is None else parse_details(reply, target, drug)), ""
    except ToolFailed as error:
        return KnownDrug(drug), f"Action and warnings of {drug.name} are missing: {error}"


def parse_details(reply: WebReply, target: Target, drug: Drug) -> KnownDrug:
    """What the drug does to this target, and what is warned of.

    Raises `ToolFailed` for an unknown form, or another drug than was asked for.
    """
    if (found := data_of(reply, "drug")) is None:
        return KnownDrug(drug)
    if text(found, "id") != drug.chembl:
        said = text(found, "name") or "no drug"
        raise ToolFailed(f"{TITLE} replied with {said} where {drug.name} was asked for; it is not used.")
    mechanisms = [
        (text(row, "actionType").lower(), {text(one, "id") for one in items(row, "targets")})
        for row in items(found, "mechanismsOfAction", "rows")
    ]
    actions = [action for action, on in mechanisms if target.ensembl in on]
    shared = any(on - {target.ensembl} for _, on in mechanisms)
    cautions = tuple(_caution(row) for row in items(found, "drugWarnings") if text(row, "warningType"))
    known = replace(drug, action=next(filter(None, actions), drug.action), shared=shared)
    return KnownDrug(known, tuple(dict.fromkeys(cautions)))


def _caution(row: JsonValue) -> tuple[str, str]:
    said = _warned(text(row, "warningType"), text(row, "country"), text(row, "year"))
    return said, text(row, "toxicityClass") or text(row, "description")
