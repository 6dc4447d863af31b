"""all-MiniLM-L6-v2 on the CPU, without torch: the default encoder.

Same output as sentence-transformers to 1e-4: word pieces cut at 256, mean over the pieces, unit length.
"""

import asyncio
import math
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from retrieval.embed.graph import WIDTH, build
from retrieval.embed.weights import Weights, locate
from retrieval.index.words import STOP_WORDS
from retrieval.ports import Vectors

T = TypeVar("T")

THRESHOLD = 0.2
"""What 98 % of the texts judged relevant exceed: 0.30 on BioASQ (250 questions, snippets), 0.22 on SciFact
(150 claims, abstracts). Half of all random pairs lie under 0.12. The paper's 0.7 is for multilingual-e5,
whose cosines lie between 0.7 and 1.
"""

MAX_PIECES = 256
"""Word pieces that are read of a text, with the two marks at its ends (`max_seq_length` of the model)."""
MAX_HEAD_PIECES = 96
"""Pieces of a head (title, section, table header) that are repeated before each window of a text."""
SPARE_PIECES = 16
"""Room left in a window for the marks at its ends and for cutting between words."""
BATCH_PIECES = 2048
"""Pieces in one batch, padding included. Larger batches fall out of the processor's cache and are slower."""


class MiniLM:
    """Encoder of 384 dimensions, 256 word pieces; one worker thread keeps the model to itself.

    `folder` holds the weights (default: the installed package), `stamps` is where their check is remembered
    (`retrieval.embed.weights.locate`). Raises `WeightsError`.
    """

    name = "all-MiniLM-L6-v2"
    dimension = WIDTH
    threshold = THRESHOLD

    def __init__(self, folder: Path | None = None, stamps: Path | None = None) -> None:
        weights = locate(folder, stamps)
        self._tokenizer = Tokenizer.from_file(str(weights.tokenizer))
        self._tokenizer.enable_truncation(MAX_PIECES)
        self._tokenizer.no_padding()
        self._session = _session(weights)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="minilm")

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

    def content(self, text: str) -> NDArray[np.bool_]:
        """(pieces,) True for pieces of words that carry a topic; all True if there is no such word."""
        encoding = self._tokenizer.encode(text)
        spans = [text[start:end].lower() for start, end in encoding.offsets]
        carries = np.array([any(map(str.isalnum, span)) and span not in STOP_WORDS for span in spans])
        return carries if carries.any() else ~carries

    def windows(self, text: str, head: str = "") -> list[str]:
        """The text in parts of about equal length, cut between words; a head that is too long is cut.

        A chunk of 512 words has about 700 word pieces, of which 256 are read. So it gets one vector for each
        window, and is as near to a question as its nearest window ("MaxP": Dai & Callan 2019, section 3). On
        pairs of SciFact abstracts (429 words, 300 questions) nDCG@10 is 0.65 so, against 0.38 with the text
        cut at the limit and 0.49 with the mean of its windows.
        """
        offsets = self._offsets(head)[:MAX_HEAD_PIECES]
        lead = head[: offsets[-1][1]] + "\n" if offsets else ""
        pieces = self._offsets(text)
        count = max(1, math.ceil(len(pieces) / (MAX_PIECES - SPARE_PIECES - len(offsets))))
        starts = [_word_start(text, pieces[len(pieces) * i // count][0]) for i in range(1, count)]
        return [lead + text[first:last] for first, last in pairwise((0, *starts, len(text)))]

    def _offsets(self, text: str) -> list[tuple[int, int]]:
        """(start, end) characters of all word pieces of a text, also of those past the cut."""
        encoding = self._tokenizer.encode(text)
        return [pair for part in (encoding, *encoding.overflowing) for pair in part.offsets[1:-1]]

    async def _rows(self, texts: Sequence[str], *, pooled: bool) -> list[Vectors]:
        """One job for each batch, so that a question need not wait for a whole ingest."""
        encodings = await self._in_thread(self._tokenizer.encode_batch, list(texts))
        rows: list[Vectors] = [np.zeros(0, np.float32)] * len(encodings)
        for batch in _batches(encodings):
            vectors = await self._in_thread(self._batch, [encodings[i].ids for i in batch], pooled)
            for i, row in zip(batch, vectors, strict=True):
                rows[i] = row
        return rows

    async def _in_thread(self, work: Callable[..., T], *arguments: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    def _batch(self, ids: list[list[int]], pooled: bool) -> list[Vectors]:
        """Unit vectors of each text, or of each of its pieces."""
        tokens = [states[: len(pieces)] for states, pieces in zip(self._hidden(ids), ids, strict=True)]
        return [_unit(states.mean(axis=0) if pooled else states) for states in tokens]

    def _hidden(self, ids: list[list[int]]) -> Vectors:
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


def _word_start(text: str, position: int) -> int:
    """Where the word at this position begins."""
    while position > 0 and not text[position - 1].isspace():
        position -= 1
    return position


def _session(weights: Weights) -> ort.InferenceSession:
    options = ort.SessionOptions()
    options.intra_op_num_threads = os.cpu_count() or 1
    # Threads that spin between two calls would take the cores from search and from other processes.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry(
        "session.model_external_initializers_file_folder_path", str(weights.folder)
    )
    return ort.InferenceSession(build(weights.tensors), options, providers=["CPUExecutionProvider"])


def _batches(encodings: Sequence[Encoding]) -> Iterator[list[int]]:
    """Positions of the texts, longest first, cut so that a padded batch stays under `BATCH_PIECES`."""
    order = sorted(range(len(encodings)), key=lambda i: -len(encodings[i].ids))
    while order:
        size = max(1, BATCH_PIECES // len(encodings[order[0]].ids))
        yield order[:size]
        order = order[size:]


def _unit(vectors: Vectors) -> Vectors:
    """The same vectors with unit length along the last axis."""
    unit: Vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)
    return unit
