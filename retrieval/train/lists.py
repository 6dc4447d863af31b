"""A judged question with what search found for it, read by the early layers, which are not trained."""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.embed.minilm import MiniLM
from retrieval.evaluate.fill import Progress
from retrieval.rerank.windows import best_window
from retrieval.train.candidates import Found
from retrieval.train.data import Material

TOGETHER = 256
"""Texts that are read between two reports of progress."""

States = NDArray[np.float16]
"""(pieces, 384) of a text after the early layers."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A query, its candidates in the order of the search, and which of them are relevant.

    `windows` are what is read of the passages; `extra` are windows of relevant passages that were not found:
    taught, but not ranked.
    """

    query: str
    text: str
    passages: tuple[str, ...]
    windows: tuple[str, ...]
    relevant: tuple[bool, ...]
    extra: tuple[str, ...]


def ranked(material: Material, found: Found, depth: int) -> list[Ranked]:
    """Every query with its first `depth` candidates that are judged or not known to be near an answer."""
    texts = {article.doc_id: _text(article.title, article.text) for article in material.collection.articles}
    return [
        _ranked(query, text, material.collection.grades[query], found[query], texts, depth)
        for query, text in material.collection.queries.items()
    ]


def _ranked(
    query: str,
    text: str,
    grades: Mapping[str, int],
    found: Sequence[str],
    texts: Mapping[str, str],
    depth: int,
) -> Ranked:
    passages = tuple(name for name in found if grades.get(name, 0) >= 0)[:depth]
    missed = sorted(name for name, grade in grades.items() if grade > 0 and name not in passages)
    return Ranked(
        query=query,
        text=text,
        passages=passages,
        windows=tuple(best_window(text, texts[name]) for name in passages),
        relevant=tuple(grades.get(name, 0) > 0 for name in passages),
        extra=tuple(best_window(text, texts[name]) for name in missed),
    )


async def early_states(
    lists: Sequence[Ranked], encoder: MiniLM, kept: Path, progress: Progress
) -> dict[str, States]:
    """What the early layers make of each different text, in half precision as the reranker keeps it.

    Kept as `kept`.npy and .json: a second run reads them.
    """
    rows, places = kept.with_suffix(".npy"), kept.with_suffix(".json")
    if not await asyncio.to_thread(places.is_file):
        await _read(_texts(lists), encoder, rows, places, progress)
    stored = np.load(rows, mmap_mode="r")
    found = json.loads(await asyncio.to_thread(places.read_text, "utf-8"))
    return {text: stored[first:last] for text, (first, last) in found.items()}


async def _read(texts: Sequence[str], encoder: MiniLM, rows: Path, places: Path, progress: Progress) -> None:
    read: list[States] = []
    for batch in _batches(texts):
        read += [each.astype(np.float16) for each in await encoder.encode_early(batch)]
        progress(f"reading for {rows.stem}", len(read), len(texts))
    ends = np.cumsum([0, *map(len, read)]).tolist()
    await asyncio.to_thread(np.save, rows, np.concatenate(read))
    await asyncio.to_thread(places.write_text, json.dumps(dict(zip(texts, pairwise(ends), strict=True))))


def _texts(lists: Sequence[Ranked]) -> list[str]:
    """Each different text once, those of like length together."""
    return sorted({text for one in lists for text in (one.text, *one.windows, *one.extra)}, key=_by_length)


def _by_length(text: str) -> tuple[int, str]:
    return len(text), text


def _batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    return (texts[i : i + TOGETHER] for i in range(0, len(texts), TOGETHER))


def _text(title: str, text: str) -> str:
    return f"{title}\n\n{text}" if title else text
