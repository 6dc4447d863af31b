"""Hooks: what code does with an agent's result before anybody else reads it, whatever the agent says
(TSAssistant, 3.2).

Hooks run in the order in which an agent lists them, and do their work in steps of the run.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from agents.evidence.memory import EvidenceMemory, MemoryDump
from agents.minds.work import AgentResult, Work
from agents.ports import Entailment
from agents.trust.check import SHOWN, check_claims
from agents.trust.values import Claim

Hook = Callable[[AgentResult, Work], Awaitable[AgentResult]]
"""From a result to the one that is handed over."""


async def check_citations(result: AgentResult, work: Work) -> AgentResult:
    """The result with a verdict on each claim: known keys, verbatim quotes, stated numbers, then entailment.

    Claims that their evidence does not carry stay in it with their reasons; a note says how many are not
    shown.
    """
    check = partial(_checked, work.ports.entailment)
    claims = await work.run.step(f"{work.agent}/citations", check, result.claims, work.memory.dump())
    result = replace(result, claims=claims)
    left_out = sum(claim.verdict not in SHOWN for claim in claims)
    if not left_out:
        return result
    return result.noted(
        f"{left_out} statement(s) of {work.agent} were left out: their evidence does not carry them."
    )


async def _checked(
    entailment: Entailment, claims: tuple[Claim, ...], evidence: MemoryDump
) -> tuple[Claim, ...]:
    return await check_claims(claims, EvidenceMemory.load(evidence), entailment)
