"""The tool `open_targets_drugs`: drugs of a target as facts, with what is warned of and reported of them."""

from agents.counts import number_of
from agents.databases.drugs import ADVANCED, SHARED, acting, apposed, in_phases, state_drug, with_article
from agents.databases.facts import Topic
from agents.databases.open_targets import OPEN_TARGETS
from agents.databases.open_targets_drugs import KnownDrug, KnownDrugs, Reported, known_drugs
from agents.databases.ports import Reach
from agents.databases.reactions import LEFT_OUT
from agents.databases.sheet import Sheet, target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked

SHOWN, EVENTS = 25, 15
"""Drugs that are told one by one, and reported events that are told of a drug."""


def analysis(target: Target, known: KnownDrugs) -> TargetFindings:
    """A record of the drugs, and one for each of the farthest of which events are reported."""
    sheets = [_drug_sheet(target, known)]
    reported = [one for one in known.drugs if one.reported][:ADVANCED]
    sheets += [_report_sheet(target, known, one) for one in reported]
    missing = known.missing
    if len(known.drugs) > SHOWN:
        missing += (f"Of {len(known.drugs)} drugs in Open Targets the {SHOWN} that came farthest are told.",)
    return target_findings(
        sheets,
        nothing=f"Nothing found: {known.where.asked} lists no drug of {target.symbol}.",
        missing=missing,
    )


def _drug_sheet(target: Target, known: KnownDrugs) -> Sheet:
    sheet = known.where.sheet(f"Open Targets: drugs of {target.symbol}", target)
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


def _report_sheet(target: Target, known: KnownDrugs, one: KnownDrug) -> Sheet:
    drug = one.drug
    acts = f"{with_article(drug.action)} of" if drug.action else "a drug for"
    title = f"Open Targets: adverse events reported for {drug.name}, {acts} {target.symbol}"
    sheet = known.where.sheet(title, target)
    sheet.line("Spontaneous reports to FAERS: they show no cause, and their number is no frequency")
    sheet.line(LEFT_OUT)
    for event in one.reported[:EVENTS]:
        _reported_fact(sheet, one, event)
    return sheet


def _reported_fact(sheet: Sheet, one: KnownDrug, event: Reported) -> None:
    says = (
        f"{event.event} is reported to FAERS with {one.drug.name} significantly often "
        f"({number_of(event.reports, 'report')}, log-likelihood ratio {event.ratio:.1f} above the "
        f"critical value {event.critical:.1f})"
    )
    sheet.state(
        Topic.ADVERSE_EVENT,
        says,
        term=event.event,
        change=one.drug.change,
        shared=one.drug.shared,
        measure="log-likelihood ratio of reports",
        value=round(event.ratio, 1),  # as the sentence says it
    )


async def drugs_and_reports(reach: Reach, target: Target) -> TargetFindings:
    """What Open Targets says of a target's drugs. Raises `ToolFailed`."""
    found = await known_drugs(reach, target)
    return unasked(OPEN_TARGETS) if found is None else analysis(target, found)


open_targets_drugs_tool = TargetTool(
    "open_targets_drugs",
    "Drugs and clinical candidates of a target, their boxed warnings and withdrawals, and the adverse "
    "events that are reported for them to FAERS significantly often, from Open Targets.",
    OPEN_TARGETS,
    drugs_and_reports,
    (Topic.DRUG, Topic.ADVERSE_EVENT),
)
