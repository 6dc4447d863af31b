"""The recipe of the compact reranker: candidates, early states, general lessons, five folds, the weights.

1. BioASQ (but one fold) and PubMedQA teach what answers a question; the reader is measured.
2. For each fold of SciFact the reader goes on with the other four, and is measured on the fifth.
3. The reader goes on with all of SciFact: these are the weights, measured on the fold of BioASQ.

Folds are by document: queries about one paper are never on both sides.
"""

import asyncio
import copy
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

import torch
from safetensors.torch import save_file

from retrieval.embed.minilm import MiniLM
from retrieval.embed.weights import locate
from retrieval.evaluate.fill import Progress
from retrieval.evaluate.folds import FOLDS
from retrieval.train.course import Result, Scale, calibrated, concluded, fold_of, found_lists, opened
from retrieval.train.data import Material, read
from retrieval.train.lists import Ranked, States, early_states
from retrieval.train.measure import LATE, by_late_interaction
from retrieval.train.model import Pair, Reader, from_minilm, to_bert
from retrieval.train.teach import Recipe, logits, teach

LEFT_OUT = 0
"""Fold of BioASQ that is never taught."""


@dataclass(frozen=True, slots=True)
class Lessons:
    """`general` is the recipe of the first step, `claims` that of the two others; `threads` are torch's."""

    general: Recipe = field(default_factory=Recipe)
    claims: Recipe = field(default_factory=Recipe)
    threads: int = 2


async def make_compact(
    folder: Path, out: Path, encoder: MiniLM, lessons: Lessons, progress: Progress
) -> Result:
    """Train from the data in `folder`, measure, and write `compact.safetensors` and `report.json` to `out`.

    What is finished is kept in `out`, and a second run goes on from there. Raises `ArchiveNotFound` and
    `JudgementsError` for the data, or if `out` holds work on other data, and `WeightsError` for MiniLM.
    """
    torch.set_num_threads(lessons.threads)
    materials = read(folder)
    about = {
        "kind": "compact",
        "data_sha256": {each.collection.name: each.collection.sha256 for each in materials},
        "lessons": [asdict(lessons.general), asdict(lessons.claims)],
    }
    await asyncio.to_thread(opened, out, about)
    course = _Course(out, encoder, {}, progress)
    scifact, bioasq, pubmedqa = [await course.prepared(each) for each in materials]
    in_fold = fold_of(materials[1])
    kept_back = [one for one in bioasq if in_fold[one.query] == LEFT_OUT]
    taught = [one for one in bioasq if in_fold[one.query] != LEFT_OUT] + pubmedqa
    general = course.reader("general", from_minilm(locate().tensors), taught, lessons.general)
    final = course.reader("final", general, scifact, lessons.claims)
    held_out = _held_out(course, general, scifact, fold_of(materials[0]), lessons.claims)
    measured = [*scifact, *kept_back]
    orders = {
        LATE: await by_late_interaction(measured, encoder, course.states, progress),
        "compact, without claims": course.values(general, measured),
        "compact": held_out | course.values(final, kept_back),
    }
    weights = out / "compact.safetensors"
    _write(final, calibrated((scifact, kept_back), orders["compact"]), weights)
    groups = [(materials[0], scifact), (materials[1], kept_back)]
    return await asyncio.to_thread(concluded, out, about, weights, groups, orders)


def _held_out(
    course: "_Course", general: Reader, lists: Sequence[Ranked], in_fold: Mapping[str, int], recipe: Recipe
) -> dict[str, list[float]]:
    """The logits of each fold, by a reader that was taught the others."""
    values: dict[str, list[float]] = {}
    for fold in range(FOLDS):
        others = [one for one in lists if in_fold[one.query] != fold]
        reader = course.reader(f"fold-{fold}", general, others, recipe)
        values |= course.values(reader, [one for one in lists if in_fold[one.query] == fold])
    return values


@dataclass(frozen=True, slots=True)
class _Course:
    """What every lesson works with."""

    out: Path
    encoder: MiniLM
    states: dict[str, States]
    progress: Progress

    async def prepared(self, material: Material) -> list[Ranked]:
        """A collection's queries with their candidates, whose states are then among `states`."""
        lists = await found_lists(material, self.out, self.encoder, self.progress)
        kept = self.out / f"states-{material.collection.name.lower()}"
        self.states.update(await early_states(lists, self.encoder, kept, self.progress))
        return lists

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


def _write(reader: Reader, scale: Scale, path: Path) -> None:
    """Layers in half precision; the head's logit is mapped so that 0 is as likely relevant as not."""
    tensors = {name: value.half().contiguous() for name, value in to_bert(reader)}
    tensors["head.side"] = reader.side.data
    tensors["head.first"] = reader.first.data * scale.slope
    tensors["head.slope"] = reader.slope.data.reshape(1) * scale.slope
    tensors["head.bias"] = reader.bias.data.reshape(1) * scale.slope + scale.bias
    tensors["head.threshold"] = torch.tensor([scale.threshold])
    save_file({name: value.contiguous() for name, value in tensors.items()}, path)
