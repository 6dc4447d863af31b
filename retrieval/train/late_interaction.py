"""The recipe of late interaction's weights: candidates of our own search, five folds, and what is shipped.

For each fold of SciFact and BioASQ, weights are learnt on the other four of both and measured on it; then on
all of both. Folds are by document: queries about one paper are never on both sides.
"""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from retrieval.evaluate.fill import Progress
from retrieval.evaluate.folds import FOLDS
from retrieval.ports import Encoder
from retrieval.rerank.late_interaction import LateInteraction, TokenEncoder
from retrieval.rerank.piece_weights import PieceWeights
from retrieval.train.course import Result, Scale, calibrated, concluded, fold_of, found_lists, opened
from retrieval.train.data import read
from retrieval.train.measure import LATE
from retrieval.train.piece_weights import Compared, compared, learn

RIDGE = 0.001
"""Penalty on the weights: of 0.01, 0.003, 0.001 and 0.0003 the best on the folds, on which it was chosen."""
LEARNT = "late interaction, learnt weights"
DIGITS = 4


class PieceEncoder(Encoder, TokenEncoder, Protocol):
    """An encoder that gives vectors of texts, and of their pieces."""


async def make_late(folder: Path, out: Path, encoder: PieceEncoder, progress: Progress) -> Result:
    """Learn from SciFact and BioASQ in `folder`; write `late-interaction.json` and `report.json` to `out`.

    Raises `ArchiveNotFound` and `JudgementsError` for the data, or if `out` holds work on other data.
    """
    materials = read(folder)[:2]
    about = {
        "kind": "late-interaction",
        "encoder": encoder.name,
        "data_sha256": {each.collection.name: each.collection.sha256 for each in materials},
        "ridge": RIDGE,
    }
    await asyncio.to_thread(opened, out, about)
    reranker = LateInteraction(encoder, PieceWeights())
    lists = [await found_lists(material, out, encoder, progress) for material in materials]
    seen = [await compared(each, reranker, progress) for each in lists]
    in_fold = {query: fold for material in materials for query, fold in fold_of(material).items()}
    every = [one for each in seen for one in each]
    orders = {LATE: _values(every, PieceWeights()), LEARNT: _held_out(every, in_fold, progress)}
    weights = out / "late-interaction.json"
    _write(learn(every, RIDGE), calibrated(lists, orders[LEARNT]), about, weights)
    measured = list(zip(materials, lists, strict=True))
    return await asyncio.to_thread(concluded, out, about, weights, measured, orders)


def _held_out(
    lists: list[Compared], in_fold: Mapping[str, int], progress: Progress
) -> dict[str, list[float]]:
    """The similarities of each fold, by weights that were learnt on the others."""
    values: dict[str, list[float]] = {}
    for fold in range(FOLDS):
        weighing = learn([one for one in lists if in_fold[one.query] != fold], RIDGE)
        values |= _values([one for one in lists if in_fold[one.query] == fold], weighing)
        progress("learning weights", fold + 1, FOLDS)
    return values


def _values(lists: list[Compared], weighing: PieceWeights) -> dict[str, list[float]]:
    """The similarity of each candidate that is put in order, by query."""
    return {
        one.query: weighing.similarity(weighing.weights(one.asked), one.partners[: one.ranked]).tolist()
        for one in lists
    }


def _write(weighing: PieceWeights, scale: Scale, about: Mapping[str, object], path: Path) -> None:
    values = {
        "encoder": about["encoder"],
        "learnt_on": about["data_sha256"],
        "slope": round(scale.slope, DIGITS),
        "middle": round(-scale.bias / scale.slope, DIGITS),
        "threshold": scale.threshold,
        "piece": [round(value, DIGITS) for value in weighing.piece.tolist()],
    }
    path.write_text(json.dumps(values), "utf-8")
