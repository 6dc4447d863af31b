"""Protocols designed by two minds: a language model, or rules over templates.

A model writes all of it in one answer: the design table, the parts with their steps, and the tasks for
programs. It sees the request, the articles that were found, the sections of their reports that can be
followed, the data at hand and sample sizes. One reader of the whole, and code, name what is wrong with it;
only that is changed, again with the whole in view. Citations stand where the reader says what they give. A
wish of somebody for one section is followed the same way.
"""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from pydantic import BaseModel, Field, field_validator, model_validator

from agents.data_block import data_block
from agents.errors import ModelError
from agents.json_answers import at_most
from agents.minds.minded import fallback_note, minded
from agents.ports import LanguageModel
from agents.protocol.checks import LEVEL, checked
from agents.protocol.decide import Table, described, planned, struck, wrong_study
from agents.protocol.design import PACKED, design, dry_tasks, kind_of
from agents.protocol.groups import study_of
from agents.protocol.guard import refused
from agents.protocol.judge import REFERABLE
from agents.protocol.minds import asked, told
from agents.protocol.power import CORRELATION, POWER, means_per_group
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

TASK, TABLE = "task-", "table"
NAME = "^[a-z][a-z0-9_-]{0,60}$"
PARTS, STEPS, FINDINGS, TASKS = 12, 20, 20, 5
READINGS, MENDS = 2, 2
"""Of the whole protocol, and answers to what a reading found, at most."""
IDS = re.compile(r"\s*\[A\d[\d.]*(?:[,;]\s*A\d[\d.]*)*\]")
"""Ids of steps of articles as they are shown behind a step: code keeps them, and no text."""
PUBLISHED = 16
"""Sections of reports that are shown, at most, those first that can be followed best."""
EFFECTS = (0.5, 0.8, 1.0, 1.2, 1.5, 2.0)
"""Differences in standard deviations for which sample sizes are told."""


class OneDetail(BaseModel):
    """A step of the protocol."""

    text: str
    follows: list[str] = Field(default=[], json_schema_extra=at_most(4))

    @field_validator("text")
    @classmethod
    def _without_ids(cls, text: str) -> str:
        return IDS.sub("", text)


class OnePart(BaseModel):
    """A part of the protocol, with the parts that it needs done before."""

    id: str = Field(pattern=NAME)
    heading: str
    rationale: str = ""
    needs: list[str] = Field(default=[], json_schema_extra=at_most(PARTS))
    steps: list[OneDetail] = Field(json_schema_extra=at_most(STEPS))

    def shown(self, whole: bool = True) -> str:
        """As a model reads it, its steps numbered; else its heading alone."""
        steps = (" ".join((one.text, *(f"[{key}]" for key in one.follows))) for one in self.steps if whole)
        numbered = (f"{number}. {one}" for number, one in enumerate(steps, start=1))
        return data_block(
            "\n".join((f"{self.heading}. {self.rationale}", *numbered)),
            part=self.id,
            needs=", ".join(self.needs),
        )


class OneTask(BaseModel):
    """A task that a program can do: the part that it belongs to, and what it reads."""

    id: str = Field(pattern=NAME)
    section: str
    description: str = ""
    files: list[str] = Field(default=[], json_schema_extra=at_most(4))
    after: list[str] = Field(default=[], json_schema_extra=at_most(TASKS))

    def as_part(self, name: str) -> OnePart:
        """Its description as the one step of a part, which is read and mended like others."""
        heading = f"Task on {', '.join(self.files)}"
        return OnePart(id=name, heading=heading, steps=[OneDetail(text=self.description)])


class Whole(BaseModel):
    """A whole protocol: its design table, its parts, and tasks for programs."""

    table: Table
    parts: list[OnePart] = Field(min_length=1, json_schema_extra=at_most(PARTS))
    tasks: list[OneTask] = Field(default=[], json_schema_extra=at_most(2 * TASKS))

    @model_validator(mode="after")
    def _apart(self) -> "Whole":
        ids = {one.id for one in self.parts if not one.id.startswith(TASK)} - {TABLE}
        if len(ids) < len(self.parts):
            raise ValueError(
                f"Each part has an id of its own, which does not begin with {TASK} and is not {TABLE}."
            )
        return self


class OneChange(BaseModel):
    """A change of one step by its part and number: `after` puts a new one behind it, 0 at the beginning."""

    part: str
    step: int = Field(ge=0)
    what: Literal["replace", "after", "drop"] = "replace"
    text: str = ""


class Changes(BaseModel):
    """The changes of some steps, and the whole design table where that changes. `parts` are written anew,
    those without steps in heading and needs alone; `order` are the ids of all parts where one moves.
    """

    table: Table | None = None
    parts: list[OnePart] = Field(default=[], json_schema_extra=at_most(PARTS))
    order: list[str] = []
    changes: list[OneChange] = Field(default=[], json_schema_extra=at_most(3 * FINDINGS))


class OneFinding(BaseModel):
    """What is wrong in a part, by its id, or in the "table"; `step` is 0 for the part as a whole."""

    part: str
    step: int = 0
    text: str


class OneCitation(BaseModel):
    """A step that cites the step of an article, and what that gives it; "" for nothing."""

    part: str
    step: int
    cites: str
    gives: str = ""


class Reading(BaseModel):
    """What a reader of the whole protocol finds wrong, and what its citations give."""

    findings: list[OneFinding] = Field(default=[], json_schema_extra=at_most(FINDINGS))
    citations: list[OneCitation] = []


async def designed(
    model: LanguageModel | None,
    objective: Objective,
    reports: tuple[ExperimentReport, ...],
    datasets: tuple[Dataset, ...],
    wishes: tuple[str, ...] = (),
) -> Protocol:
    """The protocol by the model; by rules without one."""

    async def by_rules() -> Protocol:
        study = study_of(objective, datasets)
        return await asyncio.to_thread(design, objective, reports, datasets, study)

    async def by_model(mind: LanguageModel) -> Protocol:
        designer = _Designer(mind, objective, reports, datasets, await by_rules())
        return await designer.protocol("\n".join(wishes))

    made = await minded(model, by_model, by_rules)
    note = fallback_note("the design", made.why_fallen_back)
    return replace(made.value, notes=(*made.value.notes, *((note,) if note else ())))


class _Designer:
    """Writes the whole, has it read, and mends it. `ruled` is the protocol by rules."""

    def __init__(
        self,
        mind: LanguageModel,
        objective: Objective,
        reports: Sequence[ExperimentReport],
        datasets: Sequence[Dataset],
        ruled: Protocol,
    ) -> None:
        self.mind, self.objective, self.ruled, self.datasets = mind, objective, ruled, datasets
        self.articles = [one.article for one in reports]
        told = (one for report in reports for one in report.parts if one.steps and one.referable >= REFERABLE)
        self.published = sorted(told, key=lambda one: -one.referable)[:PUBLISHED]
        self.known = {step.id: step for part in self.published for step in part.steps}
        usable = [one for one in datasets if one.usable]
        self.of = {file.name: one for one in usable for file in one.files if file.kind != PACKED}
        self.study, self.parts, self.tasks = ruled.study, list[OnePart](), dict[str, OneTask]()
        self.notes: list[str] = []

    async def protocol(self, wishes: str) -> Protocol:
        """The protocol. Raises `ModelError` where nothing was written."""
        whole = await asked(self.mind, "protocol", tuple(self._material()), Whole, wishes)
        self.study = planned(whole.table, self.objective, self.datasets, self.mind.name)
        for one in (step for part in whole.parts for step in part.steps):
            one.follows = [key for key in one.follows if key in self.known]
        self.tasks = {_task_id(one.id): one for one in whole.tasks}
        tested = {one.id for one in self.ruled.tasks}
        own = {name: one for name, one in self.tasks.items() if name not in tested}
        able = {name: one for name, one in own.items() if one.files and {*one.files} <= {*self.of}}
        self.parts = [*whole.parts, *(one.as_part(name) for name, one in able.items())]
        try:
            for number in range(READINGS):
                points = [*await self._read(cited=not number), *self._wrong()]
                if not points:
                    break
                stood = (self.mind, self.objective, self.datasets, self.study, self.parts)
                self.study, self.parts, notes = await mended(*stood, points)
                self.notes[:] = notes
        except ModelError as error:
            self.notes.append(f"The review of the protocol ended early ({error.clause}).")
        return self._taken()

    def _material(self) -> Iterator[str]:
        """What the protocol is written over."""
        yield from basis(self.objective, self.datasets)
        yield data_block(self.ruled.study.told or "Nothing.", kind="what rules read of the design")
        for article in self.articles:
            yield data_block(f"{article.title}\n{article.abstract}", article=article.id)
        for part in self.published:
            yield data_block(part_text(part), report=part.steps[0].id.rpartition(".")[0])
        tasks = (f"{one.id}: {one.description}. {one.parameters} {one.why_not}" for one in self.ruled.tasks)
        yield data_block("\n".join(tasks) or "None.", kind="tasks of tested programs")
        yield data_block("\n".join(self._sizes()), kind="sample sizes")

    def _sizes(self) -> Iterator[str]:
        """Samples that a comparison of two means needs, and what rules reckon for this objective."""
        yield f"Two means, power {POWER:g}, level {LEVEL:g}, pairs with a correlation of {CORRELATION:g}:"
        for effect in EFFECTS:
            alone, pairs = (means_per_group(effect, LEVEL, r) for r in (0.0, CORRELATION))
            yield f"a difference of {effect:g} SD: {alone} a group, or {pairs} pairs"
        checks = checked(self.objective, self.ruled, self.datasets)
        yield from (one.text for one in checks if one.kind == "power")

    async def _read(self, cited: bool) -> list[str]:
        """What a reader finds wrong. One who is shown what is `cited` drops what gives nothing."""
        used = {key for part in self.parts for one in part.steps for key in one.follows if cited}
        protocol = replace(self.ruled, study=self.study, parts=tuple(map(self._part, self.parts)))
        checks = checked(self.objective, protocol, self.datasets)
        rules = "\n".join(one.text for one in checks if one.kind == "condition") or "Nothing."
        steps = (one for key, one in self.known.items() if key in used)
        blocks = (
            *basis(self.objective, self.datasets),
            _table(self.study),
            *(one.shown() for one in self.parts),
            data_block(rules, kind="what rules found"),
            *(data_block(" ".join((one.text, *one.details)), id=one.id) for one in steps),
        )
        found = await asked(self.mind, "review", blocks, Reading)
        kept = {(one.part, one.step, one.cites) for one in found.citations if one.gives.strip()}
        for part in self.parts if cited else ():
            for number, one in enumerate(part.steps, start=1):
                one.follows = [key for key in one.follows if (part.id, number, key) in kept]
        return [f"{one.part}, step {one.step}: {one.text}" for one in found.findings]

    def _wrong(self) -> Iterator[str]:
        """What code finds wrong."""
        yield from wrong_study(self.study, self.datasets)
        for part in self.parts:
            yield from (f"{part.id}: {one}" for one in wrong_steps(self.study, part.steps))

    def _part(self, one: OnePart) -> ProtocolPart:
        """A part with its steps, proposed, each with the steps of articles that it follows."""
        steps = tuple(ProtocolStep(step.text, follows=tuple(step.follows)) for step in one.steps)
        ids = [each.id for each in self.parts]
        before = tuple(each for each in ids[: ids.index(one.id)] if each in one.needs)
        return ProtocolPart(one.id, one.heading, one.rationale, steps, "", before, self.mind.name)

    def _taken(self) -> Protocol:
        """The protocol as it stands now, its tasks in the parts that they belong to."""
        told = {one.id: " ".join(step.text for step in one.steps) for one in self.parts}
        parts = tuple(self._part(one) for one in self.parts if not one.id.startswith(TASK))
        tasks = {
            one.id: one for one in dry_tasks(self.objective, self.ruled.families, self.datasets, self.study)
        }
        own = [name for name, text in told.items() if name.startswith(TASK) and text]
        for name in own:
            one = self.tasks[name]
            files = tuple(TaskFile(file, kind_of(file)) for file in one.files)
            after = tuple(each for each in map(_task_id, one.after) if each in (*tasks, *own))
            tasks[name] = DryTask(name, told[name], "", files, after, self.of[one.files[0]])
        sections = {name: one.section for name, one in self.tasks.items() if one.section in told}
        return replace(
            self.ruled,
            study=self.study,
            parts=parts,
            tasks=tuple(
                replace(one, section=sections.get(name, parts[-1].id)) for name, one in tasks.items()
            ),
            by=self.mind.name,
            notes=tuple(self.notes),
        )


def basis(objective: Objective, datasets: Sequence[Dataset]) -> tuple[str, str]:
    """What every call about a protocol is shown first."""
    usable = "\n".join(described(one) for one in datasets if one.usable)
    return told(objective), data_block(usable or "None is at hand.", kind="datasets")


def _table(study: Study) -> str:
    return data_block(study.told or "No groups are compared.", kind="design table")


async def mended(
    mind: LanguageModel,
    objective: Objective,
    datasets: Sequence[Dataset],
    study: Study,
    parts: Sequence[OnePart],
    points: Sequence[str],
    others: Sequence[str] = (),
) -> tuple[Study, list[OnePart], tuple[str, ...]]:
    """Design table and parts after points of a review, or a wish, and notes on what stayed open. Steps that
    nothing touches stay; `others` are parts that are only shown. What code finds in a change goes back, with
    the parts that it is about. Raises `ModelError`.
    """
    made, touched = list(parts), {one.id for one in parts}
    stood = {one.id: one.steps for one in parts}
    for _ in range(MENDS):
        blocks = (
            *basis(objective, datasets),
            _table(study),
            *others,
            *(one.shown(bool(touched & {one.id, TABLE})) for one in made),
            data_block("\n".join(points), kind="what to change"),
        )
        value = await asked(mind, "mend", blocks, Changes)
        count = {one.id: len(one.steps) for one in made}
        far = [one for one in value.changes if one.step > count.get(one.part, 0)]
        study = planned(value.table, objective, datasets, mind.name) if value.table else study
        made = rearranged(made, value)
        wrong = [(one.part, f"There is no step {one.step} of {one.part}.") for one in far]
        wrong += [(TABLE, one) for one in wrong_study(study, datasets) if value.table]
        for part in made:
            fresh = [one for one in part.steps if value.table or one not in stood[part.id]]
            wrong += [(part.id, f"{part.id}: {one}") for one in wrong_steps(study, fresh)]
        touched, points = {part for part, _ in wrong}, [text for _, text in wrong]
        if not points:
            break
    return study, made, tuple(f"The review of the protocol left open: {one}" for one in points)


def rearranged(parts: Sequence[OnePart], value: Changes) -> list[OnePart]:
    """Parts after some changes, in their new order where that names them all."""
    known = {key for part in parts for one in part.steps for key in one.follows}
    anew = {one.id: one for one in value.parts}
    made = []
    for part in parts:
        new = anew.get(part.id, part)
        steps = new.steps if part.id in anew and new.steps else part.steps
        steps = changed(steps, [one for one in value.changes if one.part == part.id])
        for one in steps:
            one.follows = [key for key in one.follows if key in known]
        made.append(new.model_copy(update={"steps": steps}))
    place = {name: number for number, name in enumerate(value.order)}
    whole = all(one.id in place for one in made if not one.id.startswith(TASK))
    return sorted(made, key=lambda one: place.get(one.id, len(place))) if whole else made


def changed(steps: Sequence[OneDetail], changes: Sequence[OneChange]) -> list[OneDetail]:
    """Steps after some changes. What an article did stays with a step that is written anew."""
    places: dict[int, list[OneDetail]] = {0: [], **{n: [one] for n, one in enumerate(steps, start=1)}}
    for one in sorted(changes, key=lambda each: each.what == "after"):
        stood = [key for each in places.get(one.step, ()) for key in each.follows if one.what == "replace"]
        new = [OneDetail(text=one.text, follows=stood)] if one.what != "drop" else []
        if one.step in places:
            places[one.step] = [*places[one.step], *new] if one.what == "after" else new
    return [one for place in places.values() for one in place]


def wrong_steps(study: Study, steps: Sequence[OneDetail]) -> list[str]:
    """Clauses that the gate would strike, steps that would be left out, and another design."""
    texts = [one.text for one in steps]
    return [
        *struck(texts),
        *(f"“{one}” would be left out. {why}" for one in texts if (why := refused(one))),
        *(told for one in texts for told in differences(study, one)),
    ]


def _task_id(name: str) -> str:
    return f"{TASK}{name.removeprefix(TASK)}"
