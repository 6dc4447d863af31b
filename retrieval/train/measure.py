"""How well candidates are ordered: by the search, by late interaction, and by the compact reranker."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.embed.minilm import MiniLM
from retrieval.evaluate.beir import Grades
from retrieval.evaluate.fill import Progress
from retrieval.evaluate.metrics import Scores, mean, score
from retrieval.evaluate.significance import compare
from retrieval.ports import Vectors
from retrieval.rerank.late_interaction import LateInteraction
from retrieval.rerank.piece_weights import PieceWeights
from retrieval.train.lists import Ranked, States

Values = Mapping[str, Sequence[float]]
"""A score for each candidate, by query."""


LATE = "late interaction, equal weights"
"""Late interaction that was taught nothing: what every trained order is compared with."""


@dataclass(frozen=True, slots=True)
class MeasuredOrder:
    """nDCG@10 and reciprocal rank of an order; `p_value` is of nDCG@10 against late interaction."""

    collection: str
    order: str
    queries: int
    ndcg: float
    reciprocal_rank: float
    p_value: float


class _Read:
    """An encoder that has read every text already."""

    def __init__(self, encoder: MiniLM, states: Mapping[str, States]) -> None:
        self.name = encoder.name
        self._encoder = encoder
        self._states = states

    async def encode_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        return await self._encoder.encode_rest([self._states[text].astype(np.float32) for text in texts])


async def by_late_interaction(
    lists: Sequence[Ranked], encoder: MiniLM, states: Mapping[str, States], progress: Progress
) -> dict[str, list[float]]:
    """The scores of late interaction with all pieces alike."""
    reranker = LateInteraction(_Read(encoder, states), PieceWeights())
    values = {}
    for one in lists:
        values[one.query] = (await reranker.score(one.text, one.windows)).tolist()
        progress("scoring by late interaction", len(values), len(lists))
    return values


def rows(
    collection: str, lists: Sequence[Ranked], grades: Mapping[str, Grades], orders: Mapping[str, Values]
) -> list[MeasuredOrder]:
    """Each way of ordering the same candidates, the search's first; `LATE` has to be among `orders`."""
    search = {one.query: [-float(rank) for rank in range(len(one.passages))] for one in lists}
    found = {
        name: {one.query: _scores(one, values[one.query], grades[one.query]) for one in lists}
        for name, values in {"search": search, **orders}.items()
    }
    reference = _ndcg(found[LATE])
    return [
        MeasuredOrder(
            collection,
            name,
            len(lists),
            mean(each).ndcg,
            mean(each).reciprocal_rank,
            compare(name, _ndcg(each), LATE, reference).p_value,
        )
        for name, each in found.items()
    ]


def platt(logits: NDArray[np.float32], relevant: NDArray[np.bool_], steps: int = 50) -> tuple[float, float]:
    """Slope and intercept of a logistic map, both classes of equal weight (Platt 1999), by Newton.

    Targets are a little inside of 0 and 1, as Platt has them, so that classes apart have a finite map.
    """
    wanted = np.where(relevant, 1 - 1 / (relevant.sum() + 2), 1 / ((~relevant).sum() + 2))
    weight = np.where(relevant, 0.5 / relevant.sum(), 0.5 / (~relevant).sum())
    design = np.stack([logits.astype(float), np.ones(len(logits))], 1)
    found = np.zeros(2)
    for _ in range(steps):
        likely = (1 + np.tanh(design @ found / 2)) / 2
        gradient = design.T @ (weight * (likely - wanted))
        curve = (design * (weight * likely * (1 - likely))[:, None]).T @ design
        found -= np.linalg.solve(curve + 1e-9 * np.eye(2), gradient)
    return float(found[0]), float(found[1])


def as_json(found: Sequence[MeasuredOrder]) -> list[dict[str, object]]:
    """Rows as they stand in the report."""
    return [asdict(row) for row in found]


def _scores(one: Ranked, values: Sequence[float], grades: Grades) -> Scores:
    """Equal scores keep the order of the search."""
    order = np.argsort(-np.asarray(values), kind="stable")
    return score([one.passages[i] for i in order], {k: v for k, v in grades.items() if v > 0})


def _ndcg(scores: Mapping[str, Scores]) -> dict[str, float]:
    return {query: each.ndcg for query, each in scores.items()}
