"""Reranking beside FlagEmbedding's own `compute_score`, on the same pairs in the same process.

The checkpoint is of real size: all-MiniLM-L6-v2 with a classifier drawn at random, so scores mean nothing but
have to be equal. `--model FOLDER` takes a real one.
"""

import asyncio
import contextlib
import io
import random
import time
import warnings
from argparse import Namespace
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from retrieval.compute.checkpoint import Checkpoint, find
from retrieval.compute.device import choose
from retrieval.embed.weights import locate
from retrieval.rerank.pairs import PairReranker
from tests.bench.corpus import Language
from tests.bench.report import Measure

WORDS = (8, 400)
LIMIT = 512
LONGEST_TEXT = 460
"""Pieces that a text is cut to, so that with the question it fits: FlagEmbedding reads no further."""
ROUNDS = 2
TARGET = {"cpu": 1.5, "gpu": 2.0}
EQUAL = 1e-3

Scores = NDArray[np.float64]
Score = Callable[[list[tuple[str, str]]], Awaitable[Scores]]


async def measure(folder: Path, options: Namespace) -> list[Measure]:
    """Pairs per second of both, the faster of two alternating rounds, and how far their scores differ."""
    model = Path(options.model) if options.model else checkpoint(folder / "minilm-classifier")
    device = choose(options.device)
    target = TARGET["cpu" if device.name == "cpu" else "gpu"]
    texts = mixed(model, options.pairs)
    one = [("Which dose was reduced for its effects on the liver of dogs?", text) for text in texts]
    language = Language(11)
    many = [(language.question(), text) for text in texts]
    ours, theirs = pestle(find(str(model)), device.name), peer(model, device.name)
    measures: list[Measure] = []
    for what, pairs in (("one question", one), ("a question for each text", many)):
        speed, peer_speed, apart = await side_by_side(ours, theirs, pairs)
        measures.append(
            Measure(
                f"rerank {len(pairs)} pairs, {what}, {device}",
                speed,
                "pairs/s",
                f">= {target} x peer",
                speed >= target * peer_speed,
                "FlagEmbedding compute_score",
                peer_speed,
            )
        )
        measures.append(
            Measure("largest difference of scores", apart * 1e6, "millionths", f"<= {EQUAL}", apart <= EQUAL)
        )
    if device.name == "cpu":
        half = pestle(find(str(model)), device.name, "bf16")
        speed, fp32_speed, apart = await side_by_side(half, ours, one)
        measures.append(Measure("the same in bf16", speed, "pairs/s", peer="in fp32", peer_value=fp32_speed))
        measures.append(Measure("largest difference of scores in bf16", apart * 1e6, "millionths"))
    return measures


async def side_by_side(
    ours: Score, theirs: Score, pairs: list[tuple[str, str]]
) -> tuple[float, float, float]:
    """Pairs per second of each, and the largest difference of their scores."""
    seconds: tuple[list[float], list[float]] = ([], [])
    found: list[Scores] = []
    await ours(pairs[:8])
    await theirs(pairs[:8])
    for _ in range(ROUNDS):
        for score, kept in zip((ours, theirs), seconds, strict=True):
            began = time.perf_counter()
            found.append(await score(pairs))
            kept.append(time.perf_counter() - began)
    apart = float(np.abs(found[0] - found[1]).max())
    return len(pairs) / min(seconds[0]), len(pairs) / min(seconds[1]), apart


def pestle(model: Checkpoint, device: str, precision: str = "auto") -> Score:
    """Pestle's reranker, asked as the review asks it: question by question."""
    reranker = PairReranker(model, "FlagEmbedding", device=device, precision=precision, max_length=LIMIT)

    async def score(pairs: list[tuple[str, str]]) -> Scores:
        by_question: dict[str, list[str]] = {}
        for question, text in pairs:
            by_question.setdefault(question, []).append(text)
        scores = await asyncio.gather(*(reranker.score(q, texts) for q, texts in by_question.items()))
        found = {
            (question, text): value
            for (question, texts), values in zip(by_question.items(), scores, strict=True)
            for text, value in zip(texts, values.tolist(), strict=True)
        }
        return np.array([found[pair] for pair in pairs])

    return score


def peer(model: Path, device: str) -> Score:
    """FlagEmbedding's own call, with its defaults (half precision on a GPU)."""
    from FlagEmbedding import FlagReranker

    reranker: Any = FlagReranker(str(model), use_fp16=device != "cpu", devices=device, normalize=True)

    async def score(pairs: list[tuple[str, str]]) -> Scores:
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            return np.array(reranker.compute_score(pairs))

    return score


def checkpoint(folder: Path) -> Path:
    """all-MiniLM-L6-v2 with a classifier; the same at each run."""
    import torch
    from transformers import AutoTokenizer, BertForSequenceClassification
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    torch.manual_seed(7)
    source = str(locate().folder)
    model = BertForSequenceClassification.from_pretrained(source, num_labels=1, dtype=torch.float32)
    torch.nn.init.normal_(model.classifier.weight, std=0.3)
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(source).save_pretrained(folder)
    return folder


def mixed(model: Path, count: int) -> list[str]:
    """Texts of 8 to 400 words, none of which the model has to cut."""
    tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
    tokenizer.no_truncation()
    language, lengths = Language(), random.Random(7)
    texts = [language.text(lengths.randint(*WORDS)) for _ in range(count)]
    offsets = [tokenizer.encode(text).offsets[:LONGEST_TEXT] for text in texts]
    return [text[: max(end for _, end in pairs)] for text, pairs in zip(texts, offsets, strict=True)]
