"""Articles read by two minds: a language model over numbered sentences, or rules.

What a model takes from an article it names by number, so that it is verbatim by construction.
"""

import asyncio
from dataclasses import replace

from pydantic import BaseModel, Field

from agents.data_block import data_block
from agents.json_answers import at_most
from agents.minds.minded import fallback_note, minded
from agents.ports import LanguageModel
from agents.protocol.judge import REFERABLE, Wanted, analysed
from agents.protocol.literature import Paper
from agents.protocol.minds import Score, asked, told
from agents.protocol.reports import Sentences, experiment_report, with_results
from agents.protocol.values import ExperimentReport, Objective, ReportPart

STEPS = 40


class OneStep(BaseModel):
    """A step by the numbers of sentences."""

    step: int
    details: list[int] = Field(default=[], json_schema_extra=at_most(8))


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
        judged = await _analysed(mind, objective, ruled.parts)
        parts = await asyncio.gather(*(_section(mind, objective, one, numbered) for one in judged))
        return replace(with_results(ruled, parts, numbered), by=mind.name)

    made = await minded(model, by_model, by_rules)
    note = fallback_note(f"reading {paper.article.id}", made.why_fallen_back)
    return replace(made.value, notes=(*made.value.notes, *((note,) if note else ())))


async def _section(
    mind: LanguageModel, objective: Objective, part: ReportPart, numbered: Sentences
) -> ReportPart:
    """A section of methods with the steps that the model chose and reviewed; as rules read it where it is of
    no help.
    """
    if part.referable < REFERABLE:
        return part
    own = numbered.under(part.heading)
    blocks = [told(objective), data_block(numbered.listed(own), kind="methods")]
    made = await asked(mind, "report", blocks, Steps, heading=part.heading)
    choice = data_block(made.model_dump_json(), kind="choice")
    made = await asked(mind, "report_review", [*blocks, choice], Steps, heading=part.heading)
    prefix = part.steps[0].id.rpartition(".")[0]
    chosen = [one for one in made.steps if one.step in own]
    steps = tuple(
        numbered.step(f"{prefix}.{place}", one.step, one.details) for place, one in enumerate(chosen, start=1)
    )
    return replace(part, steps=steps or part.steps)


async def _analysed(
    mind: LanguageModel, objective: Objective, parts: tuple[ReportPart, ...]
) -> tuple[ReportPart, ...]:
    if not parts:
        return ()
    shown = [data_block(part_text(one), number=str(number)) for number, one in enumerate(parts, start=1)]
    made = await asked(mind, "analysis", (told(objective), *shown), Analyses)
    by_number = {one.number: one for one in made.parts}
    return tuple(_with(one, by_number.get(number)) for number, one in enumerate(parts, start=1))


def _with(part: ReportPart, analysis: OneAnalysis | None) -> ReportPart:
    if analysis is None:
        return part
    suggestions = tuple(analysis.suggestions)
    return replace(part, referable=analysis.score, reason=analysis.reason, suggestions=suggestions)


def part_text(part: ReportPart) -> str:
    """A part of a report as a model reads it."""
    lines = (f"[{step.id}] {' '.join((step.text, *step.details))}" for step in part.steps)
    return "\n".join((part.heading, *lines, *(f"Suggestion: {one}" for one in part.suggestions)))
