"""Sections that build on each other, each written by an agent in a context of its own (TSAssistant, 3.2).

An agent sees its task, the summaries of the sections that it needs, and the evidence they cite; nothing else.
Each section is a step of the run: one that is finished is not written again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from agents.data_block import data_block
from agents.errors import ModelError, StepFailed
from agents.evidence.memory import EvidenceMemory, MemoryDump
from agents.minds.agent import Agent, run_agent
from agents.minds.compression import shorten
from agents.minds.work import AgentResult, Ports, Sentence, Summary, Task
from agents.runs.run import Run


@dataclass(frozen=True, slots=True)
class SectionTask:
    """A piece of a report: who writes it, from which task. `first` is the number of the first key that it
    may give out: each section has a block of its own, so that no key depends on who was faster.
    """

    id: str
    title: str
    agent: Agent[Any]
    task: Task
    first: int


@dataclass(frozen=True, slots=True)
class SectionFindings:
    """What a later section gets of an earlier one: a change of anything else does not touch it."""

    title: str
    summary: Summary
    evidence: MemoryDump

    @property
    def block(self) -> str:
        """The summary as data; an empty one says so."""
        return data_block(self.summary.text or "No findings.", kind="finding", of=self.title)


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


async def write_section(run: Run, section: SectionTask, needed: Sequence[Written], ports: Ports) -> Written:
    """One section, after those that it needs; also for writing it anew when one of them has changed."""
    write = partial(_write, run, section, ports)
    try:
        return await run.step(
            f"section/{section.id}", write, section.task, tuple(one.found for one in needed)
        )
    except StepFailed as error:
        return Written(section.id, section.title, stopped=str(error))


async def _write(
    run: Run, section: SectionTask, ports: Ports, task: Task, needed: tuple[SectionFindings, ...]
) -> Written:
    """The outcome of a section. That its agent was stopped is one too, and is kept like any other."""
    memory = EvidenceMemory.joined((one.evidence for one in needed), section.first)
    task = replace(task, given=(*task.given, *(one.block for one in needed)))
    try:
        result = await run_agent(run, section.agent, task, memory, ports)
    except ModelError as error:
        return Written(section.id, section.title, stopped=str(error))
    if not result.summary.sentences:
        result = replace(result, summary=shorten(result.shown))
    cited = {key for claim in result.claims for key in claim.keys}
    upstream = {item.key for one in needed for item in one.evidence.evidence}
    return Written(section.id, section.title, result, memory.dump().without(upstream - cited))
