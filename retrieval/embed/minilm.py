"""all-MiniLM-L6-v2 on the CPU, without torch: the default encoder.

Same output as sentence-transformers to 1e-4: word pieces cut at 256, mean over the pieces, unit length.
"""

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray
from tokenizers import Tokenizer

from retrieval.compute.batches import batches
from retrieval.embed.graph import LAYERS, WIDTH, build
from retrieval.embed.pieces import Pieces
from retrieval.embed.weights import locate
from retrieval.ports import Vectors

T = TypeVar("T")

THRESHOLD = 0.2
"""What 98 % of the texts judged relevant exceed: 0.30 on BioASQ (250 questions, snippets), 0.22 on SciFact
(150 claims, abstracts). Half of all random pairs lie under 0.12. The paper's 0.7 is for multilingual-e5,
whose cosines lie between 0.7 and 1.
"""

MAX_PIECES = 256
"""Word pieces that are read of a text, with the two marks at its ends (`max_seq_length` of the model)."""
EARLY_LAYERS = 4
"""Layers whose states `encode_early` gives; the compact reranker reads on from there."""
BATCH_PIECES = 2048
"""Pieces in one batch, padding included. Larger batches fall out of the processor's cache and are slower."""


class MiniLM:
    """Encoder of 384 dimensions, 256 word pieces; one worker thread keeps the model to itself.

    `folder` holds the weights (default: the installed package), `stamps` is where their check is remembered
    (`retrieval.embed.weights.locate`). Raises `WeightsError`.
    """

    name = "all-MiniLM-L6-v2"
    dimension = WIDTH
    device = "cpu, fp32"

    def __init__(
        self, folder: Path | None = None, stamps: Path | None = None, threshold: float = THRESHOLD
    ) -> None:
        self.threshold = threshold
        weights = locate(folder, stamps)
        self._weights = weights
        self._pieces = Pieces(Tokenizer.from_file(str(weights.tokenizer)), MAX_PIECES)
        self._whole = self._layers(0, LAYERS)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="minilm")

    async def encode(self, texts: Sequence[str]) -> Vectors:
        """(n, 384) float32, rows of unit length: the mean over the pieces of each text."""
        rows = await self._rows(texts, self._pooled)
        return np.stack(rows) if rows else np.zeros((0, WIDTH), np.float32)

    async def encode_questions(self, questions: Sequence[str]) -> Vectors:
        """As `encode`: this model knows no instruction."""
        return await self.encode(questions)

    async def encode_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """For each text (pieces, 384) float32, rows of unit length, the marks at the ends included."""
        return await self._rows(texts, self._unpooled)

    async def encode_early(self, texts: Sequence[str]) -> list[Vectors]:
        """For each text (pieces, 384) float32, the states after `EARLY_LAYERS` layers, marks included."""
        return await self._rows(texts, lambda ids: _states(self._early, ids))

    async def encode_rest(self, states: Sequence[Vectors]) -> list[Vectors]:
        """`encode_tokens` of texts whose early states are given."""
        rows: list[Vectors] = list(states)
        for batch in batches([len(each) for each in states], BATCH_PIECES):
            tokens = await self._in_thread(self._from_early, [states[i] for i in batch])
            for i, row in zip(batch, tokens, strict=True):
                rows[i] = _unit(row)
        return rows

    def content(self, text: str) -> NDArray[np.bool_]:
        """(pieces,) True for pieces of words that carry a topic; all True if there is no such word."""
        return self._pieces.content(text)

    def windows(self, texts: Sequence[str], heads: Sequence[str]) -> list[list[str]]:
        """Each text in parts that are read whole, with its head before each (see `Pieces.windows`)."""
        return self._pieces.windows(texts, heads)

    async def _rows(
        self, texts: Sequence[str], work: Callable[[list[list[int]]], list[Vectors]]
    ) -> list[Vectors]:
        """One job for each batch, so that a question need not wait for a whole ingest."""
        encodings = await self._in_thread(self._pieces.encode, texts)
        rows: list[Vectors] = [np.zeros(0, np.float32)] * len(encodings)
        for batch in batches([len(encoding.ids) for encoding in encodings], BATCH_PIECES):
            vectors = await self._in_thread(work, [encodings[i].ids for i in batch])
            for i, row in zip(batch, vectors, strict=True):
                rows[i] = row
        return rows

    async def _in_thread(self, work: Callable[..., T], *arguments: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    @cached_property
    def _early(self) -> ort.InferenceSession:
        """The first layers alone; made when first used: only the compact reranker reads on from them."""
        return self._layers(0, EARLY_LAYERS)

    @cached_property
    def _late(self) -> ort.InferenceSession:
        return self._layers(EARLY_LAYERS, LAYERS)

    def _layers(self, first: int, last: int) -> ort.InferenceSession:
        return session(build(self._weights.tensors, first, last), self._weights.folder)

    def _from_early(self, states: Sequence[Vectors]) -> list[Vectors]:
        return late_states(self._late, states)

    def _pooled(self, ids: list[list[int]]) -> list[Vectors]:
        return [_unit(states.mean(axis=0)) for states in _states(self._whole, ids)]

    def _unpooled(self, ids: list[list[int]]) -> list[Vectors]:
        return [_unit(states) for states in _states(self._whole, ids)]


def _states(layers: ort.InferenceSession, ids: Sequence[Sequence[int]]) -> list[Vectors]:
    """(pieces, 384) states of each text after these layers, which begin with the first."""
    mask = hidden_padding(list(map(len, ids)))
    padded = np.zeros((len(ids), mask.shape[-1]), np.int64)
    for row, pieces in enumerate(ids):
        padded[row, : len(pieces)] = pieces
    feed = {"ids": padded, "positions": np.arange(padded.shape[1]), "mask": mask}
    tokens: Vectors = layers.run(["tokens"], feed)[0]
    return [states[: len(pieces)] for states, pieces in zip(tokens, ids, strict=True)]


def late_states(layers: ort.InferenceSession, texts: Sequence[Vectors]) -> list[Vectors]:
    """(pieces, 384) last hidden states of each text, from its states before these layers."""
    mask = hidden_padding(list(map(len, texts)))
    padded = np.zeros((len(texts), mask.shape[-1], WIDTH), np.float32)
    for row, states in enumerate(texts):
        padded[row, : len(states)] = states
    tokens: Vectors = layers.run(["tokens"], {"states": padded, "mask": mask})[0]
    return [states[: len(text)] for states, text in zip(tokens, texts, strict=True)]


def hidden_padding(lengths: Sequence[int]) -> Vectors:
    """(b, 1, 1, t) minus infinity over the padding, 0 elsewhere, so that rows are independent."""
    mask = np.full((len(lengths), 1, 1, max(lengths)), -np.inf, np.float32)
    for row, length in enumerate(lengths):
        mask[row, ..., :length] = 0
    return mask


def session(graph: bytes, folder: Path) -> ort.InferenceSession:
    """A graph of `retrieval.embed.graph` whose weights lie in `folder`."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = os.cpu_count() or 1
    # Threads that spin between two calls would take the cores from search and from other processes.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(folder))
    return ort.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def _unit(vectors: Vectors) -> Vectors:
    """The same vectors with unit length along the last axis."""
    unit: Vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)
    return unit
