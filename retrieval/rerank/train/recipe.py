"""The whole recipe: candidates, early states, general lessons, five folds, and the weights that are shipped.

1. BioASQ (but one fold) and PubMedQA teach what answers a question.
2. For each fold of SciFact the reader goes on with the other four, and is measured on the fifth.
3. The reader goes on with all of SciFact: these are the weights, measured on the fold of BioASQ.

Folds are by document: queries about one paper are never on both sides.
"""

import asyncio
import copy
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file

from retrieval.embed.kept import KeptVectors
from retrieval.embed.minilm import MiniLM
from retrieval.embed.weights import locate
from retrieval.evaluate.folds import FOLDS, folds
from retrieval.rerank.train.candidates import Progress, candidates
from retrieval.rerank.train.data import Material, read
from retrieval.rerank.train.lists import Ranked, States, early_states, ranked
from retrieval.rerank.train.measure import Row, Values, as_json, by_late_interaction, platt, rows
from retrieval.rerank.train.model import Pair, Reader, from_minilm, to_bert
from retrieval.rerank.train.teach import Recipe, logits, teach

DEPTH = 20
"""Passages of each question that are taught and ranked."""
LEFT_OUT = 0
"""Fold of BioASQ that is never taught."""
KEPT_SHARE = 0.95
"""Share of the relevant passages that pass the threshold, in each collection at least."""


@dataclass(frozen=True, slots=True)
class Result:
    """Where the weights are, and what they were measured to do on what they were not taught."""

    weights: Path
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Lessons:
    """`general` is the recipe of the first step, `claims` that of the two others; `threads` are torch's."""

    general: Recipe = field(default_factory=Recipe)
    claims: Recipe = field(default_factory=Recipe)
    threads: int = 2


async def make(folder: Path, out: Path, encoder: MiniLM, lessons: Lessons, progress: Progress) -> Result:
    """Train from the data in `folder`, measure, and write `compact.safetensors` and `report.json` to `out`.

    What is finished is kept in `out`, and a second run goes on from there. Raises `ArchiveNotFound` and
    `JudgementsError` for the data, `WeightsError` for MiniLM.
    """
    await asyncio.to_thread(out.mkdir, parents=True, exist_ok=True)
    torch.set_num_threads(lessons.threads)
    materials = read(folder)
    vectors = KeptVectors(encoder, out / "vectors.db")
    lists = [
        ranked(each, await candidates(each.collection, vectors, out, progress), DEPTH) for each in materials
    ]
    vectors.close()
    states: dict[str, States] = {}
    for each, judged in zip(materials, lists, strict=True):
        kept = out / f"states-{each.collection.name.lower()}"
        states |= await early_states(judged, encoder, kept, progress)
    course = _Course(out, encoder, states, progress)
    scifact, bioasq, pubmedqa = lists
    fold_of = [_folds(each) for each in materials]
    kept_back = [one for one in bioasq if fold_of[1][one.query] == LEFT_OUT]
    general = course.reader(
        "general",
        from_minilm(locate().tensors),
        [one for one in bioasq if fold_of[1][one.query] != LEFT_OUT] + pubmedqa,
        lessons.general,
    )
    compact: dict[str, list[float]] = {}
    for fold in range(FOLDS):
        others = [one for one in scifact if fold_of[0][one.query] != fold]
        reader = course.reader(f"fold-{fold}", general, others, lessons.claims)
        compact |= course.values(reader, [one for one in scifact if fold_of[0][one.query] == fold])
    final = course.reader("final", general, scifact, lessons.claims)
    compact |= course.values(final, kept_back)
    late = await by_late_interaction([*scifact, *kept_back], encoder, course.states, progress)
    found = [
        row
        for material, judged in ((materials[0], scifact), (materials[1], kept_back))
        for row in rows(material.collection.name, judged, material.collection.grades, late, compact)
    ]
    weights = out / "compact.safetensors"
    _write(final, _calibrated((scifact, kept_back), compact), weights)
    hashes = {each.collection.name: each.collection.sha256 for each in materials}
    report = {"data_sha256": hashes, "lessons": asdict(lessons), "rows": as_json(found)}
    (out / "report.json").write_text(json.dumps(report, indent=1), "utf-8")
    return Result(weights, tuple(found))


@dataclass(frozen=True, slots=True)
class _Course:
    """What every lesson works with."""

    out: Path
    encoder: MiniLM
    states: dict[str, States]
    progress: Progress

    def pair(self, question: str, window: str) -> Pair:
        return Pair(self.states[question], self.encoder.content(question), self.states[window])

    def reader(self, name: str, before: Reader, lists: Sequence[Ranked], recipe: Recipe) -> Reader:
        """`before`, taught; kept as a file, which a second run reads."""
        kept = self.out / f"{name}.pt"
        reader = copy.deepcopy(before)
        if kept.is_file():
            reader.load_state_dict(torch.load(kept, weights_only=True))
            return reader
        teach(
            reader,
            lists,
            self.pair,
            recipe,
            partial(self._step, name),
        )
        unfinished = kept.with_suffix(".part")
        torch.save(reader.state_dict(), unfinished)
        unfinished.replace(kept)
        return reader

    def _step(self, name: str, what: str, done: int, total: int) -> None:
        self.progress(f"{name}: {what}", done, total)

    def values(self, reader: Reader, lists: Sequence[Ranked]) -> dict[str, list[float]]:
        """The logit of each candidate, by query."""
        found = {}
        for one in lists:
            found[one.query] = logits(reader, [self.pair(one.text, each) for each in one.windows]).tolist()
            self.progress("scoring", len(found), len(lists))
        return found


def _folds(material: Material) -> dict[str, int]:
    return folds({query: dict.fromkeys(papers, 1) for query, papers in material.documents.items()})


def _calibrated(groups: Sequence[Sequence[Ranked]], values: Values) -> dict[str, float]:
    """Slope and bias to be applied to logits, and the threshold, from what was not taught.

    Collections and classes have equal weight.
    """
    measured = [
        (
            np.array([v for one in each for v in values[one.query]], np.float32),
            np.array([r for one in each for r in one.relevant], bool),
        )
        for each in groups
    ]
    fitted = [platt(*each) for each in measured]
    slope, bias = np.mean(fitted, axis=0)
    passing = min(np.quantile(found[relevant], 1 - KEPT_SHARE) for found, relevant in measured)
    threshold = 1 / (1 + np.exp(-(slope * passing + bias)))
    return {"slope": float(slope), "bias": float(bias), "threshold": float(np.floor(threshold * 100) / 100)}


def _write(reader: Reader, calibrated: dict[str, float], path: Path) -> None:
    """Layers in half precision; the head's logit is mapped so that 0 is as likely relevant as not."""
    tensors = {name: value.half().contiguous() for name, value in to_bert(reader)}
    slope = calibrated["slope"]
    tensors["head.side"] = reader.side.data
    tensors["head.first"] = reader.first.data * slope
    tensors["head.slope"] = reader.slope.data.reshape(1) * slope
    tensors["head.bias"] = reader.bias.data.reshape(1) * slope + calibrated["bias"]
    tensors["head.threshold"] = torch.tensor([calibrated["threshold"]])
    save_file({name: value.contiguous() for name, value in tensors.items()}, path)
