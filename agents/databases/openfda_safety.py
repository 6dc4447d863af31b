"""The tool `drug_labels`: what US labels say of the drugs of a target."""

import re
from collections.abc import Sequence

from agents.counts import listed
from agents.databases.drugs import Drug, acting, apposed
from agents.databases.facts import Topic
from agents.databases.followed import followed
from agents.databases.gtopdb import synonyms_of
from agents.databases.ingredients import spellings
from agents.databases.labels import LabelPassage, Labels
from agents.databases.ndc import Ndc
from agents.databases.openfda import (
    BARRED,
    BOXED,
    COMBINED,
    COMMON_REACTION,
    CONTRAINDICATIONS,
    COURSE,
    OPENFDA,
    WARNS,
    Warned,
    boxed_in,
    common_in,
    contraindicated_in,
    reported_in,
    warned_in,
)
from agents.databases.ports import Reach
from agents.databases.sheet import Sheet, target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked
from agents.errors import ToolFailed

DAILYMED = "https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid="
DRUGS, SHOWN = 5, 12
"""Labels that are read of a target's drugs, and terms that are told of each in each respect."""
LOOKED_UP = 25
"""Drugs of which a loaded label is looked for."""
FORMS = "(?:tablets?|capsules?|injection|solution|suspension)"
LOCAL = re.compile(
    r"intravitreal|\bophthalmic (?:solution|suspension|ointment|use)|\btopical (?:use|application)"
)
"""How a label tells that its drug is given into the eye or on the skin."""
OFTEN = 2
SECTIONS = (
    ("boxed_warning",),
    ("adverse_reactions",),
    ("warnings", "warnings_and_cautions"),
    (CONTRAINDICATIONS,),
)
NO_LABEL, UNDATED = "No US label is at hand of", "No date is known of the US label that was read of"


async def labels_of(reach: Reach, target: Target) -> TargetFindings:
    """What labels say of the approved drugs of a target: loaded ones, else openFDA's. Drugs that bind another
    protein more strongly are read where there are no others. Raises `ToolFailed`.
    """
    if reach.labels is None:
        return unasked(OPENFDA)
    sheets: list[Sheet] = []
    ndc = Ndc(reach.bulk)
    missing: list[str] = []
    without: list[str] = []
    drugs = await followed(reach, target, most=LOOKED_UP, approved=True)
    for drug in drugs:
        if len(sheets) == DRUGS or drug.minor > drugs[0].minor:
            break
        try:
            sheet = await label_of(reach.labels, ndc, target, drug, await synonyms_of(reach.bulk, drug))
        except ToolFailed as error:
            missing.append(f"The US label of {drug.name} is missing: {error}")
        else:
            sheets += [sheet] if sheet else []
            without += [] if sheet else [drug.name]
    undated = [one.source.query for one in sheets if not one.source.release]
    if undated:
        missing.append(f"{UNDATED}: {listed(undated)}. Later warnings may be missing.")
    if sheets and without:
        missing.append(f"{NO_LABEL}: {listed(without[:SHOWN])}.")
    nothing = (
        f"Nothing found: no US label of an approved drug that acts on {target.symbol} is at hand, which does "
        "not say that there is none."
    )
    return target_findings(sheets, nothing=nothing, missing=sorted(missing))


async def label_of(
    labels: Labels, ndc: Ndc, target: Target, drug: Drug, others: Sequence[str] = ()
) -> Sheet | None:
    """The record of the first label of the drug alone, by its name, a brand or another of its names; None
    where there is none.

    Raises `ToolFailed` if the labels cannot be read.
    """
    generic = set(spellings([drug.name, *others]))
    products = [one for name in generic for one in await ndc.of(name) if set(one.ingredients) <= generic]
    names = spellings([drug.name, *others, *(one.brand for one in products)])
    alone = [one for one in await labels.passages(names) if set(one.ingredients) <= set(names)]
    own = of_one(
        [one for one in alone if (one.title, one.set_id) == (alone[0].title, alone[0].set_id)], names
    )
    return label_sheet(target, drug, own) if own else None


def of_one(label: Sequence[LabelPassage], names: Sequence[str]) -> list[LabelPassage]:
    """The passages of a label, without those that name another substance in one tablet with the drug."""
    pair = re.compile(
        rf"\b(?:{'|'.join(map(re.escape, names))})(?: and |/)([a-z]{{5,}}) {FORMS}", re.IGNORECASE
    )
    others = {found.casefold() for one in label for found in pair.findall(one.text)}
    return [one for one in label if not any(other in one.text.casefold() for other in others)]


def label_sheet(target: Target, drug: Drug, label: Sequence[LabelPassage]) -> Sheet:
    """The record of a label, and a fact for each thing that it warns of."""
    title, set_id, effective = label[0].title, label[0].set_id, label[0].effective
    sheet = Sheet(
        f"openFDA: US label of {drug.name} ({title}){f', effective {effective}' if effective else ''}",
        OPENFDA.title,
        query=drug.name,
        release=effective,
        link=f"{DAILYMED}{set_id}" if set_id else "",
    )
    boxed, reactions, warnings, barred = (
        " ".join(one.text for one in label if one.section in names) for names in SECTIONS
    )
    local = len(LOCAL.findall(" ".join(one.text.casefold() for one in label))) >= OFTEN
    acts = f", {apposed(acting(drug.action, target.symbol))},"
    for said in contraindicated_in(barred):
        says = f"The US label of {drug.name}{acts} has as contraindications: {said}"
        sheet.state(
            Topic.ADVERSE_EVENT,
            says,
            id=drug.chembl or drug.name,
            change=drug.change,
            measure=BARRED,
            local=local,
        )
    for warned, says, measure in (
        (boxed_in(boxed), "has a boxed warning", BOXED),
        ((*reported_in(barred), *(warned_in(reactions, warnings) or reported_in(warnings))), "warns", WARNS),
        (common_in(reactions), "names as one of the most common adverse reactions", COMMON_REACTION),
    ):
        for one in warned[:SHOWN]:
            also = " with another medicine, in combination," if one.together else ""
            verbatim = sheet.line(f"Label, verbatim: {one.verbatim}")
            sheet.state(
                Topic.ADVERSE_EVENT,
                f"The US label of {drug.name}{acts}{also} {says}{_of(one, measure)}",
                verbatim,
                term=one.term,
                id=drug.chembl or drug.name,
                change=drug.change,
                shared=drug.shared,
                local=local,
                measure=COMBINED if one.together else measure,
            )
            if one.course:
                told = f"of {one.term} the US label of {drug.name}{acts} says: “{one.course.rstrip('.')}”"
                verbatim = sheet.line(f"Label, verbatim: {one.course}")
                sheet.state(
                    Topic.ADVERSE_EVENT,
                    told,
                    verbatim,
                    id=drug.chembl or drug.name,
                    change=drug.change,
                    measure=COURSE,
                )
    return sheet


def _of(warned: Warned, measure: str) -> str:
    if warned.term == warned.verbatim:
        return f": {warned.verbatim}"
    return f" {warned.term}" if measure == COMMON_REACTION else f" of {warned.term}"


drug_labels_tool = TargetTool("drug_labels", OPENFDA, labels_of, (Topic.ADVERSE_EVENT,))
