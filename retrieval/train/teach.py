"""Teaches the reader to put a relevant passage before others: softmax over a list of one and several others.

Loss: localised contrastive estimation (Gao et al. 2021, section 3): the others are what our own search put
near the top.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from retrieval.compute.batches import batches
from retrieval.evaluate.fill import Progress
from retrieval.train.lists import Ranked
from retrieval.train.model import Pair, Reader

BATCH_PIECES = 4096
CLIP = 1.0

Pairs = Callable[[str, str], Pair]
"""A question and a window, read by the early layers."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a reader is taught. Rates are AdamW's, for layers and head; they rise over the first tenth of the
    steps and then fall to 0.
    """

    epochs: int = 1
    negatives: int = 4
    lists_per_step: int = 8
    layer_rate: float = 1e-4
    head_rate: float = 1e-3
    weight_decay: float = 0.01
    seed: int = 7


def teach(reader: Reader, lists: Sequence[Ranked], pairs: Pairs, recipe: Recipe, progress: Progress) -> None:
    """Change the reader's weights. Same weights, lists and seed on the same machine: same result."""
    torch.manual_seed(recipe.seed)
    drawn = random.Random(recipe.seed)
    taught = [one for one in lists if any(one.relevant) or one.extra]
    total = recipe.epochs * math.ceil(len(taught) / recipe.lists_per_step)
    optimizer, schedule = _optimizer(reader, recipe, total)
    reader.train()
    for step, examples in enumerate(_steps(taught, recipe, drawn), 1):
        loss = _loss(reader, [_drawn(one, recipe.negatives, drawn) for one in examples], pairs)
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(reader.parameters(), CLIP)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        progress(f"training, loss {loss.item():.3f},", step, total)
    reader.eval()


@torch.inference_mode()
def logits(reader: Reader, asked: Sequence[Pair]) -> NDArray[np.float32]:
    """(n,) what the reader makes of each pair."""
    reader.eval()
    values = np.zeros(len(asked), np.float32)
    for batch in batches([len(pair) for pair in asked], BATCH_PIECES):
        values[batch] = reader([asked[i] for i in batch]).numpy()
    return values


def _loss(reader: Reader, examples: Sequence[Sequence[tuple[str, str]]], pairs: Pairs) -> Tensor:
    """Mean over lists of the cross entropy of their first pair."""
    every = [pairs(*texts) for example in examples for texts in example]
    order: list[int] = []
    parts = []
    for batch in batches([len(pair) for pair in every], BATCH_PIECES):
        parts.append(reader([every[i] for i in batch]))
        order += batch
    values = torch.cat(parts)[torch.argsort(torch.tensor(order))]
    ends = np.cumsum([0, *map(len, examples)]).tolist()
    return torch.stack([-values[i:j].log_softmax(0)[0] for i, j in pairwise(ends)]).mean()


def _steps(lists: Sequence[Ranked], recipe: Recipe, drawn: random.Random) -> Iterator[list[Ranked]]:
    for _ in range(recipe.epochs):
        shuffled = drawn.sample(lists, len(lists))
        for first in range(0, len(shuffled), recipe.lists_per_step):
            yield shuffled[first : first + recipe.lists_per_step]


def _drawn(one: Ranked, negatives: int, drawn: random.Random) -> list[tuple[str, str]]:
    """A relevant window, and others that the search found."""
    found = list(zip(one.windows, one.relevant, strict=True))
    relevant = [window for window, is_relevant in found if is_relevant] + list(one.extra)
    others = [window for window, is_relevant in found if not is_relevant]
    chosen = [drawn.choice(relevant), *drawn.sample(others, min(negatives, len(others)))]
    return [(one.text, window) for window in chosen]


def _optimizer(
    reader: Reader, recipe: Recipe, total: int
) -> tuple[torch.optim.Optimizer, torch.optim.lr_scheduler.LRScheduler]:
    groups = [
        {"params": list(reader.layers.parameters()), "lr": recipe.layer_rate},
        {"params": list(reader.head.values()), "lr": recipe.head_rate, "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, weight_decay=recipe.weight_decay)
    warm = max(1, total // 10)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / warm, max(0.0, (total - step) / max(1, total - warm)))
    )
    return optimizer, schedule
