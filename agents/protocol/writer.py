"""Protocols designed by two minds: a language model, or rules over templates.

A model writes the whole in Markdown, as it would for anybody who asks. A reader tries its numbers, gates
and logic, twice, and an editor its order; what is at fault is replaced and all else stays byte for byte. Code
parts the text, and ties a step to those of articles whose words it has. What programs can do is chosen
afterwards.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import BaseModel, Field

from agents.chemistry.wording import Wording
from agents.data_block import data_block
from agents.errors import ModelAnswerInvalid, ModelError
from agents.json_answers import at_most
from agents.minds.minded import fallback_note, minded
from agents.ports import LanguageModel
from agents.protocol.checks import MET, checked
from agents.protocol.design import PACKED, design, files_of
from agents.protocol.groups import study_of
from agents.protocol.judge import REFERABLE
from agents.protocol.lab.write import WRITTEN
from agents.protocol.markdown import edited, parts_in, text_in
from agents.protocol.minds import asked, told
from agents.protocol.reader import part_text
from agents.protocol.study import Study
from agents.protocol.values import (
    Dataset,
    DryTask,
    ExperimentReport,
    Objective,
    Protocol,
    ProtocolPart,
    ProtocolStep,
    ReportPart,
    ReportStep,
)
from agents.text.words import content_words

TASK = "task-"
NAME = "^[a-z][a-z0-9_-]{0,60}$"
FILE = r"^[\w-]{1,60}\.(csv|png|txt|rds)$"
FAULTS, TASKS = 15, 5
ROUNDS = ("review", "review", "structure")
"""How the whole is read before each mend (the paper: at most 6 rounds, section 5.1)."""
PUBLISHED = 16
"""Sections of reports that are shown, at most, those first that can be followed best."""
LEAST_SHARED = 6
"""Words that a step shares with one of an article that it follows, at least."""
_LABELS = re.compile(
    r"(?P<before>(?:\b(?:of|in|by|from|as|see|compare|with|to|than|and) |[|:;] |\())?\s*"
    r"[\[(]A\d+(?:\.\d+)+(?:[\s,;–-]*(?:and |to )?A\d+(?:\.\d+)+)*[\])]",
    re.IGNORECASE,
)
"""Labels of sentences in brackets, and a word before that needs what they name."""
UNPLACED = "{} of the last edits of the protocol changed nothing, since their place was not found."
LONGEST = 200
"""Characters of a text that was not found, as it is told back."""
MOST_COLUMNS = 30
"""Of a table, that are shown; of a table of samples as many rows."""


class Written(BaseModel):
    """A protocol in Markdown."""

    protocol: str


class Edit(BaseModel):
    """A text as it stands, and what takes its place."""

    old: str
    new: str


class Mends(BaseModel):
    """What changes in a protocol."""

    edits: list[Edit]


class OneFault(BaseModel):
    """What is wrong in a part, by its heading, and what would mend it."""

    part: str
    wrong: str
    mend: str = ""


class Faults(BaseModel):
    """What a reader of the whole finds wrong."""

    faults: list[OneFault] = Field(default=[], json_schema_extra=at_most(FAULTS))


class OneTask(BaseModel):
    """A task that a program can do, what it reads, and what it leaves."""

    id: str = Field(pattern=NAME)
    description: str = ""
    files: list[str] = Field(default=[], json_schema_extra=at_most(4))
    outputs: list[Annotated[str, Field(pattern=FILE)]] = Field(default=[], json_schema_extra=at_most(4))
    after: list[str] = Field(default=[], json_schema_extra=at_most(TASKS))


class Tasks(BaseModel):
    """Tasks for programs."""

    tasks: list[OneTask] = Field(default=[], json_schema_extra=at_most(2 * TASKS))


async def designed(
    model: LanguageModel | None,
    wording: Wording,
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
        published = _published(reports)
        shown = (
            *basis(objective, datasets),
            *(
                data_block(f"{one.article.title}\n{one.article.abstract}", article=one.article.id)
                for one in reports
            ),
            *(data_block(part_text(part), kind="methods") for part in published),
        )
        text = (await asked(mind, "protocol", shown, Written, "\n".join(wishes))).protocol
        if not (parts := parts_in(text, mind.name)):
            raise ModelAnswerInvalid("It has no steps.")
        ruled, tasks, notes = await by_rules(), tuple[DryTask, ...](), tuple[str, ...]()
        try:
            left: tuple[str, ...] = ()
            for reader in ROUNDS:
                if faults := (*await _faults(mind, reader, wording, objective, datasets, parts), *left):
                    parts, left = await mended(mind, objective, datasets, parts, faults)
            notes = (UNPLACED.format(len(left)),) if left else ()
            tasks = await _tasks(mind, objective, datasets, parts, ruled.tasks)
        except ModelError as error:
            notes = (*notes, f"The review of the protocol ended early ({error.clause}).")
        parts = _tied(parts, [step for part in published for step in part.steps])
        return replace(ruled, study=Study(), parts=parts, tasks=tasks, by=mind.name, notes=notes)

    made = await minded(model, by_model, by_rules)
    note = fallback_note("the design", made.why_fallen_back)
    return replace(made.value, notes=(*made.value.notes, *((note,) if note else ())))


def _published(reports: Sequence[ExperimentReport]) -> list[ReportPart]:
    """Sections of reports that can be followed."""
    every = (one for report in reports for one in report.parts if one.steps and one.referable >= REFERABLE)
    return sorted(every, key=lambda one: -one.referable)[:PUBLISHED]


def basis(objective: Objective, datasets: Sequence[Dataset]) -> tuple[str, str]:
    """What every call about a protocol is shown first."""
    usable = "\n".join(described(one) for one in datasets if one.usable)
    return told(objective), data_block(usable or "None is at hand.", kind="datasets")


def described(dataset: Dataset) -> str:
    """A dataset with the columns of its tables, and rows of samples or values of those that make groups."""
    lines = [f"{dataset.accession}: {dataset.title}. {dataset.reason}"]
    for file in dataset.files:
        more = (f"… {len(file.columns)} in all",) * (len(file.columns) > MOST_COLUMNS)
        columns = ", ".join((*file.columns[:MOST_COLUMNS], *more))
        levels = [f"{column}: {', '.join(some)}" for column, some in file.levels]
        levels = list(map(", ".join, file.cells)) if 0 < len(file.cells) <= MOST_COLUMNS else levels
        rows = f"{file.rows} rows" if file.rows else "what it holds is not read here"
        lines.append(f"{file.name}, {file.kind}, {rows}: {columns}. {'; '.join(levels)}")
    return "\n".join(lines)


async def _faults(
    mind: LanguageModel,
    reader: str,
    wording: Wording,
    objective: Objective,
    datasets: Sequence[Dataset],
    parts: Sequence[ProtocolPart],
) -> list[str]:
    """What a `reader` of the whole, the name of a prompt, and code find wrong."""
    found = await asked(mind, reader, _whole(objective, datasets, parts), Faults)
    checks = checked(objective, Protocol(parts=tuple(parts)), datasets)
    steps = [(part.heading, step.text) for part in parts for step in part.steps]
    harmful = await wording.among(text for _, text in steps)
    return [
        *(f"{one.part}: {one.wrong} Mend: {one.mend}" for one in found.faults),
        *(one.text for one in checks if one.kind == "condition"),
        *(f"No part on hazards tells of this one: {one.text}" for one in checks if one.kind == "hazard"),
        *(
            f"{at}: “{text}” would be left out. {harmful[text].reason}"
            for at, text in steps
            if text in harmful
        ),
    ]


def _whole(
    objective: Objective, datasets: Sequence[Dataset], parts: Sequence[ProtocolPart]
) -> tuple[str, ...]:
    return (*basis(objective, datasets), data_block("\n\n".join(map(text_in, parts)), kind="protocol"))


async def mended(
    mind: LanguageModel,
    objective: Objective,
    datasets: Sequence[Dataset],
    parts: Sequence[ProtocolPart],
    faults: Sequence[str],
) -> tuple[tuple[ProtocolPart, ...], tuple[str, ...]]:
    """The parts after the model's edits, those whose heading stays under their id; and what it would have
    changed and did not, since the place was not found once.
    """
    blocks = (*_whole(objective, datasets, parts), data_block("\n".join(faults), kind="what is wrong"))
    edits = (await asked(mind, "mend", blocks, Mends)).edits
    text, left = edited("\n\n".join(map(text_in, parts)), [(one.old, one.new) for one in edits])
    ids = {one.heading: one.id for one in parts}
    made = tuple(replace(one, id=ids.pop(one.heading, one.id)) for one in parts_in(text, mind.name))
    told = (f"An edit changed nothing, since “{one[:LONGEST]}” does not stand once." for one in left)
    return made or tuple(parts), tuple(told)


def _tied(parts: Sequence[ProtocolPart], published: Sequence[ReportStep]) -> tuple[ProtocolPart, ...]:
    """The parts, each step tied to those of articles that it names, or of which it has most words; labels
    are gone from the text.
    """
    words = {one.id: content_words(one.text) for one in published}

    def followed(step: ProtocolStep) -> ProtocolStep:
        said = content_words(step.text)
        kept = (
            key
            for key, own in words.items()
            if re.search(rf"\b{key}\b", step.text) or len(said & own) >= max(LEAST_SHARED, MET * len(own))
        )
        return replace(step, text=_LABELS.sub(_unlabelled, step.text), follows=tuple(kept))

    return tuple(replace(one, steps=tuple(map(followed, one.steps))) for one in parts)


def _unlabelled(label: re.Match[str]) -> str:
    """What stands in place of labels: nothing, or words where the sentence needs some."""
    return f"{label['before']}the article" if label["before"] else ""


async def _tasks(
    mind: LanguageModel,
    objective: Objective,
    datasets: Sequence[Dataset],
    parts: Sequence[ProtocolPart],
    ruled: Sequence[DryTask],
) -> tuple[DryTask, ...]:
    """What programs can do for the protocol on tables at hand; nothing without any."""
    usable = (one for one in datasets if one.usable)
    of = {file.name: one for one in usable for file in one.files if file.kind != PACKED}
    if not of:
        return ()
    tested = {one.id: one for one in ruled if not one.why_not}
    listed = "\n".join(f"{one.id}: {one.description}. {one.parameters}" for one in tested.values())
    blocks = (*_whole(objective, datasets, parts), data_block(listed or "None.", kind="tested programs"))
    chosen = {_task_id(one.id): one for one in (await asked(mind, "tasks", blocks, Tasks)).tasks}
    before = {each for name in chosen if name in tested for each in tested[name].depends_on}
    made = {name: one for name, one in tested.items() if name in chosen or name in before}
    own = {name: one for name, one in chosen.items() if name not in tested and {*one.files} <= {*of}}
    for name, one in own.items():
        after = tuple(each for each in map(_task_id, one.after) if each in (*made, *own))
        if files := files_of(one.files):
            outputs = files_of((*WRITTEN, *one.outputs))
            made[name] = DryTask(name, one.description, "", files, after, of[one.files[0]], outputs=outputs)
    return tuple(replace(one, section=parts[-1].id) for one in made.values())


def _task_id(name: str) -> str:
    return f"{TASK}{name.removeprefix(TASK)}"
