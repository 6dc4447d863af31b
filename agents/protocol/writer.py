"""Articles read and protocols designed by two minds: a language model over numbered sentences, or rules.

What a model takes from an article it names by number, so that it is verbatim by construction.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from pydantic import BaseModel, Field

from agents.data_block import data_block
from agents.errors import ModelAnswerInvalid
from agents.json_answers import at_most
from agents.minds.minded import fallback_note, minded
from agents.ports import LanguageModel
from agents.protocol.design import design
from agents.protocol.judge import REFERABLE, Wanted, analysed
from agents.protocol.literature import Paper
from agents.protocol.minds import Score, asked, reviewed, told
from agents.protocol.reports import Sentences, experiment_report
from agents.protocol.study import Study, differences
from agents.protocol.values import (
    Dataset,
    ExperimentReport,
    Objective,
    Protocol,
    ProtocolPart,
    ProtocolStep,
    ReportPart,
    ReportStep,
)
from agents.protocol.whose import origin_of
from agents.reports.origins import origin_faults
from agents.trust.support import Support

STEPS, PARTS, MODEL = 40, 10, "model"
SAY_AIMS = "Say what is to be done, or mark a value as an aim: should, at least, at most, expected."


class OneStep(BaseModel):
    """A step by the numbers of sentences."""

    step: int
    details: list[int] = Field(default=[], json_schema_extra=at_most(8))
    results: list[int] = Field(default=[], json_schema_extra=at_most(2))


class Steps(BaseModel):
    """The steps of a section of methods."""

    steps: list[OneStep] = Field(json_schema_extra=at_most(STEPS))


class OneAnalysis(BaseModel):
    """How well a part can be followed."""

    number: int
    score: Score
    reason: str
    suggestions: list[str] = Field(default=[], json_schema_extra=at_most(3))


class Analyses(BaseModel):
    """The analyses of a report."""

    parts: list[OneAnalysis] = Field(json_schema_extra=at_most(STEPS))


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


async def read_article(
    model: LanguageModel | None, objective: Objective, paper: Paper, number: int
) -> ExperimentReport:
    """An article as a report of its experiments, each part analysed for the objective."""
    wanted = Wanted(objective)

    async def by_rules() -> ExperimentReport:
        made = await asyncio.to_thread(experiment_report, paper, number)
        return replace(made, parts=tuple(analysed(one, wanted) for one in made.parts))

    async def by_model(mind: LanguageModel) -> ExperimentReport:
        ruled = await by_rules()
        numbered = await asyncio.to_thread(Sentences, paper, number)
        sections = await asyncio.gather(*(_section(mind, objective, one, numbered) for one in ruled.parts))
        parts = tuple(
            replace(one, steps=steps) for one, (steps, _) in zip(ruled.parts, sections, strict=True)
        )
        parts = await _analysed(mind, objective, tuple(one for one in parts if one.steps))
        used = {key for part in parts for step in part.steps for key in (step.key, *step.result_keys)}
        evidence = tuple(one for one in numbered.memory.all() if one.key in used)
        notes = tuple(note for _, found in sections for note in found)
        return replace(ruled, parts=parts, evidence=evidence, by=mind.name, notes=(*ruled.notes, *notes))

    made = await minded(model, by_model, by_rules)
    note = fallback_note(f"reading {paper.article.id}", made.why_fallen_back)
    return replace(made.value, notes=(*made.value.notes, *((note,) if note else ())))


async def _section(
    mind: LanguageModel, objective: Objective, part: ReportPart, numbered: Sentences
) -> tuple[tuple[ReportStep, ...], tuple[str, ...]]:
    """The steps of a section of methods, and notes of its review."""
    own = numbered.under(part.heading)
    blocks = (told(objective), data_block(numbered.listed(own), kind="methods"))
    results = numbered.listed(numbered.results)
    made = await reviewed(
        mind,
        "report",
        f"the steps taken from “{part.heading}”",
        (*blocks, data_block(results, kind="results")),
        Steps,
        heading=part.heading,
    )
    prefix = part.steps[0].id.rpartition(".")[0]
    chosen = [one for one in made.value.steps if one.step in own]
    steps = tuple(
        numbered.step(f"{prefix}.{place}", one.step, one.details, one.results)
        for place, one in enumerate(chosen, start=1)
    )
    return steps or part.steps, made.notes


async def _analysed(
    mind: LanguageModel, objective: Objective, parts: tuple[ReportPart, ...]
) -> tuple[ReportPart, ...]:
    shown = [data_block(_part_text(one), number=str(number)) for number, one in enumerate(parts, start=1)]
    made = await reviewed(
        mind, "analysis", "an analysis of a published experiment", (told(objective), *shown), Analyses
    )
    by_number = {one.number: one for one in made.value.parts}
    return tuple(_with(one, by_number.get(number)) for number, one in enumerate(parts, start=1))


def _with(part: ReportPart, analysis: OneAnalysis | None) -> ReportPart:
    if analysis is None:
        return part
    suggestions = tuple(analysis.suggestions)
    return replace(part, referable=analysis.score, reason=analysis.reason, suggestions=suggestions)


def _part_text(part: ReportPart) -> str:
    lines = (f"[{step.id}] {' '.join((step.text, *step.details))}" for step in part.steps)
    return "\n".join((part.heading, *lines, *(f"Suggestion: {one}" for one in part.suggestions)))


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
        designer = _Designer(mind, objective, reports, datasets, study, "\n".join(wishes))
        return await designer.protocol(await by_rules())

    made = await minded(model, by_model, by_rules)
    note = fallback_note("the design", made.why_fallen_back)
    return replace(made.value, notes=(*made.value.notes, *((note,) if note else ())))


class _Designer:
    """Headings, then details part by part, each reviewed."""

    def __init__(
        self,
        mind: LanguageModel,
        objective: Objective,
        reports: Sequence[ExperimentReport],
        datasets: Sequence[Dataset],
        study: Study,
        wishes: str,
    ) -> None:
        self.mind, self.study, self.wishes = mind, study, wishes
        self.parts = {
            part.steps[0].id.rpartition(".")[0]: part
            for report in reports
            for part in report.parts
            if part.steps and part.referable >= REFERABLE
        }
        self.steps = {step.id: step for part in self.parts.values() for step in part.steps}
        lines = (f"{one.accession}: {one.title}. {one.reason}" for one in datasets if one.usable)
        self.given = (
            told(objective),
            data_block(study.told or "No groups are compared.", kind="design table"),
            data_block("\n".join(lines) or "None is at hand.", kind="datasets"),
        )

    async def protocol(self, ruled: Protocol) -> Protocol:
        """The protocol. Raises `ModelError`."""
        template = "\n".join(f"{one.id}: {one.heading}. {one.rationale}" for one in ruled.parts)
        published = [data_block(f"{part.heading}. {part.reason}", id=key) for key, part in self.parts.items()]
        blocks = (*self.given, *published, data_block(template, kind="template"))
        made = await reviewed(
            self.mind, "headings", "the headings of a protocol", blocks, Headings, self._wrong, self.wishes
        )
        notes = list(made.notes)
        parts: list[ProtocolPart] = []
        for heading in made.value.headings:
            part, more = await self._part(heading, parts, ruled)
            parts.append(part)
            notes += more
        tasks = tuple(replace(one, section=_nearest(one.section, parts)) for one in ruled.tasks)
        return replace(
            ruled, parts=tuple(parts), tasks=tasks, by=self.mind.name, notes=(*ruled.notes, *notes)
        )

    def _wrong(self, value: Headings) -> list[str]:
        ids = [one.id for one in value.headings]
        twice = {one for one in ids if ids.count(one) > 1}
        return [f"The id {one} stands twice." for one in sorted(twice)]

    async def _part(
        self, heading: OneHeading, before: Sequence[ProtocolPart], ruled: Protocol
    ) -> tuple[ProtocolPart, tuple[str, ...]]:
        own = [
            data_block(_part_text(self.parts[one]), id=one) for one in heading.follows if one in self.parts
        ]
        template = next((part for part in ruled.parts if part.id == heading.id), None)
        shown = (
            [data_block("\n".join(one.text for one in template.steps), kind="template")] if template else []
        )
        earlier = "\n".join(f"{one.heading}: {len(one.steps)} steps. {one.rationale}" for one in before)
        blocks = (
            *self.given,
            data_block(earlier or "None.", kind="parts before"),
            data_block(f"{heading.heading}. {heading.rationale}", kind="this part"),
            *own,
            *shown,
        )
        made = await reviewed(
            self.mind,
            "details",
            f"the part “{heading.heading}” of a protocol",
            blocks,
            Details,
            partial(wrong_steps, self.steps, self.study),
            self.wishes,
            heading=heading.heading,
        )
        needs = tuple(one.id for one in before if one.id in heading.needs)
        steps = tuple(step for one in made.value.steps for step in self.taken(one))
        family = template.family if template else ""
        part = ProtocolPart(
            heading.id, heading.heading, heading.rationale, steps, family, needs, self.mind.name
        )
        return part, made.notes

    def taken(self, one: OneDetail) -> tuple[ProtocolStep, ...]:
        """A step as the model wrote it, proposed, with the steps of articles that it follows, verbatim."""
        known = [self.steps[key] for key in one.follows if key in self.steps]
        return (ProtocolStep(one.text), *(ProtocolStep(each.text, (each.id,)) for each in known))


def wrong_steps(steps: dict[str, ReportStep], study: Study, value: Details) -> list[str]:
    """Steps of articles that there are not, clauses that the gate would strike, and another design."""
    unknown = {key for one in value.steps for key in one.follows if key not in steps}
    texts = [one.text for one in value.steps]
    findings = [
        fault.value for one in texts for fault in origin_faults(one, origin_of(MODEL), (), Support(()))
    ]
    return [
        *(f"There is no report step {key}." for key in sorted(unknown)),
        *(f"“{one}” reads as a finding and would not be shown. {SAY_AIMS}" for one in findings),
        *(told for one in texts for told in differences(study, one)),
    ]


def _nearest(section: str, parts: Sequence[ProtocolPart]) -> str:
    """The part that a task belongs to: that of its id, else the last one that speaks of analysis."""
    ids = [one.id for one in parts]
    return section if section in ids else ids[-1]


async def rewritten(
    mind: LanguageModel, objective: Objective, heading: str, steps: Sequence[str], wish: str
) -> tuple[str, ...]:
    """The proposed steps of a part, anew as somebody wishes. Raises `ModelError`."""
    blocks = (told(objective), data_block("\n".join(steps), kind="the steps as they stand"))
    made = await asked(mind, "details", blocks, Details, wish, heading=heading)
    found = tuple(one.text for one in made.steps)
    if not found:
        raise ModelAnswerInvalid("It gave no steps.")
    return found
