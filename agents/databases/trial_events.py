"""The tool `clinical_trials`: what studies of a target's drugs report, with counts and denominators."""

import asyncio
import re
from collections.abc import Sequence

from agents.databases.clinical_trials import (
    TRIALS,
    Affected,
    Arm,
    Event,
    Trial,
    parse_studies,
    results_request,
    stopped_request,
)
from agents.databases.drugs import Drug, plain_name, with_article
from agents.databases.facts import Topic
from agents.databases.followed import followed
from agents.databases.ports import Reach, Web, WebReply, WebRequest
from agents.databases.sheet import Sheet, target_findings
from agents.databases.target import Target
from agents.databases.target_tool import TargetFindings, TargetTool, unasked
from agents.errors import ToolFailed

SERIOUS, OTHER = 6, 8
"""Events of a study that are told: those in which the arm with the drug stands out most."""
SERIOUS_BEYOND, OTHER_BEYOND = 1.0, 2.0
"""Percentage points by which an event has to be more frequent with the drug than in the other arm."""
SAFETY = re.compile(
    r"safet|toxic|adverse|side effect|tolerab|hepat|liver|cardi|death|bleed|haemorr|hemorr|risk|harm|DSMB",
    re.IGNORECASE,
)
SHARE = "participants affected"


async def trials_of(reach: Reach, target: Target) -> TargetFindings:
    """The studies of the drugs that came farthest. Raises `ToolFailed`."""
    if (web := reach.web) is None:
        return unasked(TRIALS)
    drugs = await followed(reach, target)
    answers = await asyncio.gather(*(_studies(web, target, drug) for drug in drugs))
    sheets = [sheet for found, _ in answers for sheet in found]
    missing = [fault for _, faults in answers for fault in faults]
    nothing = f"Nothing found: no drug of {target.symbol} has a study with results at {TRIALS.title}."
    return target_findings(sheets, nothing=nothing, missing=missing)


async def _studies(web: Web, target: Target, drug: Drug) -> tuple[list[Sheet], list[str]]:
    """The records of a drug's studies, and sentences on what could not be read."""
    sheets: dict[str, Sheet] = {}
    missing: list[str] = []
    for request in (results_request(drug), stopped_request(drug)):
        try:
            for study, reply in await _asked(web, request, drug):
                if study.nct not in sheets:
                    sheets[study.nct] = study_sheet(target, drug, study, reply)
        except ToolFailed as error:
            missing.append(f"Studies of {drug.name} are missing: {error}")
    return list(sheets.values()), missing


async def _asked(web: Web, request: WebRequest, drug: Drug) -> list[tuple[Trial, WebReply]]:
    """The studies that give the drug. Raises `ToolFailed` if there are others only."""
    if (reply := await web.fetch(request)) is None:
        return []
    found = parse_studies(reply)
    ours = [study for study in found if study.gives(drug)]
    if found and not ours:
        raise ToolFailed(f"{TRIALS.title} replied with studies of other drugs; they are not used.")
    return [(study, reply) for study in ours]


def study_sheet(target: Target, drug: Drug, study: Trial, reply: WebReply) -> Sheet:
    """The record of a study, with facts on those who got the drug. It has none if nothing is reported."""
    sheet = Sheet(
        f"{TRIALS.title}: {study.nct}, {study.title}",
        TRIALS.title,
        query=drug.name,
        release=reply.release,
        date=reply.date,
        link=f"https://clinicaltrials.gov/study/{study.nct}",
    )
    arm, other = arms_of(study, drug)
    stopped = bool(study.why_stopped and SAFETY.search(study.why_stopped))
    if arm is None and not stopped:
        return sheet
    _about(sheet, target, drug, study)
    if stopped:
        _stopped(sheet, drug, study)
    if arm is not None:
        _totals(sheet, drug, study, arm, other)
        for serious, most in ((True, SERIOUS), (False, OTHER)):
            for event in standing_out(study, arm, other, serious=serious)[:most]:
                _event(sheet, drug, study, event, arm, other)
    return sheet


def arms_of(study: Trial, drug: Drug) -> tuple[Arm | None, Arm | None]:
    """The largest arm that got the drug, and the largest that did not. Of a single arm all got it."""
    name = plain_name(drug.name)
    ours = [arm for arm in study.arms if arm.gets(name)]
    others = [arm for arm in study.arms if arm.lacks(name)]
    if len(study.arms) == 1:
        return study.arms[0], None
    return _largest(study, ours), _largest(study, others) if ours else None


def standing_out(study: Trial, arm: Arm, other: Arm | None, *, serious: bool) -> list[Event]:
    """Events of those who got the drug, those first that are most frequent beyond the other arm.

    What is hardly more frequent than in the other arm says nothing of the drug and is left out; so is what is
    that rare where there is no other arm.
    """
    had: list[tuple[float, Event]] = []
    for event in study.events:
        if event.serious is serious and (found := event.of(arm)) is not None:
            beside = event.of(other)
            had.append((found.share - (0.0 if beside is None else beside.share), event))
    beyond = [one for one in had if one[0] >= (SERIOUS_BEYOND if serious else OTHER_BEYOND)]
    return [event for _, event in sorted(beyond, key=lambda one: (-one[0], one[1].term))]


def _about(sheet: Sheet, target: Target, drug: Drug, study: Trial) -> None:
    acts = f", {with_article(drug.action)} of {target.symbol}," if drug.action else f" (for {target.symbol})"
    phase = f"{with_article(study.phase)} study" if study.phase else "a study"
    enrolled = f" with {study.enrolment} participants" if study.enrolment else ""
    ill = f" in {', '.join(study.conditions[:3])}" if study.conditions else ""
    sheet.state(
        Topic.TRIAL,
        f"{study.nct} is {phase} of {drug.name}{acts}{enrolled}{ill}; status: {study.status}",
        term=drug.name,
        id=study.nct,
        change=drug.change,
        shared=drug.shared,
        measure="participants",
        value=study.enrolment,
    )


def _stopped(sheet: Sheet, drug: Drug, study: Trial) -> None:
    sheet.state(
        Topic.TRIAL,
        f"{study.nct} of {drug.name} was stopped ({study.status}), and its sponsor says why: "
        f"{study.why_stopped}",
        term=study.why_stopped,
        id=study.nct,
        change=drug.change,
        shared=drug.shared,
        measure="stopped study",
    )


def _totals(sheet: Sheet, drug: Drug, study: Trial, arm: Arm, other: Arm | None) -> None:
    for what, found, beside in (
        ("a serious adverse event", arm.serious, other.serious if other else None),
        ("died", arm.deaths, other.deaths if other else None),
    ):
        if found is not None:
            had = what if what == "died" else f"had {what}"
            sheet.state(
                Topic.TRIAL,
                f"In {study.nct}, {found.words} of the arm {arm.title} {had}{_versus(beside, other)}",
                term=what,
                id=study.nct,
                change=drug.change,
                shared=drug.shared,
                measure=SHARE,
                value=round(found.share, 1),
                unit="%",
            )


def _event(sheet: Sheet, drug: Drug, study: Trial, event: Event, arm: Arm, other: Arm | None) -> None:
    found = event.of(arm)
    assert found is not None
    kind = "serious adverse event" if event.serious else "adverse event"
    organ = f" ({event.organ})" if event.organ else ""
    sheet.state(
        Topic.ADVERSE_EVENT,
        f"In {study.nct}, {found.words} of the arm {arm.title} had the {kind} {event.term}{organ}"
        f"{_versus(event.of(other), other)}",
        term=event.term,
        id=study.nct,
        change=drug.change,
        shared=drug.shared,
        measure=f"{SHARE} by a {kind}" if event.serious else f"{SHARE} by an {kind}",
        value=round(found.share, 1),
        unit="%",
    )


def _versus(beside: Affected | None, other: Arm | None) -> str:
    return (
        f", and {beside.words} of the arm {other.title}" if beside is not None and other is not None else ""
    )


def _largest(study: Trial, arms: Sequence[Arm]) -> Arm | None:
    def size(arm: Arm) -> tuple[int, str]:
        known = [found.at_risk for found in (arm.serious, arm.deaths) if found is not None]
        known += [found.at_risk for event in study.events if (found := event.of(arm)) is not None]
        return (-max(known, default=0), arm.id)

    return min(arms, key=size, default=None)


clinical_trials_tool = TargetTool("clinical_trials", TRIALS, trials_of, (Topic.TRIAL, Topic.ADVERSE_EVENT))
