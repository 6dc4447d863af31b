"""Sections in order of their needs: isolated contexts, compressed findings, keys that no timing changes."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.minds.hooks import CitationCheck, Compress, Hook
from agents.minds.sections import SectionGraph, SectionTask, Written, evidence_of, write_sections
from agents.minds.work import AgentResult, Ports, Task, Work
from agents.runs.execute import execute
from agents.runs.memory import MemoryLedger, trial_run
from agents.runs.pipeline import Pipeline, new_run
from agents.runs.records import Request, RunState
from agents.runs.requests import answer
from agents.runs.run import Run
from agents.scripted import Answer, Call, ScriptedModel
from agents.tools.approved import Approval, approved
from agents.tools.toolset import Toolset
from agents.usage import Usage
from tests.adapters.storage.places import MovableClock
from tests.agents.minds.agents import LABELS, Labels, agent, look_up, says
from tests.agents.minds.test_crash import MortalLabels, Watch
from tests.agents.runs.test_crash import Killed, MortalLedger, Process
from tests.support.drills import examples

HOOKS = (CitationCheck(), Compress())


def section(labels: Labels, name: str, *needs: str, hooks: tuple[Hook, ...] = HOOKS) -> SectionTask:
    return SectionTask(
        name, name.title(), agent(labels, name=name, hooks=hooks), Task(f"Write {name}."), needs
    )


def diamond(labels: Labels, **changes: Any) -> SectionGraph:
    """Two sections side by side, one that builds on both, and one on that."""
    return SectionGraph(
        [
            section(labels, "alpha", **changes),
            section(labels, "gamma"),
            section(labels, "risks", "alpha", "gamma"),
            section(labels, "summary", "risks"),
        ]
    )


def writer(call: Call) -> Answer:
    """Looks up the drug that the section is called after; the last sections cite what they were given."""
    name = call.messages[1].text.rsplit("Write ", 1)[1].rstrip(".")
    if name in LABELS and len(call.messages) == 2:
        return look_up(name)
    key = {"alpha": "E1001", "gamma": "E2001"}.get(name, "E2001")
    return says((LABELS["gamma" if key == "E2001" else "alpha"], key))


def model() -> ScriptedModel:
    return ScriptedModel({"research": writer, "compress": []})


async def test_findings_flow_along_the_graph_and_nothing_else_does() -> None:
    played = model()

    written = await write_sections(await trial_run(), diamond(Labels()), Ports(played))

    assert list(written) == ["alpha", "gamma", "risks", "summary"]
    first = {
        call.messages[1].text.rsplit("Write ", 1)[1]: call.messages[1].text
        for call in played.calls
        if call.messages
    }
    assert '<data kind="finding" of="Alpha">' in first["risks."]
    assert LABELS["gamma"] in first["risks."]
    assert LABELS["alpha"] not in first["summary."]  # nobody cited it in between
    assert first["gamma."] == "Write gamma."
    result = written["summary"].result
    assert result is not None
    assert [claim.keys for claim in result.shown] == [("E2001",)]


async def test_a_section_keeps_its_evidence_and_what_it_cites_of_others() -> None:
    written = await write_sections(await trial_run(), diamond(Labels()), Ports(model()))

    keys = {name: [item.key for item in one.evidence.evidence] for name, one in written.items()}
    assert keys == {"alpha": ["E1001"], "gamma": ["E2001"], "risks": ["E2001"], "summary": ["E2001"]}
    assert [item.key for item in evidence_of(written.values()).all()] == ["E1001", "E2001"]


async def test_a_section_that_fails_says_why_and_the_others_are_written() -> None:
    class Broken(Hook):
        async def after(self, result: AgentResult, work: Work) -> AgentResult:
            raise KeyError("a bug")

    played = model()
    written = await write_sections(await trial_run(), diamond(Labels(), hooks=(Broken(),)), Ports(played))

    assert written["alpha"].result is None
    assert "alpha was stopped: Broken failed" in written["alpha"].stopped
    assert written["summary"].result is not None
    [risks] = [c for c in played.calls if c.messages and c.messages[1].text.endswith("Write risks.")][:1]
    assert "This section was not written. alpha was stopped" in risks.messages[1].text


@pytest.mark.parametrize(
    ("needs", "message"),
    [
        ({"a": ["b"], "b": ["c"], "c": ["a"]}, "circle"),
        ({"a": ["a"]}, "circle"),
        ({"a": ["z"]}, "nobody writes"),
    ],
)
def test_a_graph_that_cannot_be_written_is_refused(needs: dict[str, list[str]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SectionGraph(section(Labels(), name, *wanted) for name, wanted in needs.items())


def test_names_are_unique() -> None:
    with pytest.raises(ValueError, match="same"):
        SectionGraph([section(Labels(), "a"), section(Labels(), "a")])


async def test_a_tool_that_waits_for_a_person_holds_up_only_what_builds_on_it() -> None:
    ledger, labels = MemoryLedger(), Labels()
    record = new_run("report", None)
    await ledger.create(record)
    played = ScriptedModel({"research": writer, "compress": lambda call: {"sentences": []}})

    async def work(run: Run, inputs: None) -> list[str]:
        async def ask(question: str, options: tuple[str, ...], files: object) -> Approval:
            decided = await run.wait_for("approval", Request(question, options))
            return Approval(decided.choice, decided.by)

        graph = diamond(labels)
        closed = replace(labels.toolset["search_labels"], needs_approval=True)
        asking = replace(graph["alpha"].agent, tools=Toolset("labels", [approved(closed, ask)]))
        sections = [replace(one, agent=asking) if one.id == "alpha" else one for one in graph.values()]
        written = await write_sections(run, SectionGraph(sections), Ports(played))
        return [one.stopped or "written" for one in written.values()]

    pipelines = {"report": Pipeline(work, None, list[str])}
    await execute(record.run_id, ledger, pipelines, "one")
    waiting = await ledger.run(record.run_id)
    assert waiting is not None
    assert waiting.state is RunState.WAITING
    assert labels.asked == ["gamma"]
    before = len(played.calls)
    [request] = await ledger.open_requests(record.run_id)
    assert "search_labels" in request.request.question

    await answer(record.run_id, request.name, "approve", "anna", ledger)
    await execute(record.run_id, ledger, pipelines, "two")

    done = await ledger.run(record.run_id)
    assert done is not None
    assert done.result == '["written","written","written","written"]'
    assert labels.asked == ["gamma", "alpha"]
    asked = {call.messages[1].text.rsplit("Write ", 1)[1] for call in played.calls[before:] if call.messages}
    assert asked == {"alpha.", "risks.", "summary."}


class Jumpy(ScriptedModel):
    """A model whose turns take their time, more or less."""

    def __init__(self, watch: Watch, delays: dict[str, int]) -> None:
        super().__init__(
            {"research": writer, "compress": lambda call: {"sentences": []}}, usage=Usage(calls=1)
        )
        self._watch, self._delays = watch, delays

    async def converse(self, role: str, messages: Any, tools: Any = (), form: Any = None) -> Any:
        await self._watch.inside_a_step()
        name = messages[1].text.rsplit("Write ", 1)[1].rstrip(".")
        for _ in range(self._delays.get(name, 0)):
            await asyncio.sleep(0)
        turn = await super().converse(role, messages, tools, form)
        self._watch.process.point()
        return turn


async def carried(delays: dict[str, int], crashes: list[int]) -> tuple[str, list[str], list[str]]:
    """Result, repeated steps and finished steps of a run of the diamond."""
    clock = MovableClock()
    ledger = MemoryLedger(clock)
    record = new_run("report", None)
    await ledger.create(record)
    watch = Watch(ledger, record.run_id)

    async def work(run: Run, inputs: None) -> list[Written]:
        ports = Ports(Jumpy(watch, delays))
        return list((await write_sections(run, diamond(MortalLabels(watch)), ports)).values())

    for dies_at in [*crashes, None]:
        watch.process = Process(dies_at)
        mortal: Any = MortalLedger(ledger, watch.process)
        try:
            await execute(record.run_id, mortal, {"report": Pipeline(work, None, list[Written])}, "one")
        except (Killed, BaseExceptionGroup):
            clock.move(60)
    done = await ledger.run(record.run_id)
    assert done is not None
    assert done.state is RunState.DONE, done.error
    return done.result, watch.repeated, sorted(step.name for step in await ledger.steps(record.run_id))


@settings(max_examples=examples(40), deadline=None)
@given(
    st.fixed_dictionaries({"alpha": st.integers(0, 40), "gamma": st.integers(0, 40)}),
    st.lists(st.integers(0, 200), max_size=3),
)
def test_neither_timing_nor_crashes_change_a_report(delays: dict[str, int], crashes: list[int]) -> None:
    expected, _, steps = asyncio.run(carried({}, []))
    assert asyncio.run(carried(delays, crashes)) == (expected, [], steps)
