"""A target safety report, from a name to sections (TSAssistant, section 3).

resolve → collect (every database, side by side) → research sections → synthesis sections → report
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from agents.databases.facts import Fact, Topic
from agents.databases.target import Found, Target
from agents.errors import AgentError, ToolFailed
from agents.kinds import Given
from agents.minds.minded import fallback_note
from agents.minds.sections import Written
from agents.reports.graph import stages
from agents.reports.values import Figure
from agents.runs.failures import innermost
from agents.runs.run import Run
from agents.safety.archive import SEARCH, ask_archive
from agents.safety.charts import SECTION as CHARTED
from agents.safety.charts import Chart, chart_of
from agents.safety.collect import BLOCK, SECONDS, ask, collect, left_out
from agents.safety.coverage import releases_of
from agents.safety.filing import filed, filing_of
from agents.safety.material import Material, material_of
from agents.safety.open_points import with_direction
from agents.safety.order import SafetyOrder
from agents.safety.orthologs.tool import sequences_tool
from agents.safety.outline import BY_ID, GRAPH, SECTIONS
from agents.safety.own_sources import (
    FIRST_SEQUENCE,
    TOOL,
    collected_of_given,
    collected_of_uploads,
    is_fasta,
    source_of,
)
from agents.safety.standing import needed_as_they_stand
from agents.safety.synthesis.conclusion import concluded, unread_line
from agents.safety.synthesis.key_risks import key_risks, key_words
from agents.safety.values import (
    Assessment,
    Claims,
    Collected,
    DraftBlock,
    Part,
    Picture,
    TableDraft,
    cites,
    missing_of,
)
from agents.safety.writer import WritingTools, evidence_of, write
from agents.tools.kept import kept
from agents.tools.tool import Tool
from agents.tools.toolset import Toolset

log = logging.getLogger(__name__)

WHICH = "Which target is meant?"


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
    facts = tuple(one.fact for one in material.facts)
    filing = await run.step("filing", partial(filing_of, tools.desk.model, material), facts)
    material = filed(material, filing.value, filing.by)
    drawn = await run.step("charts", partial(draw, run, material), facts)
    notes = (found.note, drawn.note, decided, fallback_note("filing", filing.why_fallen_back))
    made = _Sections(run, tools.desk, material, notes, drawn.picture)
    run.keep(lambda: made.assessment() if made.parts else None)
    await made.write()
    return made.assessment()


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


async def draw(run: Run, material: Material, facts: tuple[Fact, ...]) -> Drawn:
    """The chart. Drawn elsewhere than on the loop; a report without it is still one."""
    try:
        chart = await asyncio.to_thread(chart_of, material)
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


class _Sections:
    """The sections of a run, stage by stage."""

    def __init__(
        self,
        run: Run,
        desk: WritingTools,
        material: Material,
        notes: Sequence[str],
        picture: Picture | None,
    ) -> None:
        self._run, self._desk, self._material, self._notes = run, desk, material, notes
        self._picture = picture
        self._written: dict[str, Written] = dict(needed_as_they_stand(material))
        self.parts: dict[str, Part] = {}

    async def write(self) -> None:
        """All sections, or the one that is asked for."""
        order = self._material.order
        for stage in stages(GRAPH):
            left = [name for name in stage if name not in order.without]
            names = [order.section] if order.section in stage else [] if order.section else left
            await _side_by_side([partial(self._one, name) for name in names])

    async def _one(self, name: str) -> None:
        written, part = await write(self._run, self._desk, self._material, name, self._written)
        self._written[name] = written
        drawn = self._picture if name == CHARTED else None
        self.parts[name] = replace(part, blocks=with_picture(part.blocks, drawn)) if drawn else part

    def assessment(self) -> Assessment:
        """What is written so far."""
        material = self._material
        parts = tuple(self.parts[one.id] for one in SECTIONS if one.id in self.parts)
        return Assessment(
            material.order,
            material.target,
            parts,
            material.risks,
            evidence_of(material, tuple(self._written.values()), parts),
            missing_of(material.collected),
            tuple(filter(None, (*self._notes, *self._desk.instructions.notes))),
            key=(concluded(material), *key_words(key_risks(material))),
            unread=unread_line(material),
            sources=tuple(dict.fromkeys(one.source for one in material.collected)),
            releases=releases_of(material.collected),
        )


async def _side_by_side(work: list[Callable[[], Awaitable[None]]]) -> None:
    """Sections of a stage; what stops the run ends them all."""
    try:
        async with asyncio.TaskGroup() as group:
            for one in work:
                group.create_task(_ended(one))
    except BaseExceptionGroup as errors:
        failure = innermost(errors)
    else:
        return
    raise failure


async def _ended(work: Callable[[], Awaitable[None]]) -> None:
    await work()


def with_picture(blocks: Sequence[DraftBlock], picture: Picture) -> tuple[DraftBlock, ...]:
    """The blocks with the chart behind what opens the section, its statements or else its main table: a chart
    that finds no room on a page leaves no gap between a heading and it.
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
