"""A target safety report, from a name to sections (TSAssistant, section 3).

resolve → collect (every database, side by side) → research sections → synthesis sections → report
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from agents.databases.facts import Fact
from agents.databases.target import Found, Target
from agents.errors import ToolFailed
from agents.minds.sections import Written
from agents.reports.graph import stages
from agents.reports.values import Figure
from agents.runs.failures import innermost
from agents.runs.run import Run
from agents.safety.archive import ask_archive
from agents.safety.charts import Chart, charts_of
from agents.safety.collect import SECONDS, collect
from agents.safety.material import Material, material_of
from agents.safety.order import SafetyOrder
from agents.safety.outline import GRAPH, SECTIONS
from agents.safety.standing import needed_as_they_stand
from agents.safety.values import Assessment, Claims, Collected, DraftBlock, Part, Picture
from agents.safety.writer import Desk, evidence_of, write
from agents.tools.toolset import Toolset

WHICH = "Which target is meant?"


@dataclass(frozen=True, slots=True)
class SafetyTools:
    """What a safety run works with. `find` resolves a name; `databases` are asked in every run, each for at
    most so many `seconds`; `archive` opens the tools of the archive, None where there are none.
    """

    find: Callable[[str], Awaitable[Found]]
    databases: Toolset
    archive: Callable[[], Awaitable[Toolset | None]]
    desk: Desk
    seconds: float = SECONDS


async def assess(tools: SafetyTools, run: Run, order: SafetyOrder) -> Assessment:
    """The report's sections; of a revision the one section that is asked for."""
    found = await run.step("resolve", partial(resolve, tools), order.target)
    if len(found.targets) != 1:
        return _unclear(order, found)
    target = found.targets[0]
    wanted = Toolset("databases", (one for one in tools.databases.values() if one.name not in order.without))
    own = await run.step("collect/archive", partial(search_archive, tools), target)
    collected = (*await collect(run, wanted, target, tools.seconds), own)
    material = material_of(order, target, collected)
    pictures = await run.step(
        "charts", partial(draw, run, material), tuple(one.fact for one in material.facts)
    )
    made = _Sections(run, tools.desk, material, found.note, pictures)
    run.keep(lambda: made.assessment() if made.parts else None)
    await made.write()
    return made.assessment()


async def resolve(tools: SafetyTools, name: str) -> Found:
    """What the name may mean. Where nobody can tell, it is unknown, and the note says why."""
    try:
        return await tools.find(name)
    except ToolFailed as error:
        return Found(note=str(error))


async def search_archive(tools: SafetyTools, target: Target) -> Collected:
    """What the archive says of the target."""
    return await ask_archive(await tools.archive(), target)


async def draw(run: Run, material: Material, facts: tuple[Fact, ...]) -> tuple[tuple[str, Picture], ...]:
    """The charts as files of the run, each with its section. Drawn elsewhere than on the loop."""
    charts = await asyncio.to_thread(lambda: tuple(charts_of(material)))
    return tuple([(one.section, await _kept(run, one)) for one in charts])


async def _kept(run: Run, chart: Chart) -> Picture:
    light = await run.artefact(chart.light.png, "image/png", f"{chart.light.name}.png")
    dark = await run.artefact(chart.dark.png, "image/png", f"{chart.dark.name}_dark.png")
    figure = Figure(chart.light.title, light.sha256, light.media_type, chart.light.text, dark=dark.sha256)
    keys = tuple(dict.fromkeys(one.key for one in chart.facts))
    return Picture(
        figure, keys, tuple(dict.fromkeys(quote for one in chart.facts for quote in one.fact.quotes))
    )


class _Sections:
    """The sections of a run, stage by stage."""

    def __init__(
        self, run: Run, desk: Desk, material: Material, note: str, pictures: Sequence[tuple[str, Picture]]
    ) -> None:
        self._run, self._desk, self._material, self._note = run, desk, material, note
        self._pictures = pictures
        self._written: dict[str, Written] = dict(needed_as_they_stand(material))
        self.parts: dict[str, Part] = {}

    async def write(self) -> None:
        """All sections, or the one that is asked for."""
        only = self._material.order.section
        for stage in stages(GRAPH):
            names = [name for name in stage if only in ("", name)]
            await _side_by_side([partial(self._one, name) for name in names])

    async def _one(self, name: str) -> None:
        written, part = await write(self._run, self._desk, self._material, name, self._written)
        self._written[name] = written
        own = tuple(picture for section, picture in self._pictures if section == name)
        self.parts[name] = replace(part, blocks=with_pictures(part.blocks, own))

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
            material.missing,
            material.conflicts,
            tuple(filter(None, (self._note, *self._desk.instructions.notes))),
            sources=tuple(dict.fromkeys(one.source for one in material.collected)),
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


def with_pictures(blocks: Sequence[DraftBlock], pictures: Sequence[Picture]) -> tuple[DraftBlock, ...]:
    """The blocks with charts behind the opening statements, before tables and remarks."""
    at = 1 if blocks and isinstance(blocks[0], Claims) else 0
    return (*blocks[:at], *pictures, *blocks[at:])


def _unclear(order: SafetyOrder, found: Found) -> Assessment:
    """A question back: the choices, or that the name is unknown."""
    options = tuple(f"{one.symbol} ({one.name})" if one.name else one.symbol for one in found.targets)
    asked = f"{found.note} {WHICH}".strip() if options else found.note or f"{order.target} is not known."
    return Assessment(order, ask_back=asked, options=options)


def stopped(assessment: Assessment, reason: str) -> Assessment:
    """The partial report of a run that ended early."""
    return replace(assessment, partial=reason)
