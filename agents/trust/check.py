"""The verdict on a claim: closed-set citations, then numbers, then entailment. The worst of them stands."""

from dataclasses import replace

from agents.evidence.memory import EvidenceMemory
from agents.ports import Entailment
from agents.trust.citations import close_citations
from agents.trust.numbers import check_numbers
from agents.trust.values import Claim, Verdict

SHOWN = frozenset({Verdict.SUPPORTED, Verdict.PARTLY})
"""Verdicts with which a claim may be shown as a finding."""


async def check_claim(claim: Claim, memory: EvidenceMemory, entailment: Entailment) -> Claim:
    """The claim with verdict, reason and the name of the check; invented keys and false quotes are gone.

    A claim that cites nothing, or states a number that its evidence does not, is not sent to the entailment
    check.
    """
    closed = close_citations(claim, memory)
    checked_by = f"numbers; {entailment.name}"
    if not closed.keys:
        return _judged(closed, Verdict.UNSUPPORTED, "It cites no evidence of this run.", checked_by)
    evidence = [memory.get(key) for key in closed.keys]
    verdict, reason = check_numbers(closed, evidence)
    if verdict is Verdict.SUPPORTED:
        verdict, reason = await entailment.judge(_spelled_out(closed), evidence)
    return _judged(closed, verdict, reason, checked_by)


def _spelled_out(claim: Claim) -> str:
    """The claim with its derived numbers, recomputed by now, replaced by what the evidence states."""
    text = claim.text
    for derivation in claim.derived:
        text = text.replace(derivation.value, " and ".join(derivation.inputs))
    return text


def _judged(claim: Claim, verdict: Verdict, reason: str, checked_by: str) -> Claim:
    return replace(claim, verdict=verdict, reason=reason, checked_by=checked_by)
