"""The configurations that are compared, all on what the same two searches found.

| system          | ranking                                                              |
|-----------------|----------------------------------------------------------------------|
| words           | BM25 alone                                                           |
| meaning         | the encoder alone                                                    |
| *a method*      | both, fused by that method with equal weights                        |
| learnt in folds | weights learnt on four fifths of the queries and scored on the other |
|                 | fifth, in turn                                                       |
| in use          | as `HybridRetriever` fuses with the calibration in use               |
| reranked        | the best of these in the reranker's order, if asked for              |
"""

import math
from collections.abc import Collection as Names
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean, pstdev

from retrieval.calibration import Calibration
from retrieval.evaluate.beir import Grades
from retrieval.evaluate.folds import FOLDS, folds
from retrieval.evaluate.metrics import Scores, score
from retrieval.fuse import Fusion, Method, best_first
from retrieval.search import near_enough
from retrieval.values import Candidates

WORDS, MEANING, LEARNT, IN_USE, RERANKED = "words", "meaning", "learnt in folds", "in use", "reranked"
STEPS = 10
"""Weights that are tried: 0, 0.1, 0.2, ... 1. Hundreds of queries cannot tell finer ones apart."""

DEFAULT = Fusion()

Judged = Mapping[str, Grades]
Searched = Mapping[str, Candidates]
PerQuery = dict[str, Scores]


@dataclass(frozen=True, slots=True)
class System:
    """A configuration and its measures per query; `note` says what was chosen."""

    name: str
    scores: PerQuery
    note: str = ""


def systems(
    judged: Judged, found: Searched, near: Searched, used: Searched, in_use: Calibration
) -> list[System]:
    """Every configuration with its scores.

    `found` is what the two searches gave, `near` the part of it that passes the threshold, `used` the same
    with the sparse ranking.
    """
    learnt, chosen = learn_in_folds(judged, tried(judged, near))
    return [
        System(WORDS, scored(judged, found, Fusion(lexical_weight=1.0))),
        System(MEANING, scored(judged, found, Fusion(lexical_weight=0.0))),
        *(System(method.value, scored(judged, near, Fusion(method))) for method in Method),
        System(LEARNT, learnt, "; ".join(map(str, chosen))),
        System(IN_USE, scored(judged, used, in_use.fusion), str(in_use.fusion)),
    ]


def passing(found: Searched, in_use: Calibration, threshold: float) -> dict[str, Candidates]:
    """What is near enough for the calibration, or for the encoder's own `threshold`."""
    limit = threshold if in_use.dense_threshold is None else in_use.dense_threshold
    return {name: near_enough(one, limit) for name, one in found.items()}


def scored(judged: Judged, found: Searched, fusion: Fusion) -> PerQuery:
    """Measures per query of one fusion. A search without weight adds no documents."""
    return {name: score(by_document(fusion.fuse(found[name])), grades) for name, grades in judged.items()}


def by_document(fused: Mapping[str, float]) -> list[str]:
    """Document ids, best first: a document is as good as its best chunk."""
    ranking = best_first(fused, len(fused))
    return list(dict.fromkeys(chunk_id.rpartition("#")[0] for chunk_id, _ in ranking))


def tried(judged: Judged, found: Searched) -> dict[Fusion, PerQuery]:
    """Every fusion that can be learnt, with its measures per query; the default is one of them."""
    grid = {DEFAULT, *(Fusion(lexical_weight=step / STEPS) for step in range(STEPS + 1))}
    ordered = sorted(grid, key=lambda fusion: fusion.lexical_weight)
    return {fusion: scored(judged, found, fusion) for fusion in ordered}


def best_choice(scores: Mapping[Fusion, PerQuery], queries: Names[str]) -> Fusion:
    """The fusion with the best mean nDCG@10 over these queries, if it is clearly better than the default.

    Clearly is by more than one standard error of their difference, query by query (the one-standard-error
    rule: Hastie et al. 2009, section 7.10).
    """
    means = {fusion: fmean(scores[fusion][name].ndcg for name in queries) for fusion in scores}
    best = max(means, key=lambda fusion: means[fusion])
    differences = [scores[best][name].ndcg - scores[DEFAULT][name].ndcg for name in queries]
    error = pstdev(differences) / math.sqrt(len(differences))
    return best if fmean(differences) > error else DEFAULT


def learn_in_folds(judged: Judged, scores: Mapping[Fusion, PerQuery]) -> tuple[PerQuery, list[Fusion]]:
    """Measures of each query under the fusion learnt without its fold, and the fusion of each fold.

    `scores` are those of every fusion that may be learnt.
    """
    fold = folds(judged)
    chosen = [best_choice(scores, [name for name in judged if fold[name] != f]) for f in range(FOLDS)]
    return {name: scores[chosen[fold[name]]][name] for name in judged}, chosen
