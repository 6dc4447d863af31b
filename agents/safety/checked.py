"""Entailment that knows the tools' own sentences: what code made from a record needs no second judgement."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from agents.evidence.values import Evidence
from agents.minds.minded import RULES
from agents.ports import Entailment, Judged, Pair
from agents.safety.values import CitedFact, Claims, DraftBlock
from agents.trust.citations import find_quote
from agents.trust.values import Claim, Verdict

TEMPLATED = "The tool made this sentence from the record, and its lines stand there."


def standing(block: DraftBlock, evidence: Sequence[Evidence]) -> DraftBlock | None:
    """A block that rules made, its claims judged by their quotes; without claims that no record carries."""
    if not isinstance(block, Claims):
        return block
    by_key = {item.key: item for item in evidence}
    kept = []
    for claim in block.claims:
        cited = [by_key[key] for key in claim.keys if key in by_key]
        if claim.quotes and all(any(find_quote(quote, item) for item in cited) for quote in claim.quotes):
            kept.append(replace(claim, verdict=Verdict.SUPPORTED, reason=TEMPLATED, checked_by=RULES))
    return replace(block, claims=tuple(kept)) if kept else None


class KnownSentences:
    """Implements `agents.ports.Entailment`: facts and rule-made claims by their quotes, the rest by another.

    A sentence counts as a tool's own only with evidence that holds all its quotes, word for word.
    """

    def __init__(self, facts: Iterable[CitedFact], claims: Iterable[Claim], inner: Entailment) -> None:
        self._quotes = {one.fact.text: one.fact.quotes for one in facts}
        self._quotes |= {claim.text: claim.quotes for claim in claims}
        self._inner = inner
        self.name = inner.name

    async def judge(self, claim: str, evidence: Sequence[Evidence]) -> Judged:
        """See the port."""
        return (await self.judge_all([(claim, evidence)]))[0]

    async def judge_all(self, pairs: Sequence[Pair]) -> list[Judged]:
        """See the port."""
        unknown = [place for place, pair in enumerate(pairs) if not self._known(*pair)]
        judged: list[Judged] = [(Verdict.SUPPORTED, TEMPLATED)] * len(pairs)
        if unknown:
            others = await self._inner.judge_all([pairs[place] for place in unknown])
            for place, verdict in zip(unknown, others, strict=True):
                judged[place] = verdict
        return judged

    def _known(self, claim: str, evidence: Sequence[Evidence]) -> bool:
        quotes = self._quotes.get(claim)
        return bool(quotes) and all(
            any(find_quote(quote, item) for item in evidence) for quote in quotes or ()
        )
