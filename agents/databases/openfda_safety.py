"""The tools `drug_labels` and `faers_reports`: what US labels and FAERS say of the drugs of a target."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from agents.databases.drugs import Drug, with_article
from agents.databases.facts import Topic
from agents.databases.followed import followed
from agents.databases.openfda import (
    OPENFDA,
    Label,
    Warned,
    label_request,
    parse_label,
    parse_reactions,
    parse_total,
    reactions_request,
    reports_request,
    updated,
)
from agents.databases.ports import Reach, Web, WebReply
from agents.databases.reactions import LEFT_OUT
from agents.databases.sheet import Sheet, told
from agents.databases.target import Target
from agents.databases.target_tool import TargetArguments, Told, target_tool, unasked
from agents.databases.targets import Targets
from agents.errors import ToolFailed
from agents.tools.tool import Tool

DRUGS, SHOWN = 5, 12
"""Approved drugs that are asked about, and terms that are told of each in each respect."""

About = Callable[[Web, Target, Drug], Awaitable[Sheet | None]]


def drug_labels_tool(reach: Reach, targets: Targets) -> Tool[TargetArguments]:
    """The tool `drug_labels`."""

    async def ask(target: Target) -> Told:
        return await of_drugs(reach, target, label_of, "US label")

    return target_tool(
        "drug_labels",
        "Boxed warnings, warnings and most common adverse reactions in US labels of the approved drugs that "
        "act on a target, from openFDA.",
        OPENFDA,
        reach,
        targets,
        ask,
        (Topic.ADVERSE_EVENT,),
    )


def faers_reports_tool(reach: Reach, targets: Targets) -> Tool[TargetArguments]:
    """The tool `faers_reports`."""

    async def ask(target: Target) -> Told:
        return await of_drugs(reach, target, reports_of, "report to FAERS")

    return target_tool(
        "faers_reports",
        "Reactions that are reported most to FAERS for the approved drugs that act on a target, with counts, "
        "from openFDA. Reports show no cause, and their number is no frequency.",
        OPENFDA,
        reach,
        targets,
        ask,
        (Topic.ADVERSE_EVENT,),
    )


async def of_drugs(reach: Reach, target: Target, about: About, what: str) -> Told:
    """What is told of the approved drugs of a target. Raises `ToolFailed`."""
    if reach.web is None:
        return unasked(OPENFDA)
    web, missing = reach.web, []
    drugs = await followed(reach, target, most=DRUGS, approved=True)

    async def one(drug: Drug) -> Sheet | None:
        try:
            return await about(web, target, drug)
        except ToolFailed as error:
            missing.append(f"The {what} of {drug.name} is missing: {error}")
            return None

    sheets = await asyncio.gather(*map(one, drugs))
    nothing = f"Nothing found: openFDA has no {what} of an approved drug that acts on {target.symbol}."
    return told(filter(None, sheets), nothing=nothing, missing=sorted(missing))


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


async def reports_of(web: Web, target: Target, drug: Drug) -> Sheet | None:
    """The record of the reports on a drug; None where there are none. Raises `ToolFailed`."""
    counted, all_ = await asyncio.gather(web.fetch(reactions_request(drug)), web.fetch(reports_request(drug)))
    if counted is None:
        return None
    total = None if all_ is None else parse_total(all_)
    return reports_sheet(target, drug, parse_reactions(counted), total, counted)


def reports_sheet(
    target: Target, drug: Drug, reactions: Sequence[tuple[str, int]], total: int | None, reply: WebReply
) -> Sheet:
    """The record of the reactions that are reported most, and a fact for each."""
    sheet = Sheet(
        f"openFDA: reports to FAERS on {drug.name}",
        OPENFDA.title,
        query=drug.name,
        release=updated(reply),
        date=reply.date,
        link=reply.url,
    )
    acts = f", {with_article(drug.action)} of {target.symbol}" if drug.action else f" (for {target.symbol})"
    sheet.line("Spontaneous reports: they show no cause, and their number is no frequency")
    sheet.line(LEFT_OUT)
    for term, count in reactions[:SHOWN]:
        of = f" of {total} reports" if total is not None and total >= count else " reports"
        sheet.state(
            Topic.ADVERSE_EVENT,
            f"{count}{of} to FAERS that name {drug.name}{acts}, name {term}",
            term=term,
            id=drug.chembl,
            change=drug.change,
            shared=drug.shared,
            measure="reports to FAERS",
            value=count,
        )
    return sheet
