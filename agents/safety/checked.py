"""Entailment that knows the tools' own sentences: what code made from a record needs no second judgement.

Of a long record the judge reads the lines that speak of a claim. Conclusions that a model draws count by a
rule of their own (`prompts/conclusions.md`): the paper's class "inferable" (4.1.2).
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from agents.evidence.values import Evidence
from agents.minds.minded import RULES
from agents.minds.prompts import load_prompt
from agents.ports import Entailment, Judged, Pair
from agents.safety.values import CitedFact, Claims, DraftBlock
from agents.text.words import EMPTY_WORDS
from agents.trust.citations import find_quote
from agents.trust.entail import ModelEntailment
from agents.trust.values import TEMPLATED, Verdict

LONG = 1500
"""Characters of a record from which the judge reads only some of its lines."""
HEAD = 3
"""Lines at a record's beginning that say what it is and in which unit; they are always read."""
COMMON, OFTEN = 0.1, 8
"""A word in more than this share of a record's lines, and in more than so many, tells no line apart."""
_WORD = re.compile(r"[^\W_][\w.-]{2,}")


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


def concluding(entailment: Entailment) -> Entailment:
    """The same judgement; a model's also says what counts for conclusions that are marked as such."""
    if not isinstance(entailment, ModelEntailment):
        return entailment
    return entailment.ruled(load_prompt("conclusions", Path(__file__).parent / "prompts").text)


def narrowed(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs with long records cut to the lines that share a telling word with a claim that cites them."""
    claims: dict[str, str] = {}
    for claim, evidence in pairs:
        for item in evidence:
            claims[item.uid] = f"{claims.get(item.uid, '')}\n{claim}"
    return [(claim, [_cut(item, claims[item.uid]) for item in evidence]) for claim, evidence in pairs]


def _cut(item: Evidence, claims: str) -> Evidence:
    lines = [line for line in item.text.split("\n") if line.strip()]
    if len(item.text) <= LONG or len(lines) <= 2 * HEAD:
        return item
    words = [set(_WORD.findall(line.casefold())) for line in lines]
    count = Counter(word for of in words for word in of)
    most = max(OFTEN, round(COMMON * len(lines)))
    telling = {word for word in _WORD.findall(claims.casefold()) if count[word] <= most} - EMPTY_WORDS
    kept = [line for place, line in enumerate(lines) if place < HEAD or words[place] & telling]
    return replace(item, text="\n".join(kept)) if len(kept) > HEAD else item


class KnownSentences:
    """Implements `agents.ports.Entailment`: facts by their quotes, the rest by another.

    A sentence counts as a tool's own only with evidence that holds all its quotes, word for word.
    """

    def __init__(self, facts: Iterable[CitedFact], inner: Entailment) -> None:
        self._quotes = {one.fact.text: one.fact.quotes for one in facts}
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
            others = await self._inner.judge_all(narrowed([pairs[place] for place in unknown]))
            for place, verdict in zip(unknown, others, strict=True):
                judged[place] = verdict
        return judged

    def _known(self, claim: str, evidence: Sequence[Evidence]) -> bool:
        quotes = self._quotes.get(claim)
        return bool(quotes) and all(
            any(find_quote(quote, item) for item in evidence) for quote in quotes or ()
        )
