"""A target safety report, from a name to sections (TSAssistant, section 3).

resolve → collect (every database, side by side) → sections by rules → a model's assessment → report
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from agents.databases.facts import Topic
from agents.databases.target import Found, Target
from agents.errors import AgentError, ToolFailed
from agents.evidence.sources import Sources
from agents.kinds import Given
from agents.minds.minded import RULES, fallback_note
from agents.ports import Entailment, LanguageModel
from agents.reports.values import Figure
from agents.runs.run import Run
from agents.safety.archive import SEARCH, ask_archive
from agents.safety.charts import SECTION as CHARTED
from agents.safety.charts import Chart, chart_of
from agents.safety.collect import BLOCK, SECONDS, ask, collect, left_out
from agents.safety.coverage import releases_of
from agents.safety.instructions import Instructions
from agents.safety.material import Material, material_of
from agents.safety.open_points import with_direction
from agents.safety.order import SafetyOrder
from agents.safety.orthologs.tool import sequences_tool
from agents.safety.outline import BY_ID, SECTIONS
from agents.safety.own_sources import (
    FIRST_SEQUENCE,
    TOOL,
    collected_of_given,
    collected_of_uploads,
    is_fasta,
    source_of,
)
from agents.safety.synthesis.conclusion import unread_line
from agents.safety.synthesis.summary import short_of
from agents.safety.synthesis.told import Told
from agents.safety.values import (
    Assessment,
    Claims,
    Collected,
    DraftBlock,
    Part,
    Picture,
    Risk,
    TableDraft,
    cites,
    missing_of,
)
from agents.safety.whole import judged, written
from agents.safety.writer import by_rules, evidence_of
from agents.tools.kept import kept
from agents.tools.tool import Tool
from agents.tools.toolset import Toolset

log = logging.getLogger(__name__)

WHICH = "Which target is meant?"
UNANSWERED = "The language model had not answered when the run ended; rules wrote this."


@dataclass(frozen=True, slots=True)
class WritingTools:
    """What sections are written with; `instructions` are the layers of people."""

    model: LanguageModel | None
    entailment: Entailment
    sources: Sources | None
    instructions: Instructions


@dataclass(frozen=True, slots=True)
class SafetyTools:
    """What a safety run works with. `find` resolves a name; `databases` are asked in every run, each for at
    most so many `seconds`; `archive` opens the tools of the archive, None where there are none.
    """

    find: Callable[[str], Awaitable[Found]]
    databases: Toolset
    archive: Callable[[], Awaitable[Toolset | None]]
    desk: WritingTools
    seconds: float = SECONDS


async def assess(tools: SafetyTools, run: Run, order: SafetyOrder) -> Assessment:
    """The report's sections; of a revision the one section that is asked for."""
    found = await run.step("resolve", partial(resolve, tools), order.target)
    if len(found.targets) != 1:
        return _unclear(order, found)
    order, decided = await with_direction(run, order)
    target = found.targets[0]
    wanted = Toolset("databases", (one for one in tools.databases.values() if one.name not in order.without))
    collected = [
        *await collect(run, wanted, target, tools.seconds),
        *left_out(tools.databases, order.without),
    ]
    if SEARCH not in order.without:
        collected.append(await run.step("collect/archive", partial(search_archive, tools), target))
    if order.given:
        await run.step("collect/given", partial(keep_given, tools), order.given)
        collected[:0] = await told_in_given(run, tools, order, target)
    collected += collected_of_uploads(order.uploads)
    material = material_of(order, target, collected)
    names = [order.section] if order.section else [one.id for one in SECTIONS if one.id not in order.without]
    guidance = tools.desk.instructions.guidance
    parts = {name: by_rules(name, material, guidance) for name in names}
    notes = [found.note, decided, *tools.desk.instructions.notes]
    late = UNANSWERED if tools.desk.model else ""
    run.keep(lambda: assembled(material, tuple(parts.values()), (*notes, late)))
    made = await written(run, tools.desk.model, material, tools.desk.instructions)
    notes.append(fallback_note("the assessment", made.why_fallen_back))
    told: Told | None = None
    if made.by != RULES:
        told = Told(material, made, await judged(run, tools.desk.entailment, material, made.value))
        parts |= {name: told_over(part, told) for name, part in parts.items()}
        notes.append(told.note)
    drawn = await run.step("charts", partial(draw, run, material), told.risks if told else material.risks)
    if drawn.picture and CHARTED in parts:
        charted = parts[CHARTED]
        parts[CHARTED] = replace(charted, blocks=with_picture(charted.blocks, drawn.picture))
    return assembled(material, tuple(parts.values()), (*notes, drawn.note), told)


async def resolve(tools: SafetyTools, name: str) -> Found:
    """What the name may mean. Where nobody can tell, it is unknown, and the note says why."""
    try:
        return await tools.find(name)
    except ToolFailed as error:
        return Found(note=str(error))


async def keep_given(tools: SafetyTools, given: tuple[Given, ...]) -> int:
    """Keep texts that people gave, so that citations of them open; how many there are."""
    for one in given:
        if tools.desk.sources is not None:
            await tools.desk.sources.put(source_of(one))
    return len(given)


async def told_in_given(run: Run, tools: SafetyTools, order: SafetyOrder, target: Target) -> list[Collected]:
    """What given texts say of the target, and which orthologs given sequences hold."""
    section = BY_ID[order.section]
    topic = section.topics[0] if section.researches else Topic.GIVEN
    sequences = [one for one in order.given if topic is Topic.HOMOLOGY and is_fasta(one.text)]
    selections = [
        await run.step(
            f"collect/sequences/{number}", partial(compare_given, tools, number), one, target.symbol
        )
        for number, one in enumerate(sequences)
    ]
    texts = (one for one in order.given if one not in sequences)
    return [*selections, *collected_of_given(texts, topic, target)]


async def compare_given(tools: SafetyTools, number: int, given: Given, symbol: str) -> Collected:
    """The selection among given sequences; a sentence where they cannot be compared."""
    tool: Tool[Any] = sequences_tool(TOOL, given.title, given.text)
    if tools.desk.sources is not None:
        tool = kept(tool, tools.desk.sources)
    return await ask(tool, FIRST_SEQUENCE + number * BLOCK, tools.seconds, symbol)


async def search_archive(tools: SafetyTools, target: Target) -> Collected:
    """What the archive says of the target."""
    return await ask_archive(await tools.archive(), target)


@dataclass(frozen=True, slots=True)
class Drawn:
    """The chart as files of the run; `note` says why there is none though there should be."""

    picture: Picture | None = None
    note: str = ""


async def draw(run: Run, material: Material, risks: tuple[Risk, ...]) -> Drawn:
    """The chart. Drawn elsewhere than on the loop; a report without it is still one."""
    try:
        chart = await asyncio.to_thread(chart_of, material.order, risks)
        return Drawn(await _kept(run, chart) if chart else None)
    except AgentError:
        raise
    except Exception as error:  # whatever a drawing library stumbles over
        log.exception("the chart of %s was not drawn", material.target.symbol)
        return Drawn(note=f"The chart could not be drawn ({type(error).__name__}); the tables say the same.")


async def _kept(run: Run, chart: Chart) -> Picture:
    light = await run.artefact(chart.light.png, "image/png", f"{chart.light.name}.png")
    dark = await run.artefact(chart.dark.png, "image/png", f"{chart.dark.name}_dark.png")
    figure = Figure(chart.light.title, light.sha256, light.media_type, chart.light.text, dark=dark.sha256)
    return Picture(figure, *cites(chart.facts))


def told_over(part: Part, told: Told) -> Part:
    """The section with what a model tells: before the facts, or in place of a judgement by rules."""
    blocks = told.blocks(part.id)
    if not blocks:
        return part
    facts = part.blocks if BY_ID[part.id].researches else ()
    return replace(part, blocks=(*blocks, *facts), by=told.by)


def assembled(
    material: Material, parts: tuple[Part, ...], notes: Sequence[str], told: Told | None = None
) -> Assessment:
    """The report of these sections, and of what a model told."""
    return Assessment(
        material.order,
        material.target,
        parts,
        told.risks if told else material.risks,
        evidence_of(material, parts),
        missing_of(material.collected),
        tuple(filter(None, notes)),
        key=told.key if told else short_of(material),
        unread=unread_line(material),
        sources=tuple(dict.fromkeys(one.source for one in material.collected)),
        releases=releases_of(material.collected),
        drugs=tuple(dict.fromkeys(one.fact.term for one in material.of(Topic.DRUG))),
    )


def with_picture(blocks: Sequence[DraftBlock], picture: Picture) -> tuple[DraftBlock, ...]:
    """The blocks with the chart behind what opens it, its statements or else its main table: a chart that
    finds no room on a page leaves no gap between a heading and it.
    """
    at = 1 if blocks and isinstance(blocks[0], Claims | TableDraft) else 0
    return (*blocks[:at], picture, *blocks[at:])


def _unclear(order: SafetyOrder, found: Found) -> Assessment:
    """A question back: the choices, or that the name is unknown, with names that are spelled nearly so."""
    options = tuple(f"{one.symbol} ({one.name})" if one.name else one.symbol for one in found.targets)
    asked = f"{found.note} {WHICH}".strip() if options else found.note or f"{order.target} is not known."
    return Assessment(order, ask_back=asked, options=options or found.near)


def stopped(assessment: Assessment, reason: str) -> Assessment:
    """The partial report of a run that ended early."""
    return replace(assessment, partial=reason)
