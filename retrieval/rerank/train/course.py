"""What both recipes share: the folder they work in, folds by document, the scale of scores, the report."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from retrieval.errors import JudgementsError
from retrieval.evaluate.folds import folds
from retrieval.rerank.train.data import Material
from retrieval.rerank.train.lists import Ranked
from retrieval.rerank.train.measure import Row, Values, as_json, platt

DEPTH = 20
"""Passages of each question that are taught and ranked."""
KEPT_SHARE = 0.95
"""Share of the relevant passages that pass the threshold, in each collection at least."""


@dataclass(frozen=True, slots=True)
class Result:
    """Where the weights are, and what they were measured to do on what they were not taught."""

    weights: Path
    rows: tuple[Row, ...]


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


def reported(out: Path, about: Mapping[str, object], found: Sequence[Row]) -> None:
    """Write what was measured, and on what data, to `out`/report.json."""
    report = {**about, "rows": as_json(found)}
    (out / "report.json").write_text(json.dumps(report, indent=1), "utf-8")


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
