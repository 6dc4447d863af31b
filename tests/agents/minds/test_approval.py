"""A tool that needs approval: the run waits for a person, and what they decide reaches the agent."""

from dataclasses import replace

import pytest

from agents.errors import Suspended
from agents.evidence.memory import EvidenceMemory
from agents.minds.agent import run_agent
from agents.minds.work import AgentResult, Ports
from agents.runs.pipeline import new_run
from agents.runs.requests import answer
from agents.runs.run import Run
from tests.agents.minds.agents import FOUND, TASK, Labels, agent, look_up, model, tool_messages
from tests.support.memory.ledger import MemoryLedger
from tests.support.scripted import ScriptedModel


async def begun() -> tuple[MemoryLedger, Run]:
    ledger, record = MemoryLedger(), new_run("trial", None)
    await ledger.create(record)
    return ledger, Run(record, ledger)


async def carried(run: Run, labels: Labels, ports: Ports) -> AgentResult:
    tools = labels.toolset.map(lambda tool: replace(tool, needs_approval=True))
    return await run_agent(run, agent(labels, tools=tools), TASK, EvidenceMemory(), ports)


async def decide(ledger: MemoryLedger, run: Run, choice: str) -> None:
    for asked in await ledger.open_requests(run.id):
        await answer(run.id, asked.name, choice, "ada", ledger)


@pytest.mark.parametrize(("choice", "asked"), [("approve", ["alpha", "beta"]), ("reject", [])])
async def test_a_call_runs_only_after_somebody_approved_it(choice: str, asked: list[str]) -> None:
    ledger, run = await begun()
    labels, played = Labels(), model()
    for _ in range(2):  # alpha, then beta; the same call again is answered from memory
        with pytest.raises(Suspended):
            await carried(run, labels, Ports(played))
        assert labels.asked == asked[: len(labels.asked)]
        await decide(ledger, run, choice)
        if choice == "reject":
            break
    if choice == "approve":
        result = await carried(run, labels, Ports(played))
        assert [claim.keys for claim in result.claims] == [("E1",)]
    else:
        with pytest.raises(Suspended):
            await carried(run, labels, Ports(played))
        assert "rejected by ada" in tool_messages(played.calls[-1])[-1].text
    assert labels.asked == asked


async def test_a_decision_holds_for_one_call_that_changes_something_not_for_the_same_call_again() -> None:
    ledger, run = await begun()
    labels = Labels()
    writing = labels.toolset.map(lambda tool: replace(tool, needs_approval=True, read_only=False))
    played = ScriptedModel({"research": [look_up("alpha"), look_up("alpha"), FOUND]})

    for approved in (0, 1):
        with pytest.raises(Suspended):
            await run_agent(run, agent(labels, tools=writing), TASK, EvidenceMemory(), Ports(played))
        assert labels.asked == ["alpha"] * approved
        await decide(ledger, run, "approve")
    await run_agent(run, agent(labels, tools=writing), TASK, EvidenceMemory(), Ports(played))

    assert labels.asked == ["alpha"] * 2
