"""Entailment that judges nothing twice."""

from collections.abc import Sequence

from agents.evidence.values import Evidence
from agents.ports import Entailment, Judged, Pair

Asked = tuple[str, frozenset[str]]
"""The words of a claim and the globally unique ids of its evidence, in any order."""


class RememberedEntailment:
    """Another entailment whose verdicts are kept for the life of this object."""

    def __init__(self, inner: Entailment) -> None:
        self._inner = inner
        self._known: dict[Asked, Judged] = {}
        self.name = inner.name

    async def judge(self, claim: str, evidence: Sequence[Evidence]) -> Judged:
        """The verdict and its reason, known or new."""
        [judged] = await self.judge_all([(claim, evidence)])
        return judged

    async def judge_all(self, pairs: Sequence[Pair]) -> list[Judged]:
        """The verdicts and their reasons; those that are not known yet are judged together."""
        new = {key: pair for pair in pairs if (key := _asked(pair)) not in self._known}
        if new:
            self._known.update(zip(new, await self._inner.judge_all(list(new.values())), strict=True))
        return [self._known[_asked(pair)] for pair in pairs]


def _asked(pair: Pair) -> Asked:
    claim, evidence = pair
    return " ".join(claim.split()), frozenset(item.uid for item in evidence)
