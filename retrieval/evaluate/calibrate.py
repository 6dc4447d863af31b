"""Learns a calibration from judged queries: thresholds first, then the fusion of what passes them.

Nearly all relevant documents exceed a threshold: a document that is left out by it is never read, but one
that is let in by mistake is judged again later. Fusion weights are kept if they are better than the defaults
on queries that they were not learnt on.
"""

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from retrieval.calibration import DEFAULTS, Calibration, LearntFrom
from retrieval.evaluate.beir import Collection
from retrieval.evaluate.fill import Progress, fill
from retrieval.evaluate.metrics import mean
from retrieval.evaluate.run import AT_ONCE, ndcg, search_all
from retrieval.evaluate.significance import Comparison, compare
from retrieval.evaluate.systems import LEARNT, System, best_choice, learn_in_folds, scored, tried
from retrieval.fuse import Fusion
from retrieval.ports import Encoder, Index, Reranker
from retrieval.search import CANDIDATES, near_enough
from retrieval.values import Candidates, Filters

PASSING = 0.98
"""Share of the relevant documents whose cosine exceeds the learnt threshold."""
PASSING_RERANKED = 0.95
"""The same share for scores of the reranker."""
OTHERS = 2
"""Documents a query that are near, but not judged relevant: what a reranker's threshold should leave out."""

Ranking = Sequence[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class LearntCalibration:
    """A calibration and how good it is.

    `comparison` is learnt against default fusion, each query scored without its own fold. `others_passing`
    is the share of documents not judged relevant that pass the reranker's threshold; None without one.
    """

    calibration: Calibration
    comparison: Comparison
    others_passing: float | None = None


async def learn_calibration(
    collection: Collection,
    index: Index,
    encoder: Encoder,
    reranker: Reranker | None,
    *,
    index_name: str,
    date: str,
    progress: Progress,
) -> LearntCalibration:
    """Fill the index, which should be empty, and learn from the collection's queries.

    `reranker` is None if no threshold is to be learnt for it; `date` is today's in ISO 8601.
    """
    await fill(collection, index, encoder, progress)
    found = await search_all(collection, index, encoder, CANDIDATES, progress)
    relevant = await nearest_relevant(collection, index, encoder, progress)
    threshold = exceeded_by(PASSING, [cosine for ranking in relevant.values() for _, cosine in ranking])
    near = {name: near_enough(one, threshold) for name, one in found.items()}
    fusion, default, held_out = await asyncio.to_thread(learn_fusion, collection, near)
    calibration = Calibration(
        encoder=encoder.name,
        fusion=fusion,
        dense_threshold=threshold,
        learnt_on=provenance(collection, index_name, date, default, held_out),
    )
    comparison = compare(LEARNT, ndcg(held_out), "default", ndcg(default))
    if reranker is None:
        return LearntCalibration(calibration, comparison)
    others = {name: unjudged(collection, name, found[name].dense) for name in found}
    passing, left = await learn_rerank_threshold(collection, index, reranker, relevant, others, progress)
    calibration = replace(calibration, reranker=reranker.name, rerank_threshold=passing)
    return LearntCalibration(calibration, comparison, left)


def learn_fusion(collection: Collection, near: Mapping[str, Candidates]) -> tuple[Fusion, System, System]:
    """The fusion to use; the default and the learnt one as systems, the latter scored in folds."""
    judged = collection.grades
    default = System("default", scored(judged, near, DEFAULTS.fusion))
    scores = tried(judged, near)
    held_out, _ = learn_in_folds(judged, scores)
    better = mean(held_out).ndcg > mean(default.scores).ndcg
    fusion = best_choice(scores, list(judged)) if better else DEFAULTS.fusion
    return fusion, default, System(LEARNT, held_out)


async def nearest_relevant(
    collection: Collection, index: Index, encoder: Encoder, progress: Progress
) -> dict[str, list[tuple[str, float]]]:
    """For each query (chunk_id, cosine) of the nearest chunk of each relevant document."""
    names, nearest = list(collection.queries), dict[str, list[tuple[str, float]]]()
    for first in range(0, len(names), AT_ONCE):
        batch = names[first : first + AT_ONCE]
        vectors = await encoder.encode_questions([collection.queries[name] for name in batch])
        for name, vector in zip(batch, vectors, strict=True):
            nearest[name] = [
                hit
                for doc_id, grade in collection.grades[name].items()
                if grade > 0
                for hit in await index.dense(vector, Filters(doc_ids=(doc_id,)), 1)
            ]
        progress("measuring relevant documents", len(nearest), len(names))
    return nearest


def exceeded_by(share: float, values: Sequence[float]) -> float:
    """The number, rounded down to three decimals, that this share of the values exceeds or equals."""
    return math.floor(1000 * float(np.quantile(values, 1 - share, method="lower"))) / 1000


def unjudged(collection: Collection, query: str, ranking: Ranking) -> list[tuple[str, float]]:
    """The nearest chunks of documents that are not judged relevant."""
    relevant = {name for name, grade in collection.grades[query].items() if grade > 0}
    return [item for item in ranking if item[0].rpartition("#")[0] not in relevant][:OTHERS]


async def learn_rerank_threshold(
    collection: Collection,
    index: Index,
    reranker: Reranker,
    relevant: Mapping[str, Ranking],
    others: Mapping[str, Ranking],
    progress: Progress,
) -> tuple[float, float]:
    """The score that nearly all relevant chunks exceed, and the share of the others that pass it."""
    right: list[float] = []
    wrong: list[float] = []
    for done, (name, question) in enumerate(collection.queries.items(), 1):
        chunks = await index.chunks([chunk_id for chunk_id, _ in (*relevant[name], *others[name])])
        scores = (await reranker.score(question, [chunk.text for chunk in chunks])).tolist()
        right += scores[: len(relevant[name])]
        wrong += scores[len(relevant[name]) :]
        progress("reranking", done, len(collection.queries))
    threshold = exceeded_by(PASSING_RERANKED, right)
    return threshold, sum(score >= threshold for score in wrong) / max(1, len(wrong))


def provenance(
    collection: Collection, index_name: str, date: str, default: System, held_out: System
) -> LearntFrom:
    """What the calibration was learnt on, as it stands in the file."""
    return LearntFrom(
        collection=collection.name,
        split=collection.split,
        sha256=collection.sha256,
        queries=len(collection.queries),
        judgements=collection.judgements,
        index=index_name,
        date=date,
        ndcg_default=round(mean(default.scores).ndcg, 4),
        ndcg_held_out=round(mean(held_out.scores).ndcg, 4),
    )
