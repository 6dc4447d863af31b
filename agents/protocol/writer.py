"""Protocols designed by two minds: a language model over the templates, or rules.

A model plans over the design table: headings, which of them measures what the verdict asks for and has which
control, what passes between them and how much, and what else several need. Code holds the plan together. Then
it writes part by part, seeing all that and the parts before in full. A review reads all parts against table
and plan, with the tasks and what rules found; the steps that it names are written anew with all parts in
view, until it finds nothing. Citations stand where a last look says what they give. A wish of somebody for
one part is followed the same way.
"""

import asyncio
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from pydantic import BaseModel, Field

from agents.data_block import data_block
from agents.errors import ModelError
from agents.json_answers import at_most
from agents.minds.minded import fallback_note, minded
from agents.ports import LanguageModel
from agents.protocol.checks import checked
from agents.protocol.decide import described, struck
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

PARTS, SETTLED, ITEMS, FINDINGS, TASKS = 10, 20, 30, 20, 5
_DOCUMENT = re.compile(
    r"\b(?:cop(?:y|ies)|documents?|files?|forms?|gates?|keys?|lists?|maps?|plans?|protocols?|records?|reports?"
    r"|scripts?|settings?|sheets?|tables?|templates?)\W*$",
    re.IGNORECASE,
)
READINGS = 3
"""Reviews of all parts together, at most."""


class OneHeading(BaseModel):
    """A heading of the protocol. `measures` and `controls` are numbers of the design table."""

    id: str = Field(pattern=r"^[a-z][a-z0-9-]{1,40}$")
    heading: str
    rationale: str
    needs: list[str] = Field(default=[], json_schema_extra=at_most(PARTS))
    follows: list[str] = Field(default=[], json_schema_extra=at_most(PARTS))
    measures: list[int] = []
    controls: list[int] = []


class OneUse(BaseModel):
    """How much of an item a part takes, with controls, repeats and losses."""

    part: str
    amount: float = Field(default=0, ge=0)


class OneItem(BaseModel):
    """What one part makes, buys or has at hand and others take, by the name that all parts use.
    What is `read` is not used up.
    """

    name: str
    unit: str
    part: str
    amount: float = Field(default=0, ge=0)
    uses: list[OneUse] = Field(default=[], json_schema_extra=at_most(PARTS))

    @property
    def read(self) -> bool:
        """Whether it is a document, by its unit or the last word of its name."""
        return bool(_DOCUMENT.search(self.unit) or _DOCUMENT.search(self.name))

    @property
    def told(self) -> str:
        """In a line."""
        uses = ", ".join(f"{one.part} {one.amount:g}" for one in self.uses)
        return f"{self.name}: {self.part} makes {self.amount:g} {self.unit}; taken by {uses}"


class Headings(BaseModel):
    """The plan: headings, what passes between them, and what else is settled for all parts."""

    headings: list[OneHeading] = Field(min_length=1, json_schema_extra=at_most(PARTS))
    items: list[OneItem] = Field(default=[], json_schema_extra=at_most(ITEMS))
    settled: list[str] = Field(default=[], json_schema_extra=at_most(SETTLED))


class OneDetail(BaseModel):
    """A step of the protocol."""

    text: str
    follows: list[str] = Field(default=[], json_schema_extra=at_most(4))


class Details(BaseModel):
    """The steps of a part."""

    steps: list[OneDetail] = Field(min_length=1, json_schema_extra=at_most(15))


class OneChange(OneDetail):
    """A change of one step by its part and number: `after` puts a new one behind it, 0 at the beginning."""

    part: str
    step: int = Field(ge=0)
    what: Literal["replace", "after", "drop"] = "replace"
    text: str = ""


class Changes(BaseModel):
    """The changes of some parts."""

    changes: list[OneChange] = Field(min_length=1, json_schema_extra=at_most(2 * FINDINGS))


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


class OneCitation(BaseModel):
    """A step that cites the step of an article, and what that gives it; "" for nothing."""

    part: str
    step: int
    cites: str
    gives: str = ""


class Citations(BaseModel):
    """What the citations of a protocol give."""

    citations: list[OneCitation] = []


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
    """Headings, then steps part by part, then reviews of all of it. `ruled` is the protocol by rules."""

    def __init__(
        self,
        mind: LanguageModel,
        objective: Objective,
        reports: Sequence[ExperimentReport],
        datasets: Sequence[Dataset],
        ruled: Protocol,
        wishes: str,
    ) -> None:
        self.mind, self.objective, self.ruled, self.wishes = mind, objective, ruled, wishes
        self.published = {
            part.steps[0].id.rpartition(".")[0]: part
            for report in reports
            for part in report.parts
            if part.steps and part.referable >= REFERABLE
        }
        self.templates = {part.id: part for part in ruled.parts}
        self.known = {step.id: step for part in self.published.values() for step in part.steps}
        self.datasets = [one for one in datasets if one.usable]
        told = "\n".join(map(described, self.datasets)) or "None is at hand."
        usable = data_block(told, kind="datasets")
        self.given: tuple[str, ...] = (*basis(objective, ruled.study), usable)
        self.notes: list[str] = []
        self.steps: dict[str, list[OneDetail]] = {}
        self.items: list[OneItem] = []

    async def protocol(self) -> Protocol:
        """The protocol. Raises `ModelError`."""
        made = await self._headings()
        headings = made.headings
        self.items = made.items
        listed = "\n".join(
            f"{one.id}: {one.heading}. Measures criteria {one.measures}, has controls {one.controls}"
            for one in headings
        )
        settled = "\n".join((*made.settled, *(one.told for one in made.items))) or "Nothing."
        blocks = data_block(listed, kind="headings"), data_block(settled, kind="settled for all parts")
        self.given = (*self.given, *blocks)
        for heading in headings:
            self.steps[heading.id] = await self._part(heading)
        own: tuple[DryTask, ...] = ()
        for what, review in (("all parts together", self._together), ("citations", self._cited)):
            try:
                await review(headings)
            except ModelError as error:
                self.notes.append(f"The review of {what} ended early ({error.clause}).")
        try:
            own = await self._tasks()
        except ModelError as error:
            self.notes.append(f"No further tasks were named ({error.clause}).")
        parts = tuple(map(self._taken, headings))
        tasks = tuple(replace(one, section=_nearest(one.section, parts)) for one in (*self.ruled.tasks, *own))
        return replace(self.ruled, parts=parts, tasks=tasks, by=self.mind.name, notes=tuple(self.notes))

    async def _headings(self) -> Headings:
        template = "\n".join(f"{one.id}: {one.heading}. {one.rationale}" for one in self.ruled.parts)
        published = (
            data_block(f"{one.heading.rstrip('.')}. {one.reason}", id=key)
            for key, one in self.published.items()
        )
        blocks = (*self.given, *published, data_block(template, kind="template"))
        stage = "the plan of a protocol, which all its parts will be held to,"
        wrong = partial(wrong_plan, self.ruled.study)
        made = await reviewed(self.mind, "headings", stage, blocks, Headings, wrong, self.wishes)
        self.notes += made.notes
        return made.value

    async def _part(self, heading: OneHeading) -> list[OneDetail]:
        template = self.templates.get(heading.id, ProtocolPart(heading.id, heading.heading))
        follows = (one for one in heading.follows if one in self.published)
        blocks = (
            *self.given,
            *_shown(self.steps),
            data_block(f"{heading.heading}. {heading.rationale}", kind="this part"),
            *(data_block(part_text(self.published[one]), id=one) for one in follows),
            data_block("\n".join(one.text for one in template.steps) or "None.", kind="template"),
        )
        made = await asked(self.mind, "details", blocks, Details, self.wishes, heading=heading.heading)
        return [
            OneDetail(text=one.text, follows=[key for key in one.follows if key in self.known])
            for one in made.steps
        ]

    async def _together(self, headings: Sequence[OneHeading]) -> None:
        """Review all parts at once and mend them, until nothing is wrong. Raises `ModelError`."""
        for _ in range(READINGS):
            parts = tuple(map(self._taken, headings))
            checks = checked(self.objective, replace(self.ruled, parts=parts), self.datasets)
            rules = "\n".join(one.text for one in checks if one.kind != "hazard") or "Nothing."
            blocks = (*self._whole(), data_block(rules, kind="what rules found"))
            found = (await asked(self.mind, "whole", blocks, Findings)).findings
            points = [f"{one.part}, step {one.step}: {one.text}" for one in found if one.part in self.steps]
            for name, steps in self.steps.items():
                points += (f"{name}: {one}" for one in wrong_steps(self.known, self.ruled.study, steps))
                points += (f"{name}: {one}" for one in unnamed(self.items, name, steps))
            if not points:
                return
            told = (self.mind, self.given, self.steps, points, self.ruled.study, self.known)
            self.steps, notes = await mended(*told)
            self.notes += notes

    async def _cited(self, headings: Sequence[OneHeading]) -> None:
        """Keep those citations of which a reader of both says what they give. Raises `ModelError`."""
        used = {key for steps in self.steps.values() for one in steps for key in one.follows}
        if not used:
            return
        told = (
            data_block(" ".join((one.text, *one.details)), id=key)
            for key, one in self.known.items()
            if key in used
        )
        made = await asked(self.mind, "cites", (*_shown(self.steps), *told), Citations)
        kept = {(one.part, one.step, one.cites) for one in made.citations if one.gives.strip()}
        for name, steps in self.steps.items():
            for number, one in enumerate(steps, start=1):
                one.follows = [key for key in one.follows if (name, number, key) in kept]

    async def _tasks(self) -> tuple[DryTask, ...]:
        """The tasks for programs that are still to be written, over tables at hand. Raises `ModelError`."""
        if not any(one.files for one in self.datasets):
            return ()

        def wrong(value: Tasks) -> list[str]:
            return wrong_steps({}, Study(), [OneDetail(text=one.description) for one in value.tasks])

        made = (await reviewed(self.mind, "tasks", "", self._whole(), Tasks, wrong)).value
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

    def _whole(self) -> list[str]:
        """All of the protocol, with the tasks of tested programs."""
        tasks = "\n".join(
            f"{one.id} in {one.section}: {one.description}. {one.parameters}" for one in self.ruled.tasks
        )
        return [*self.given, *_shown(self.steps), data_block(tasks or "None.", kind="tasks")]

    def _taken(self, heading: OneHeading) -> ProtocolPart:
        """A part with its steps, proposed, each with the steps of articles that it follows."""
        steps = (ProtocolStep(one.text, follows=tuple(one.follows)) for one in self.steps[heading.id])
        template = self.templates.get(heading.id)
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
    parts: Mapping[str, Sequence[OneDetail]],
    points: Sequence[str],
    study: Study,
    known: Collection[str],
) -> tuple[dict[str, list[OneDetail]], tuple[str, ...]]:
    """The steps of some parts after points of a review, or a wish, and notes of the review. Those that
    nothing touches stay. Raises `ModelError`.
    """
    shown = (*blocks, *_shown(parts), data_block("\n".join(points), kind="what to change"))

    def wrong(value: Changes) -> list[str]:
        far = [
            f"There is no step {one.step} of {one.part}."
            for one in value.changes
            if one.step > len(parts.get(one.part, ()))
            or not (one.part in parts and (one.step or one.what == "after"))
        ]
        return far + wrong_steps(known, study, [one for one in value.changes if one.what != "drop"])

    made = await reviewed(mind, "mend", "", shown, Changes, wrong)
    of = {name: [one for one in made.value.changes if one.part == name] for name in parts}
    return {name: changed(steps, of[name]) for name, steps in parts.items()}, made.notes


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
    return [
        *(f"There is no report step {key}." for key in sorted(unknown)),
        *struck(texts),
        *(f"“{one}” would be left out. {why}" for one in texts if (why := refused(one))),
        *(told for one in texts for told in differences(study, one)),
    ]


def _task_id(name: str) -> str:
    return f"task-{name.removeprefix('task-')}"


def wrong_plan(study: Study, plan: Headings) -> list[str]:
    """Where a plan does not hold together: criteria that nothing measures, controls that no part has, items
    that are taken before they are made, or more of them than there is.
    """
    ids = [one.id for one in plan.headings]
    points = [f"The id {one} stands twice." for one in sorted({one for one in ids if ids.count(one) > 1})]
    measured = {number for one in plan.headings for number in one.measures}
    had = {number for one in plan.headings for number in one.controls}
    for what, wanted, done in (("criterion", study.verdict, measured), ("control", study.controls, had)):
        missing = {*range(1, len(wanted) + 1)} - done
        points += (f"No part has {what} {number} of the design table." for number in sorted(missing))
    for one in plan.items:
        parts = [one.part, *(use.part for use in one.uses)]
        places = [ids.index(name) for name in parts if name in ids]
        taken = sum(use.amount for use in one.uses)
        if len(places) < len(parts) or min(places) < places[0]:
            points.append(f"{one.told}: a part takes it that comes before, or one is no part.")
        if not one.uses or (taken > one.amount and not one.read):
            points.append(
                f"{one.told}: {taken:g} are taken in all. Nothing is made for nobody, nor too little."
            )
    return points


def unnamed(items: Sequence[OneItem], part: str, steps: Sequence[OneDetail]) -> Iterator[str]:
    """The items that a part makes or takes by the plan and that none of its steps names."""
    text = " ".join(one.text for one in steps).casefold()
    for one in items:
        if part in (one.part, *(use.part for use in one.uses)) and one.name.casefold() not in text:
            yield f"No step names “{one.name}”, as all parts call it. By the plan, {one.told}."


def _shown(parts: Mapping[str, Sequence[OneDetail]]) -> list[str]:
    """Parts as far as they are written, in full."""
    return [data_block(_numbered(steps), part=name) for name, steps in parts.items()]


def _numbered(steps: Sequence[OneDetail]) -> str:
    told = (" ".join((one.text, *(f"[{key}]" for key in one.follows))) for one in steps)
    return "\n".join(f"{number}. {one}" for number, one in enumerate(told, start=1))


def _nearest(section: str, parts: Sequence[ProtocolPart]) -> str:
    """The part that a task belongs to: that of its id, else the last one."""
    ids = [one.id for one in parts]
    return section if section in ids else ids[-1]
