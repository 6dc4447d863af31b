"""Protocols designed by two minds: a language model over the templates, or rules.

A model writes headings, then part by part, seeing all headings and the parts before in full. One review
reads all parts with the design table and the tasks; what it finds goes back to exactly the parts that it
touches, and only the steps that it names are written anew. A wish of somebody is followed the same way.
"""

import asyncio
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Literal

from pydantic import BaseModel, Field

from agents.data_block import data_block
from agents.errors import ModelError
from agents.json_answers import at_most
from agents.minds.critic import Review
from agents.minds.minded import fallback_note, minded
from agents.ports import LanguageModel
from agents.protocol.decide import described
from agents.protocol.design import PACKED, design, kind_of
from agents.protocol.guard import refused
from agents.protocol.judge import REFERABLE
from agents.protocol.minds import asked, reviewed, told
from agents.protocol.reader import part_text
from agents.protocol.study import Study, differences
from agents.protocol.values import (
    Dataset,
    DryTask,
    ExperimentReport,
    Objective,
    Protocol,
    ProtocolPart,
    ProtocolStep,
    TaskFile,
)
from agents.protocol.whose import origin_of
from agents.reports.origins import origin_faults
from agents.trust.support import Support

PARTS, FINDINGS, TASKS = 10, 20, 5
SAY_AIMS = "Say what is to be done, or mark a value as an aim: should, at least, at most, expected."


class OneHeading(BaseModel):
    """A heading of the protocol."""

    id: str = Field(pattern=r"^[a-z][a-z0-9-]{1,40}$")
    heading: str
    rationale: str
    needs: list[str] = Field(default=[], json_schema_extra=at_most(PARTS))
    follows: list[str] = Field(default=[], json_schema_extra=at_most(PARTS))


class Headings(BaseModel):
    """The headings of the protocol."""

    headings: list[OneHeading] = Field(min_length=1, json_schema_extra=at_most(PARTS))


class OneDetail(BaseModel):
    """A step of the protocol."""

    text: str
    follows: list[str] = Field(default=[], json_schema_extra=at_most(4))


class Details(BaseModel):
    """The steps of a part."""

    steps: list[OneDetail] = Field(min_length=1, json_schema_extra=at_most(15))


class OneChange(OneDetail):
    """A change of one step by its number: `after` puts a new one behind it, 0 at the beginning."""

    step: int = Field(ge=0)
    what: Literal["replace", "after", "drop"] = "replace"
    text: str = ""


class Changes(BaseModel):
    """The changes of a part."""

    changes: list[OneChange] = Field(min_length=1, json_schema_extra=at_most(15))


class OneTask(BaseModel):
    """A task that a program can do: the part that it belongs to, and what it reads."""

    id: str = Field(pattern=r"^[a-z][a-z0-9-]{1,40}$")
    section: str
    description: str
    files: list[str] = Field(min_length=1, json_schema_extra=at_most(4))
    after: list[str] = Field(default=[], json_schema_extra=at_most(TASKS))


class Tasks(BaseModel):
    """The tasks of a protocol beside those of tested programs."""

    tasks: list[OneTask] = Field(default=[], json_schema_extra=at_most(TASKS))


class OneFinding(BaseModel):
    """What is wrong in a part, by its id; `step` is the number of a step, 0 for the part as a whole."""

    part: str
    step: int = 0
    text: str


class Findings(BaseModel):
    """What is wrong in a protocol as a whole."""

    findings: list[OneFinding] = Field(default=[], json_schema_extra=at_most(FINDINGS))


async def designed(
    model: LanguageModel | None,
    objective: Objective,
    reports: tuple[ExperimentReport, ...],
    datasets: tuple[Dataset, ...],
    study: Study,
    wishes: tuple[str, ...] = (),
) -> Protocol:
    """The protocol by the model, over that of the templates; by these alone without one."""

    async def by_rules() -> Protocol:
        return await asyncio.to_thread(design, objective, reports, datasets, study)

    async def by_model(mind: LanguageModel) -> Protocol:
        designer = _Designer(mind, objective, reports, datasets, await by_rules(), "\n".join(wishes))
        return await designer.protocol()

    made = await minded(model, by_model, by_rules)
    note = fallback_note("the design", made.why_fallen_back)
    return replace(made.value, notes=(*made.value.notes, *((note,) if note else ())))


class _Designer:
    """Headings, then steps part by part, then one review of all of it. `ruled` is the protocol by rules."""

    def __init__(
        self,
        mind: LanguageModel,
        objective: Objective,
        reports: Sequence[ExperimentReport],
        datasets: Sequence[Dataset],
        ruled: Protocol,
        wishes: str,
    ) -> None:
        self.mind, self.ruled, self.wishes = mind, ruled, wishes
        self.published = {
            part.steps[0].id.rpartition(".")[0]: part
            for report in reports
            for part in report.parts
            if part.steps and part.referable >= REFERABLE
        }
        self.known = {step.id: step for part in self.published.values() for step in part.steps}
        self.datasets = [one for one in datasets if one.usable]
        told = "\n".join(map(described, self.datasets)) or "None is at hand."
        usable = data_block(told, kind="datasets")
        self.given: tuple[str, ...] = (*basis(objective, ruled.study), usable)
        self.notes: list[str] = []
        self.steps: dict[str, list[OneDetail]] = {}

    async def protocol(self) -> Protocol:
        """The protocol. Raises `ModelError`."""
        headings = await self._headings()
        listed = "\n".join(f"{one.id}: {one.heading}" for one in headings)
        self.given = (*self.given, data_block(listed, kind="headings"))
        for heading in headings:
            self.steps[heading.id] = await self._part(heading, headings)
        own: tuple[DryTask, ...] = ()
        try:
            await self._together(headings)
            own = await self._tasks(headings)
        except ModelError as error:
            self.notes.append(f"The review of all parts together ended early ({error.clause}).")
        parts = tuple(map(self._taken, headings))
        tasks = tuple(replace(one, section=_nearest(one.section, parts)) for one in (*self.ruled.tasks, *own))
        return replace(self.ruled, parts=parts, tasks=tasks, by=self.mind.name, notes=tuple(self.notes))

    async def _headings(self) -> list[OneHeading]:
        template = "\n".join(f"{one.id}: {one.heading}. {one.rationale}" for one in self.ruled.parts)
        published = (
            data_block(f"{one.heading.rstrip('.')}. {one.reason}", id=key)
            for key, one in self.published.items()
        )
        blocks = (*self.given, *published, data_block(template, kind="template"))
        stage = "the headings of a protocol"
        made = await reviewed(self.mind, "headings", stage, blocks, Headings, _twice, self.wishes)
        self.notes += made.notes
        return made.value.headings

    async def _part(self, heading: OneHeading, headings: Sequence[OneHeading]) -> list[OneDetail]:
        template = self._template(heading.id)
        shown = "\n".join(one.text for one in template.steps) if template else ""
        follows = [one for one in heading.follows if one in self.published]
        blocks = (
            *self.given,
            *self._written(headings),
            data_block(f"{heading.heading}. {heading.rationale}", kind="this part"),
            *(sources := [data_block(part_text(self.published[one]), id=one) for one in follows]),
            *([data_block(shown, kind="template")] if shown else ()),
        )
        own = {"heading": heading.heading}
        drafted = await asked(self.mind, "details", blocks, Details, self.wishes, **own)
        draft = data_block(drafted.model_dump_json(), kind="draft")
        stage = f"the part “{heading.heading}” of a protocol"
        points = wrong_steps(self.known, self.ruled.study, drafted.steps)
        try:
            review = await asked(self.mind, "reviewer", (*blocks, draft), Review, stage=stage)
            points += review.points if review.verdict == "revise" else ()
            blocks = (*self.given, *sources)
            return await self._mended(heading, blocks, drafted.steps, points) if points else drafted.steps
        except ModelError as error:
            self.notes.append(f"The review of {stage} ended early ({error.clause}).")
            return drafted.steps

    async def _mended(
        self, heading: OneHeading, blocks: Sequence[str], steps: list[OneDetail], points: Sequence[str]
    ) -> list[OneDetail]:
        """The steps of a part, those that some points touch written anew. Raises `ModelError`."""
        told = (self.mind, blocks, heading.heading, steps, points, self.ruled.study, self.known)
        made, notes = await mended(*told)
        self.notes += notes
        return made

    async def _together(self, headings: Sequence[OneHeading]) -> None:
        """Review all parts at once, and mend those in which something is wrong. Raises `ModelError`."""
        found = await asked(self.mind, "whole", self._whole(headings), Findings)
        points = defaultdict[str, list[str]](list)
        for one in found.findings:
            points[one.part].append(f"Step {one.step}: {one.text}" if one.step else one.text)
        for heading in (one for one in headings if points[one.id]):
            stood = self.steps[heading.id]
            self.steps[heading.id] = await self._mended(heading, self.given, stood, points[heading.id])

    async def _tasks(self, headings: Sequence[OneHeading]) -> tuple[DryTask, ...]:
        """The tasks for programs that are still to be written, over tables at hand. Raises `ModelError`."""
        if not any(one.files for one in self.datasets):
            return ()

        def wrong(value: Tasks) -> list[str]:
            return wrong_steps({}, Study(), [OneDetail(text=one.description) for one in value.tasks])

        made = (await reviewed(self.mind, "tasks", "", self._whole(headings), Tasks, wrong)).value
        of = {file.name: one for one in self.datasets for file in one.files if file.kind != PACKED}
        ruled = {one.id for one in self.ruled.tasks}
        able = {_task_id(one.id): one for one in made.tasks if {*one.files} <= {*of}}
        kept = {name: one for name, one in able.items() if name not in ruled}
        return tuple(
            DryTask(
                name,
                one.description,
                "",
                tuple(TaskFile(file, kind_of(file)) for file in one.files),
                tuple(after for after in map(_task_id, one.after) if after in ruled or after in kept),
                of[one.files[0]],
                section=one.section,
            )
            for name, one in kept.items()
        )

    def _whole(self, headings: Sequence[OneHeading]) -> list[str]:
        """All of the protocol, with the tasks of tested programs."""
        tasks = "\n".join(
            f"{one.id} in {one.section}: {one.description}. {one.parameters}" for one in self.ruled.tasks
        )
        return [*self.given, *self._written(headings), data_block(tasks or "None.", kind="tasks")]

    def _written(self, headings: Sequence[OneHeading]) -> list[str]:
        """All parts as far as they are written, in full."""
        return [
            data_block(f"{one.heading}\n{_numbered(self.steps[one.id])}", part=one.id)
            for one in headings
            if one.id in self.steps
        ]

    def _template(self, name: str) -> ProtocolPart | None:
        return next((part for part in self.ruled.parts if part.id == name), None)

    def _taken(self, heading: OneHeading) -> ProtocolPart:
        """A part with its steps, proposed, each with the steps of articles that it follows, verbatim."""
        steps: list[ProtocolStep] = []
        for one in self.steps[heading.id]:
            known = [self.known[key] for key in one.follows if key in self.known]
            own = ProtocolStep(one.text, follows=tuple(each.id for each in known))
            steps += [own, *(ProtocolStep(each.text, (each.id,)) for each in known)]
        template = self._template(heading.id)
        before = list(self.steps)[: list(self.steps).index(heading.id)]
        return ProtocolPart(
            heading.id,
            heading.heading,
            heading.rationale,
            tuple(steps),
            template.family if template else "",
            tuple(one for one in before if one in heading.needs),
            self.mind.name,
        )


def basis(objective: Objective, study: Study) -> tuple[str, str]:
    """What every call about a protocol is shown first."""
    return told(objective), data_block(study.told or "No groups are compared.", kind="design table")


async def mended(
    mind: LanguageModel,
    blocks: Sequence[str],
    heading: str,
    steps: Sequence[OneDetail],
    points: Sequence[str],
    study: Study,
    known: Collection[str],
) -> tuple[list[OneDetail], tuple[str, ...]]:
    """The steps of a part after some points of a review, or a wish, and notes of the review. Those that
    nothing touches stay. Raises `ModelError`.
    """
    shown = (
        *blocks,
        data_block(_numbered(steps), kind="the steps as they stand"),
        data_block("\n".join(points), kind="what to change"),
    )

    def wrong(value: Changes) -> list[str]:
        far = [
            one.step
            for one in value.changes
            if one.step > len(steps) or not (one.step or one.what == "after")
        ]
        missing = [f"There is no step {one}." for one in far]
        return missing + wrong_steps(known, study, [one for one in value.changes if one.what != "drop"])

    made = await reviewed(mind, "mend", "", shown, Changes, wrong, heading=heading)
    return changed(steps, made.value.changes), made.notes


def changed(steps: Sequence[OneDetail], changes: Sequence[OneChange]) -> list[OneDetail]:
    """Steps after some changes. What an article did stays with a step that is written anew."""
    places: dict[int, list[OneDetail]] = {0: [], **{n: [one] for n, one in enumerate(steps, start=1)}}
    for one in sorted(changes, key=lambda each: each.what == "after"):
        stood = [key for each in places.get(one.step, ()) for key in each.follows if one.what == "replace"]
        new = [OneDetail(text=one.text, follows=one.follows or stood)] if one.what != "drop" else []
        if one.step in places:
            places[one.step] = [*places[one.step], *new] if one.what == "after" else new
    return [one for place in places.values() for one in place]


def wrong_steps(known: Collection[str], study: Study, steps: Sequence[OneDetail]) -> list[str]:
    """Steps of articles that there are not, clauses that the gate would strike, and another design."""
    unknown = {key for one in steps for key in one.follows if key not in known}
    texts = [one.text for one in steps]
    own, nothing = origin_of("model"), Support(())
    findings = [fault.value for one in texts for fault in origin_faults(one, own, (), nothing)]
    return [
        *(f"There is no report step {key}." for key in sorted(unknown)),
        *(f"“{one}” reads as a finding and would not be shown. {SAY_AIMS}" for one in findings),
        *(f"“{one}” would be left out. {why}" for one in texts if (why := refused(one))),
        *(told for one in texts for told in differences(study, one)),
    ]


def _task_id(name: str) -> str:
    return f"task-{name.removeprefix('task-')}"


def _twice(value: Headings) -> list[str]:
    ids = [one.id for one in value.headings]
    return [f"The id {one} stands twice." for one in sorted({one for one in ids if ids.count(one) > 1})]


def _numbered(steps: Sequence[OneDetail]) -> str:
    told = (" ".join((one.text, *(f"[{key}]" for key in one.follows))) for one in steps)
    return "\n".join(f"{number}. {one}" for number, one in enumerate(told, start=1))


def _nearest(section: str, parts: Sequence[ProtocolPart]) -> str:
    """The part that a task belongs to: that of its id, else the last one."""
    ids = [one.id for one in parts]
    return section if section in ids else ids[-1]
