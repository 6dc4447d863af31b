"""The tool `drug_labels`: what US labels say of the drugs of a target."""

import asyncio

from agents.databases.drugs import Drug, with_article
from agents.databases.facts import Topic
from agents.databases.followed import followed
from agents.databases.openfda import OPENFDA, Label, Warned, label_request, parse_label, updated
from agents.databases.ports import Reach, Web, WebReply
from agents.databases.sheet import Sheet, target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked
from agents.errors import ToolFailed

DRUGS, SHOWN = 5, 12
"""Approved drugs that are asked about, and terms that are told of each in each respect."""


async def labels_of(reach: Reach, target: Target) -> TargetFindings:
    """What labels say of the approved drugs of a target. Raises `ToolFailed`."""
    if reach.web is None:
        return unasked(OPENFDA)
    web, missing = reach.web, []
    drugs = await followed(reach, target, most=DRUGS, approved=True)

    async def one(drug: Drug) -> Sheet | None:
        try:
            return await label_of(web, target, drug)
        except ToolFailed as error:
            missing.append(f"The US label of {drug.name} is missing: {error}")
            return None

    sheets = await asyncio.gather(*map(one, drugs))
    nothing = f"Nothing found: openFDA has no US label of an approved drug that acts on {target.symbol}."
    return target_findings(filter(None, sheets), nothing=nothing, missing=sorted(missing))


async def label_of(web: Web, target: Target, drug: Drug) -> Sheet | None:
    """The record of a drug's label; None where there is none. Raises `ToolFailed`."""
    reply = await web.fetch(label_request(drug))
    label = None if reply is None else parse_label(reply, drug)
    return None if label is None or reply is None else label_sheet(target, drug, label, reply)


def label_sheet(target: Target, drug: Drug, label: Label, reply: WebReply) -> Sheet:
    """The record of a label, and a fact for each thing that it warns of."""
    day = f", effective {label.effective}" if label.effective else ""
    brand = f" ({label.brand})" if label.brand else ""
    sheet = Sheet(
        f"openFDA: US label of {drug.name}{brand}{day}",
        OPENFDA.title,
        query=drug.name,
        release=label.effective or updated(reply),
        date=reply.date,
        link=f"https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid={label.set_id}",
    )
    acts = f", {with_article(drug.action)} of {target.symbol}," if drug.action else f" (for {target.symbol})"
    for warned, says, measure in (
        (label.boxed, "has a boxed warning", "boxed warning"),
        (label.discussed, "warns", "label warning"),
        (label.common, "names as one of the most common adverse reactions", "common adverse reaction"),
    ):
        for one in warned[:SHOWN]:
            verbatim = sheet.line(f"Label, verbatim: {one.verbatim}") if one.verbatim else ""
            sheet.state(
                Topic.ADVERSE_EVENT,
                f"The US label of {drug.name}{acts} {says}{_of(one, measure)}",
                verbatim,
                term=one.term,
                id=drug.chembl,
                change=drug.change,
                shared=drug.shared,
                measure=measure,
            )
    return sheet


def _of(warned: Warned, measure: str) -> str:
    if not warned.term:
        return f": {warned.verbatim}"
    return f" {warned.term}" if measure == "common adverse reaction" else f" of {warned.term}"


drug_labels_tool = TargetTool(
    "drug_labels",
    "Boxed warnings, warnings and most common adverse reactions in US labels of the approved drugs that "
    "act on a target, from openFDA.",
    OPENFDA,
    labels_of,
    (Topic.ADVERSE_EVENT,),
)
