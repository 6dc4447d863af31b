"""Hooks: citations are checked."""

from agents.evidence.memory import EvidenceMemory
from agents.minds.agent import run_agent
from agents.minds.hooks import Hook, check_citations
from agents.minds.work import AgentResult, Ports
from agents.runs.memory import trial_run
from agents.trust.values import Verdict
from tests.agents.minds.agents import TASK, Labels, agent, look_up, says
from tests.support.scripted import ScriptedModel

ALPHA = "Angioedema occurred in 3 of 100 patients on alpha."


async def carried(played: ScriptedModel, *hooks: Hook) -> AgentResult:
    return await run_agent(
        await trial_run(), agent(Labels(), hooks=hooks), TASK, EvidenceMemory(), Ports(played)
    )


async def test_claims_are_held_to_what_they_cite() -> None:
    answer = says(
        (ALPHA, "E1"),
        ("Angioedema occurred in 3 of 100 patients at 40 mg.", "E1"),
        ("Alpha is safe.", "E77"),
    )
    played = ScriptedModel({"research": [look_up("alpha"), answer]})

    result = await carried(played, check_citations)

    assert [claim.verdict for claim in result.claims] == [
        Verdict.SUPPORTED,
        Verdict.UNSUPPORTED,
        Verdict.UNSUPPORTED,
    ]
    assert result.shown == result.claims[:1]
    assert result.notes == (
        "2 statement(s) of angioedema were left out: their evidence does not carry them.",
    )
