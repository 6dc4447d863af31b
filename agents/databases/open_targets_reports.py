"""The tool `open_targets_drugs`: drugs of a target as facts, with what is warned of them."""

from agents.databases.drugs import SHARED, acting, apposed, in_phases, state_drug
from agents.databases.facts import Topic
from agents.databases.open_targets import OPEN_TARGETS
from agents.databases.open_targets_drugs import KnownDrugs, known_drugs
from agents.databases.ports import Reach
from agents.databases.sheet import Sheet, target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked

SHOWN = 25
"""Drugs that are told one by one."""


async def drugs_and_cautions(reach: Reach, target: Target) -> TargetFindings:
    """What Open Targets says of a target's drugs. Raises `ToolFailed`."""
    if (known := await known_drugs(reach, target)) is None:
        return unasked(OPEN_TARGETS)
    missing = known.missing
    if len(known.drugs) > SHOWN:
        missing += (f"Of {len(known.drugs)} drugs in Open Targets the {SHOWN} that came farthest are told.",)
    return target_findings(
        (_drug_sheet(target, known),),
        nothing=f"Nothing found: {known.edition.asked} lists no drug of {target.symbol}.",
        missing=missing,
    )


def _drug_sheet(target: Target, known: KnownDrugs) -> Sheet:
    sheet = known.edition.sheet(f"drugs of {target.symbol}", target.symbol)
    drugs = [one.drug for one in known.drugs]
    if len(drugs) > 1:
        says = f"Open Targets lists {in_phases(drugs, f'for {target.symbol}')}"
        sheet.state(Topic.DRUG, says, measure="drugs", value=len(drugs))
    for one in known.drugs[:SHOWN]:
        drug = one.drug
        acts = acting(drug.action, target.symbol, "is a drug or clinical candidate for")
        state_drug(sheet, drug, acts)
        for caution, toxicity in one.cautions:
            also = SHARED if drug.shared else ""
            says = f"{drug.name} ({drug.chembl}), {apposed(acts)}{also}: {caution}"
            says += f" for {toxicity}" if toxicity else ""
            sheet.state(
                Topic.ADVERSE_EVENT if toxicity else Topic.DRUG,
                says,
                term=toxicity,
                id=drug.chembl,
                change=drug.change,
                shared=drug.shared,
                measure="warning",
            )
    return sheet


open_targets_drugs_tool = TargetTool(
    "open_targets_drugs", OPEN_TARGETS, drugs_and_cautions, (Topic.DRUG, Topic.ADVERSE_EVENT)
)
