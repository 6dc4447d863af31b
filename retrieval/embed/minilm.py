"""all-MiniLM-L6-v2 on the CPU, without torch: the default encoder.

Same output as sentence-transformers to 1e-4: word pieces cut at 256, mean over the pieces, unit length.
"""

import asyncio
import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from retrieval.compute.engine import Engine
from retrieval.embed.pieces import Text
from retrieval.embed.weights import GRAPH, WIDTH, Weights, locate
from retrieval.ports import Vectors

if TYPE_CHECKING:
    import onnxruntime as ort

    from retrieval.embed.pieces import Pieces

THRESHOLD = 0.2
"""What 98 % of the texts judged relevant exceed: 0.30 on BioASQ (250 questions, snippets), 0.22 on SciFact
(150 claims, abstracts). Half of all random pairs lie under 0.12. The paper's 0.7 is for multilingual-e5,
whose cosines lie between 0.7 and 1.
"""

MAX_PIECES = 256
"""Word pieces that are read of a text, with the two marks at its ends (`max_seq_length` of the model)."""
BATCH_PIECES = 2048
"""Pieces in one batch, padding included. Larger batches fall out of the processor's cache and are slower."""
MOST_WAITING = 100_000
"""Requests that may wait: those of this process are small and known, and none of them is refused."""


class MiniLM:
    """Encoder of 384 dimensions, 256 word pieces; one worker thread keeps the model to itself.

    The weights are checked at once and loaded by the first text: a question may need none of it.

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
        self._weights = locate(folder, stamps)
        self._engine: Engine[Text, Vectors] = Engine(
            "minilm", self._batch, lambda text: len(text.ids), BATCH_PIECES, waiting=MOST_WAITING
        )

    @cached_property
    def _pieces(self) -> "Pieces":
        from tokenizers import Tokenizer

        from retrieval.embed.pieces import Pieces

        return Pieces(Tokenizer.from_file(str(self._weights.tokenizer)), MAX_PIECES)

    @cached_property
    def _session(self) -> "ort.InferenceSession":
        return _session(self._weights)

    async def encode(self, texts: Sequence[str]) -> Vectors:
        """(n, 384) float32, rows of unit length: the mean over the pieces of each text."""
        rows = await self._rows(texts, pooled=True)
        return np.stack(rows) if rows else np.zeros((0, WIDTH), np.float32)

    async def encode_questions(self, questions: Sequence[str]) -> Vectors:
        """As `encode`: this model knows no instruction."""
        return await self.encode(questions)

    async def encode_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """For each text (pieces, 384) float32, rows of unit length, the marks at the ends included."""
        return await self._rows(texts, pooled=False)

    def windows(self, texts: Sequence[str], heads: Sequence[str]) -> list[list[str]]:
        """Each text in parts that are read whole, with its head before each (see `Pieces.windows`)."""
        return self._pieces.windows(texts, heads)

    async def _rows(self, texts: Sequence[str], *, pooled: bool) -> list[Vectors]:
        encodings = await asyncio.to_thread(lambda: self._pieces.encode(texts))
        return await self._engine.run([Text(encoding.ids, pooled) for encoding in encodings])

    def _batch(self, batch: Sequence[Text]) -> list[Vectors]:
        """Unit vectors of each text, or of each of its pieces."""
        hidden = self._hidden([text.ids for text in batch])
        tokens = [(text, states[: len(text.ids)]) for text, states in zip(batch, hidden, strict=True)]
        return [_unit(states.mean(axis=0) if text.pooled else states) for text, states in tokens]

    def _hidden(self, ids: Sequence[Sequence[int]]) -> Vectors:
        """(b, t, 384) last hidden states. Padding is hidden with minus infinity, so rows are independent."""
        width = max(map(len, ids))
        padded = np.zeros((len(ids), width), np.int64)
        mask = np.full((len(ids), 1, 1, width), -np.inf, np.float32)
        for row, pieces in enumerate(ids):
            padded[row, : len(pieces)] = pieces
            mask[row, ..., : len(pieces)] = 0
        feed = {"ids": padded, "positions": np.arange(width), "mask": mask}
        hidden: Vectors = self._session.run(["tokens"], feed)[0]
        return hidden


def _session(weights: Weights) -> "ort.InferenceSession":
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = os.cpu_count() or 1
    # Threads that spin between two calls would take the cores from search and from other processes.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry(
        "session.model_external_initializers_file_folder_path", str(weights.folder)
    )
    return ort.InferenceSession(GRAPH.read_bytes(), options, providers=["CPUExecutionProvider"])


def _unit(vectors: Vectors) -> Vectors:
    """The same vectors with unit length along the last axis."""
    unit: Vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)
    return unit
