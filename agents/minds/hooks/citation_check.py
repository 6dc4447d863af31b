"""Checks every claim of an agent against the evidence that it cites, before anybody else reads it."""

from dataclasses import replace
from functools import partial

from agents.evidence.memory import EvidenceMemory, MemoryDump
from agents.minds.hooks.hook import Hook
from agents.minds.work import AgentResult, Work
from agents.ports import Entailment
from agents.trust.check import SHOWN, check_claims
from agents.trust.values import Claim


class CitationCheck(Hook):
    """Gives each claim its verdict: known keys, verbatim quotes, stated numbers, then entailment.

    Claims that their evidence does not carry stay in the result with their reasons; a note says how many are
    not shown.
    """

    async def after(self, result: AgentResult, work: Work) -> AgentResult:
        """The result with checked claims; the check is a step of the run."""
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
