"""`pestle eval consistency`: how far runs on one target agree in their claims (TSAssistant, appendix B).

For every endpoint, each claim of one run takes the best match in the other: 1 or 0 by the judge, times the
weight of the two species (1, 0.75, 0.5). Recall is the mean over the claims of the first run, precision over
those of the second; neither is taken as right. Pairs without a known species are left out. Of more than two
runs all pairs are compared.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Any

import orjson

from agents.safety.endpoints.species import species_weight
from agents.safety.endpoints.values import Endpoint
from agents.safety.evaluate.judges import ClaimJudge
from agents.safety.evaluate.written import RiskClaim, Written


@dataclass(frozen=True, slots=True)
class Agreement:
    """Precision and recall of one endpoint in one pair of runs, and how many claims they are over.

    None where no claim could be compared: the endpoint is empty in both runs, or no species is known.
    """

    precision: float | None
    recall: float | None
    claims: int
    left_out: int
    """Claims of which the species is not known on either side."""

    @property
    def f1(self) -> float | None:
        """Claim-F1 (equation 5)."""
        if self.precision is None or self.recall is None:
            return None
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    def as_fields(self) -> dict[str, Any]:
        """The figures by name."""
        shares = {"precision": self.precision, "recall": self.recall, "f1": self.f1}
        rounded = {name: None if value is None else round(value, 4) for name, value in shares.items()}
        return {**rounded, "claims": self.claims, "left_out": self.left_out}


@dataclass(frozen=True, slots=True)
class Consistency:
    """The agreement of every pair of runs, by endpoint; `rules` counts how compared claims related."""

    judge: str
    runs: tuple[str, ...]
    pairs: tuple[tuple[str, str, dict[Endpoint, Agreement]], ...]
    rules: dict[str, int]

    def of_endpoint(self, endpoint: Endpoint) -> Agreement:
        """The means over pairs of runs."""
        return _mean([agreements[endpoint] for _, _, agreements in self.pairs if endpoint in agreements])

    @property
    def overall(self) -> Agreement:
        """The means over endpoints with claims."""
        return _mean([self.of_endpoint(endpoint) for endpoint in Endpoint])

    def as_json(self) -> bytes:
        """Everything as JSON."""
        content = {
            "judge": self.judge,
            "runs": self.runs,
            "pairs": len(self.pairs),
            **self.overall.as_fields(),
            "endpoints": {one.title: self.of_endpoint(one).as_fields() for one in Endpoint},
            "rules": {str(rule): count for rule, count in self.rules.items()},
            "each": [
                {
                    "runs": (one, other),
                    "endpoints": {endpoint.title: of.as_fields() for endpoint, of in found.items()},
                }
                for one, other, found in self.pairs
            ],
        }
        return orjson.dumps(content, option=orjson.OPT_INDENT_2)


async def compare(runs: Sequence[Written], judge: ClaimJudge) -> Consistency:
    """The agreement of runs: of all pairs on the same target."""
    counted: dict[str, int] = defaultdict(int)
    pairs = []
    for one, other in combinations(runs, 2):
        if one.target != other.target:
            continue
        found: dict[Endpoint, Agreement] = {}
        for endpoint in Endpoint:
            left, right = one.claims.get(endpoint, ()), other.claims.get(endpoint, ())
            if left or right:
                found[endpoint] = await _agreement(left, right, judge, counted)
        pairs.append((one.name, other.name, found))
    return Consistency(judge.name, tuple(run.name for run in runs), tuple(pairs), dict(counted))


async def _agreement(
    left: Sequence[RiskClaim], right: Sequence[RiskClaim], judge: ClaimJudge, counted: dict[str, int]
) -> Agreement:
    weights = [[species_weight(one.species, other.species) for other in right] for one in left]
    asked = [(i, j) for i, row in enumerate(weights) for j, weight in enumerate(row) if weight]
    rules = await judge.judge([(left[i].text, right[j].text) for i, j in asked])
    scores = [[0.0] * len(right) for _ in left]
    for (i, j), rule in zip(asked, rules, strict=True):
        counted[rule] += 1
        scores[i][j] = weights[i][j] if rule.matches else 0.0
    recall, skipped = _best(scores, weights, len(right))
    turned = [list(column) for column in zip(*scores, strict=True)] if left else [[] for _ in right]
    turned_weights = [list(column) for column in zip(*weights, strict=True)] if left else [[] for _ in right]
    precision, also = _best(turned, turned_weights, len(left))
    return Agreement(precision, recall, len(left) + len(right), skipped + also)


def _best(
    scores: Sequence[Sequence[float]], weights: Sequence[Sequence[float]], others: int
) -> tuple[float | None, int]:
    """The mean of the best match of each claim, and how many claims no pair could be made of.

    A claim that faces no claim at all has found no match; one that faces only claims of unknown species is
    left out.
    """
    counted = [
        max(row, default=0.0) for row, of in zip(scores, weights, strict=True) if not others or any(of)
    ]
    skipped = len(scores) - len(counted)
    if not counted:
        return (None if scores else 0.0), skipped
    return fmean(counted), skipped


def _mean(found: Iterable[Agreement]) -> Agreement:
    found = [one for one in found if one.claims]
    return Agreement(
        _mean_of(one.precision for one in found),
        _mean_of(one.recall for one in found),
        sum(one.claims for one in found),
        sum(one.left_out for one in found),
    )


def _mean_of(values: Iterable[float | None]) -> float | None:
    told = [value for value in values if value is not None]
    return fmean(told) if told else None
