"""What both recipes share: the folder they work in, folds by document, the scale of scores, the report."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from retrieval.embed.vector_cache import CachedEncoder
from retrieval.errors import JudgementsError
from retrieval.evaluate.fill import Progress
from retrieval.evaluate.folds import folds
from retrieval.ports import Encoder
from retrieval.train.candidates import candidates
from retrieval.train.data import Material
from retrieval.train.lists import Ranked, ranked
from retrieval.train.measure import MeasuredOrder, Values, as_json, platt, rows

DEPTH = 20
"""Passages of each question that are taught and ranked."""
KEPT_SHARE = 0.95
"""Share of the relevant passages that pass the threshold, in each collection at least."""


@dataclass(frozen=True, slots=True)
class Result:
    """Where the weights are, and what they were measured to do on what they were not taught."""

    weights: Path
    rows: tuple[MeasuredOrder, ...]


@dataclass(frozen=True, slots=True)
class Scale:
    """A logistic map of logits or similarities, and the score from which on a text counts as relevant."""

    slope: float
    bias: float
    threshold: float


def opened(out: Path, about: Mapping[str, object]) -> None:
    """Make the folder; one that holds work on other data or by another recipe is not gone on with.

    Raises `JudgementsError`.
    """
    out.mkdir(parents=True, exist_ok=True)
    kept = out / "about.json"
    if not kept.exists():
        kept.write_text(json.dumps(about), "utf-8")
    elif json.loads(kept.read_text("utf-8")) != about:
        raise JudgementsError(f"{out} holds work on other data or by another recipe. Name another folder.")


async def found_lists(material: Material, out: Path, encoder: Encoder, progress: Progress) -> list[Ranked]:
    """A collection's queries with the candidates of our own search; what is computed is kept in `out`."""
    vectors = CachedEncoder(encoder, out / "vectors.db")
    try:
        return ranked(material, await candidates(material.collection, vectors, out, progress), DEPTH)
    finally:
        vectors.close()


def concluded(
    out: Path,
    about: Mapping[str, object],
    weights: Path,
    measured: Sequence[tuple[Material, Sequence[Ranked]]],
    orders: Mapping[str, Values],
) -> Result:
    """What each order is worth on the lists that were measured; also written to `out`/report.json."""
    found = [
        row
        for material, lists in measured
        for row in rows(material.collection.name, lists, material.collection.grades, orders)
    ]
    (out / "report.json").write_text(json.dumps({**about, "rows": as_json(found)}, indent=1), "utf-8")
    return Result(weights, tuple(found))


def fold_of(material: Material) -> dict[str, int]:
    """Fold of each query; queries about one paper are in one."""
    return folds({query: dict.fromkeys(papers, 1) for query, papers in material.documents.items()})


def calibrated(groups: Sequence[Sequence[Ranked]], values: Values) -> Scale:
    """The scale of what was measured on lists that were not taught. Collections and classes weigh alike."""
    measured = [
        (
            np.array([value for one in each for value in values[one.query]], np.float32),
            np.array([relevant for one in each for relevant in one.relevant], bool),
        )
        for each in groups
    ]
    slope, bias = np.mean([platt(*each) for each in measured], axis=0)
    passing = min(np.quantile(found[relevant], 1 - KEPT_SHARE) for found, relevant in measured)
    threshold = 1 / (1 + np.exp(-(slope * passing + bias)))
    return Scale(float(slope), float(bias), float(np.floor(threshold * 100) / 100))
