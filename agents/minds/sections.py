"""Sections that build on each other, each written by an agent in a context of its own (TSAssistant, 3.2).

    graph = SectionGraph([SectionTask("genetics", ...), SectionTask("risks", ..., needs=("genetics",))])
    results = await write_sections(run, graph, ports)

An agent sees its task, the summaries of the sections that it needs, and the evidence they cite; nothing else.
Sections that do not need each other are written side by side. Each is a step of the run: one that is finished
is not written again.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from agents.errors import HookFailed, ModelError, StepFailed, Suspended
from agents.evidence.memory import EvidenceMemory, MemoryDump
from agents.minds.agent import Agent, run_agent
from agents.minds.compression import shorten
from agents.minds.hooks.inject import Inject
from agents.minds.work import AgentResult, Ports, Sentence, Summary, Task
from agents.reports.graph import ordered
from agents.runs.failures import innermost
from agents.runs.run import Run

BLOCK = 1000
"""Keys that each section may give out: the third begins with E3001."""


@dataclass(frozen=True, slots=True)
class SectionTask:
    """A piece of a report: who writes it, from which task, and which sections it needs before."""

    id: str
    title: str
    agent: Agent[Any]
    task: Task
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SectionFindings:
    """What a later section gets of an earlier one: a change of anything else does not touch it."""

    title: str
    summary: Summary
    evidence: MemoryDump


@dataclass(frozen=True, slots=True)
class Written:
    """A section as it was written, with the evidence it found or cites; or why it was not written."""

    section: str
    title: str
    result: AgentResult | None = None
    evidence: MemoryDump = MemoryDump()
    stopped: str = ""

    @property
    def found(self) -> SectionFindings:
        """What later sections get of it."""
        if self.result is None:
            not_written = Summary((Sentence(f"This section was not written. {self.stopped}", ()),))
            return SectionFindings(self.title, not_written, self.evidence)
        return SectionFindings(self.title, self.result.summary, self.evidence)


class SectionGraph(Mapping[str, SectionTask]):
    """Sections by id, each after those that it needs.

    Raises `ValueError` for an id or an agent's name that occurs twice, an unknown need, or a circle.
    """

    def __init__(self, sections: Iterable[SectionTask]) -> None:
        given = list(sections)
        self._sections = {section.id: section for section in given}
        if len(self._sections) < len(given) or len({section.agent.name for section in given}) < len(given):
            raise ValueError("two sections have the same id, or agents of the same name")
        for section in given:
            if unknown := set(section.needs) - self._sections.keys():
                raise ValueError(f"the section {section.id!r} needs {sorted(unknown)}, which nobody writes")
        self.order = ordered({section.id: section.needs for section in given})

    def __getitem__(self, key: str) -> SectionTask:
        return self._sections[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sections)

    def __len__(self) -> int:
        return len(self._sections)

    def first_key(self, section_id: str) -> int:
        """The number of the first key that a section gives out; it depends on the graph alone."""
        return list(self._sections).index(section_id) * BLOCK + BLOCK + 1


async def write_sections(run: Run, graph: SectionGraph, ports: Ports) -> dict[str, Written]:
    """All sections by id, in the order of the graph. One that fails says why and does not stop the others.

    Raises what stops the run, and `Suspended` once all that need not wait for a person is written.
    """
    tasks: dict[str, asyncio.Task[Written | Suspended]] = {}

    async def one(section: SectionTask) -> Written | Suspended:
        needed: list[Written] = []
        for need in section.needs:
            before = await tasks[need]
            if isinstance(before, Suspended):
                return before
            needed.append(before)
        try:
            return await write_section(run, graph, section, needed, ports)
        except Suspended as waiting:
            return waiting

    try:
        async with asyncio.TaskGroup() as group:
            for section_id in graph.order:
                tasks[section_id] = group.create_task(one(graph[section_id]))
    except BaseExceptionGroup as errors:
        failure = innermost(errors)
    else:
        return {section_id: _written(tasks[section_id].result()) for section_id in graph}
    raise failure


def _written(outcome: Written | Suspended) -> Written:
    if isinstance(outcome, Suspended):
        raise outcome
    return outcome


async def write_section(
    run: Run, graph: SectionGraph, section: SectionTask, needed: Sequence[Written], ports: Ports
) -> Written:
    """One section, after those that it needs; also for writing it anew when one of them has changed."""
    write = partial(_write, run, graph, section, ports)
    try:
        return await run.step(
            f"section/{section.id}", write, section.task, tuple(one.found for one in needed)
        )
    except StepFailed as error:
        return Written(section.id, section.title, stopped=str(error))


def evidence_of(written: Iterable[Written]) -> EvidenceMemory:
    """The evidence of several sections together."""
    return EvidenceMemory.joined(one.evidence for one in written)


async def _write(
    run: Run,
    graph: SectionGraph,
    section: SectionTask,
    ports: Ports,
    task: Task,
    needed: tuple[SectionFindings, ...],
) -> Written:
    """The outcome of a section. That its agent was stopped is one too, and is kept like any other."""
    memory = EvidenceMemory.joined((one.evidence for one in needed), graph.first_key(section.id))
    agent = section.agent
    if needed:
        inject = Inject({one.title: one.summary for one in needed})
        agent = replace(agent, hooks=(inject, *agent.hooks))
    try:
        result = await run_agent(run, agent, task, memory, ports)
    except (HookFailed, ModelError) as error:
        return Written(section.id, section.title, stopped=str(error))
    if not result.summary.sentences:
        result = replace(result, summary=shorten(result.shown))
    cited = {key for claim in result.claims for key in claim.keys}
    upstream = {item.key for one in needed for item in one.evidence.evidence}
    return Written(section.id, section.title, result, memory.dump().without(upstream - cited))
