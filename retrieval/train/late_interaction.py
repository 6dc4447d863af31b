"""The recipe of late interaction's weights: candidates of our own search, five folds, and what is shipped.

For each fold of SciFact and BioASQ, weights are learnt on the other four of both and measured on it; then on
all of both. Folds are by document: queries about one paper are never on both sides.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from retrieval.errors import JudgementsError
from retrieval.evaluate.fill import Progress
from retrieval.evaluate.folds import FOLDS, folds
from retrieval.ports import Encoder
from retrieval.rerank.late_interaction import LateInteraction, TokenEncoder
from retrieval.rerank.piece_weights import PieceWeights
from retrieval.train.candidates import CandidateList, candidate_lists
from retrieval.train.data import JudgedQueries, read_judged
from retrieval.train.measure import EQUAL_WEIGHTS, MeasuredOrder, Values, measured_orders
from retrieval.train.piece_weights import Compared, compared, learn
from retrieval.train.scale import Scale, fit_scale

RIDGE = 0.001
"""Penalty on the weights: of 0.01, 0.003, 0.001 and 0.0003 the best on the folds, on which it was chosen."""
LEARNT = "late interaction, learnt weights"
DIGITS = 4


class PieceEncoder(Encoder, TokenEncoder, Protocol):
    """An encoder that gives vectors of texts, and of their pieces."""


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """Where the weights are, and how well each order did on queries that it was not learnt from."""

    weights: Path
    orders: tuple[MeasuredOrder, ...]


async def train_late_interaction(
    folder: Path, out: Path, encoder: PieceEncoder, progress: Progress
) -> TrainingResult:
    """Learn from SciFact and BioASQ in `folder`; write `late-interaction.json` and `report.json` to `out`.

    Raises `ArchiveNotFound` and `JudgementsError` for the data, or if `out` holds work on other data.
    """
    judged = read_judged(folder)
    about = {
        "kind": "late-interaction",
        "encoder": encoder.name,
        "data_sha256": {each.collection.name: each.collection.sha256 for each in judged},
        "ridge": RIDGE,
    }
    await asyncio.to_thread(_open, out, about)
    reranker = LateInteraction(encoder, PieceWeights())
    lists = [await candidate_lists(each, out, encoder, progress) for each in judged]
    every = [one for each in lists for one in await compared(each, reranker, progress)]
    in_fold = {query: fold for each in judged for query, fold in folds_of(each).items()}
    values = {EQUAL_WEIGHTS: _values(every, PieceWeights()), LEARNT: _held_out(every, in_fold, progress)}
    weights = out / "late-interaction.json"
    _write(learn(every, RIDGE), fit_scale(lists, values[LEARNT]), about, weights)
    orders = await asyncio.to_thread(_measured, judged, lists, values)
    report = {**about, "rows": [asdict(order) for order in orders]}
    (out / "report.json").write_text(json.dumps(report, indent=1), "utf-8")
    return TrainingResult(weights, orders)


def folds_of(judged: JudgedQueries) -> dict[str, int]:
    """The fold of each query; queries about one paper are in one."""
    return folds({query: dict.fromkeys(papers, 1) for query, papers in judged.papers.items()})


def _open(out: Path, about: Mapping[str, object]) -> None:
    """Make the folder. Raises `JudgementsError` if it holds work on other data or by another recipe."""
    out.mkdir(parents=True, exist_ok=True)
    kept = out / "about.json"
    if not kept.exists():
        kept.write_text(json.dumps(about), "utf-8")
    elif json.loads(kept.read_text("utf-8")) != about:
        raise JudgementsError(f"{out} holds work on other data or by another recipe. Name another folder.")


def _held_out(
    lists: list[Compared], in_fold: Mapping[str, int], progress: Progress
) -> dict[str, list[float]]:
    """The similarities of each fold, by weights that were learnt on the others."""
    values: dict[str, list[float]] = {}
    for fold in range(FOLDS):
        weights = learn([one for one in lists if in_fold[one.query] != fold], RIDGE)
        values |= _values([one for one in lists if in_fold[one.query] == fold], weights)
        progress("learning weights", fold + 1, FOLDS)
    return values


def _values(lists: list[Compared], weights: PieceWeights) -> dict[str, list[float]]:
    """The similarity of each candidate that is put in order, by query."""
    return {
        one.query: weights.similarity(weights.weights(one.asked), one.partners[: one.ranked]).tolist()
        for one in lists
    }


def _measured(
    judged: Sequence[JudgedQueries], lists: Sequence[Sequence[CandidateList]], values: Mapping[str, Values]
) -> tuple[MeasuredOrder, ...]:
    return tuple(
        order
        for each, candidates in zip(judged, lists, strict=True)
        for order in measured_orders(each.collection.name, candidates, each.collection.grades, values)
    )


def _write(weights: PieceWeights, scale: Scale, about: Mapping[str, object], path: Path) -> None:
    values = {
        "encoder": about["encoder"],
        "learnt_on": about["data_sha256"],
        "slope": round(scale.slope, DIGITS),
        "middle": round(-scale.bias / scale.slope, DIGITS),
        "threshold": scale.threshold,
        "piece": [round(value, DIGITS) for value in weights.piece.tolist()],
    }
    path.write_text(json.dumps(values), "utf-8")
