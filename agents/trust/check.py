"""The verdict on a claim: closed-set citations, then numbers, then entailment. The worst of them stands."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from agents.evidence.memory import EvidenceMemory
from agents.evidence.values import Evidence
from agents.ports import Entailment, Judged
from agents.text.clauses import carried_part
from agents.trust.citations import close_citations
from agents.trust.lexical import LexicalEntailment
from agents.trust.support import carriers_of, check_numbers, sound
from agents.trust.values import BY_WORDS, IN_ITS_WORDS, TEMPLATED, VERBATIM, WRITER, Claim, Verdict

SHOWN = frozenset({Verdict.SUPPORTED, Verdict.PARTLY})
"""Verdicts with which a claim may be shown as a finding."""


def shown(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """The claims that may be shown as findings."""
    return tuple(claim for claim in claims if claim.verdict in SHOWN)


async def check_claims(
    claims: Sequence[Claim], memory: EvidenceMemory, entailment: Entailment
) -> tuple[Claim, ...]:
    """The claims with verdict, reason and the name of the check; invented keys and false quotes are gone.

    They are sent to the entailment check together. What of a claim states a number that its evidence does not
    is cut off before; a claim that cites nothing, or of which nothing is left, is not sent there.
    """
    closed = [_carried(close_citations(claim, memory), memory) for claim in claims]
    judged = [_numbers_of(claim, memory) for claim in closed]
    sent = [place for place, (verdict, _) in enumerate(judged) if verdict is Verdict.SUPPORTED]
    pairs = [(closed[place].text, _evidence_of(closed[place], memory)) for place in sent]
    for place, verdict in zip(sent, await entailment.judge_all(pairs) if pairs else (), strict=True):
        judged[place] = verdict
    return tuple(
        replace(claim, verdict=verdict, reason=reason, checked_by=_checked_by(reason, entailment))
        for claim, (verdict, reason) in zip(closed, judged, strict=True)
    )


def _checked_by(reason: str, entailment: Entailment) -> str:
    """What gave a verdict with this reason."""
    if reason in (VERBATIM, IN_ITS_WORDS):
        return "numbers; the passage's words"
    if reason == TEMPLATED:
        return "rules"
    by = LexicalEntailment.name
    if reason.startswith(BY_WORDS) and entailment.name != by:
        return f"numbers; {by}, in place of {WRITER}"
    return f"numbers; {entailment.name}"


def _carried(claim: Claim, memory: EvidenceMemory) -> Claim:
    """The claim without clauses and asides whose numbers its evidence does not state; itself if all are."""
    evidence = [memory.get(key) for key in claim.keys]

    def stands(text: str) -> bool:
        return check_numbers(replace(claim, text=text), evidence)[0] is Verdict.SUPPORTED

    return replace(claim, text=carried_part(claim.text, stands) or claim.text) if evidence else claim


def _numbers_of(claim: Claim, memory: EvidenceMemory) -> Judged:
    """The verdict of the number check."""
    if not claim.keys:
        return Verdict.UNSUPPORTED, "It cites no evidence of this run."
    return check_numbers(claim, [memory.get(key) for key in claim.keys])


def _evidence_of(claim: Claim, memory: EvidenceMemory) -> list[Evidence]:
    """What a claim cites, and its derived numbers, each with the formula and inputs that give it."""
    cited = [memory.get(key) for key in claim.keys]
    computed = sound(claim.derived, carriers_of(cited))
    told = (f"Computed: {one.formula} = {one.value}, of {' and '.join(one.inputs)}." for one in computed)
    return [*cited, *(Evidence("computed", text, "", "", 0, len(text), text) for text in told)]
