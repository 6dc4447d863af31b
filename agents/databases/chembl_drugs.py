"""What ChEMBL's drugs say of a target: actions, phases, boxed warnings and withdrawals."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from agents.databases.chembl import CHEMBL, Pharmacology, SafetyWarning, drugs_in, fetched
from agents.databases.drugs import ADVANCED, SHARED, Drug, acting, in_phases, state_drug, with_article
from agents.databases.facts import Topic
from agents.databases.ports import Reach
from agents.databases.sheet import Sheet, target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked

STRUCTURE = re.compile(r"^- (?P<name>.+) \(CHEMBL\d+\), SMILES: (?P<smiles>\S+)$", re.MULTILINE)
SHOWN = 25
"""Drugs that are told one by one, the farthest first."""


async def drugs_and_warnings(reach: Reach, target: Target) -> TargetFindings:
    """What ChEMBL's service says of a target's drugs and their warnings. Raises `ToolFailed`."""
    if reach.web is None:
        return unasked(replace(CHEMBL, formats=()))  # its file of warnings names no target
    known = await fetched(reach.web, target)
    drugs = drugs_in(known)
    missing = known.missing
    if len(drugs) > SHOWN:
        missing += (f"Of {len(drugs)} drugs in ChEMBL the {SHOWN} that came farthest are told.",)
    sheets = (_drug_sheet(target, known, drugs), _warning_sheet(target, known, drugs))
    nothing = (
        f"Nothing found: ChEMBL knows no drug with a mechanism of action on {target.symbol}."
        if known.targets
        else f"Nothing found: ChEMBL has no target for {target.symbol}."
    )
    return target_findings(sheets, nothing=nothing, missing=missing)


def _drug_sheet(target: Target, known: Pharmacology, drugs: Sequence[Drug]) -> Sheet:
    sheet = _sheet(f"ChEMBL: drugs that act on {target.symbol}", target, known)
    for one in known.targets:
        sheet.line(
            f"{one.name} ({one.id}, {one.type.lower()}, human) is a target that contains {target.symbol}"
        )
    if drugs:
        counted = f"with a mechanism of action on {target.symbol}"
        sheet.state(
            Topic.DRUG, f"ChEMBL lists {in_phases(drugs, counted)}", measure="drugs", value=len(drugs)
        )
    sheet.head("Drugs and clinical candidates, the farthest first")
    for drug in drugs[:SHOWN]:
        state_drug(sheet, drug, f"{acting(drug.action, target.symbol)}{_mechanism(known, drug)}")
    _structures(sheet, known, drugs[:ADVANCED])
    return sheet


def _structures(sheet: Sheet, known: Pharmacology, drugs: Sequence[Drug]) -> None:
    """What drugs look like, a line each: no fact, but a citation of a drawing can quote it."""
    smiles = {one.id: one.smiles for one in known.molecules if one.smiles}
    drawn = [drug for drug in drugs if drug.chembl in smiles]
    if drawn:
        sheet.head("Structures of those that came farthest")
    for drug in drawn:
        sheet.line(f"{drug.name} ({drug.chembl}), SMILES: {smiles[drug.chembl]}")


def structures_in(record: str) -> Iterator[tuple[str, str, str]]:
    """Name, SMILES and line of each structure that a record of ChEMBL states."""
    for found in STRUCTURE.finditer(record):
        yield found["name"], found["smiles"], found[0]


def _mechanism(known: Pharmacology, drug: Drug) -> str:
    """The mechanism behind a drug's action, in parentheses, or ""."""
    ours = (one for one in known.mechanisms if (one.molecule, one.action) == (drug.chembl, drug.action))
    named = next((one.mechanism for one in ours), "")
    return f" ({named})" if named else ""


def _warning_sheet(target: Target, known: Pharmacology, drugs: Sequence[Drug]) -> Sheet:
    sheet = _sheet(f"ChEMBL: safety warnings of drugs that act on {target.symbol}", target, known)
    by_id = {drug.chembl: drug for drug in drugs}
    for warning in dict.fromkeys(known.warnings):
        if (drug := by_id.get(warning.molecule)) is not None:
            _warning_fact(sheet, target, drug, warning)
    return sheet


def _warning_fact(sheet: Sheet, target: Target, drug: Drug, warning: SafetyWarning) -> None:
    why = warning.toxicity or warning.description
    verb = "was withdrawn" if warning.type.lower() == "withdrawn" else f"carries a {warning.type.lower()}"
    where = f" in {warning.country}" if warning.country else ""
    when = f" in {warning.year}" if warning.year else ""
    acts = f", {with_article(drug.action)} of {target.symbol}," if drug.action else ""
    acts += SHARED if drug.shared else ""
    says = f"{drug.name} ({drug.chembl}){acts} {verb}{where}{when}{f': {why}' if why else ''}"
    sheet.state(
        Topic.ADVERSE_EVENT,
        says,
        term=why,
        id=drug.chembl,
        change=drug.change,
        shared=drug.shared,
        measure=warning.type.lower(),
    )


def _sheet(title: str, target: Target, known: Pharmacology) -> Sheet:
    page = f"{CHEMBL.page}explore/target/{known.targets[0].id}" if known.targets else CHEMBL.page
    query = target.uniprot or target.symbol
    return Sheet(title, CHEMBL.title, query=query, release=known.release, date=known.date, link=page)


chembl_tool = TargetTool("chembl_drugs", CHEMBL, drugs_and_warnings, (Topic.DRUG, Topic.ADVERSE_EVENT))
