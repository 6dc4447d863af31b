"""A compact cross-encoder: MiniLM whose last two layers were trained to read question and text together.

Method: the early layers read question and text apart, so that a text is read once for many questions (PreTTR:
MacAvaney et al. 2020, section 4). The score is MaxSim over the joint states (Khattab & Zaharia 2020, section
3.3) plus a linear head on the first of them, so that training starts from what late interaction knows.
`pestle train reranker --kind compact` makes the weights.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from retrieval.compute.batches import batches
from retrieval.embed.graph import LAYERS, build
from retrieval.embed.minilm import BATCH_PIECES, EARLY_LAYERS, late_states, session
from retrieval.errors import WeightsError
from retrieval.ports import Vectors
from retrieval.rerank.windows import REMEMBERED_WINDOWS, Remembered, best_window

DECIMALS = 3
"""Scores are rounded so far: what lies behind depends on what else was in the encoder's batch."""

SLOPE, MIDDLE = 11.3, 0.579
"""Logistic map of the mean similarity before training: that of MaxSim over MiniLM's own last states."""


class EarlyEncoder(Protocol):
    """An encoder that gives the states between its layers."""

    name: str

    async def encode_early(self, texts: Sequence[str]) -> list[Vectors]:
        """For each text (pieces, 384) float32 after the early layers, the marks at its ends included."""
        ...

    def content(self, text: str) -> NDArray[np.bool_]:
        """(pieces,) True where a piece belongs to a word that carries a topic; True at least once."""
        ...


@dataclass(frozen=True, slots=True)
class Head:
    """What is learnt besides the layers: `side` (384,) marks the text's states, `first` (384,) weighs the
    first joint state; `slope` and `bias` map to a logit, at which a text is as likely relevant as not.
    """

    side: Vectors
    first: Vectors
    slope: float
    bias: float
    threshold: float

    @classmethod
    def read(cls, path: Path) -> "Head":
        """Raises `WeightsError`."""
        try:
            with safe_open(path, "numpy") as file:
                values = {name: file.get_tensor(f"head.{name}").astype(np.float32) for name in cls.__slots__}
        except (OSError, SafetensorError) as error:
            raise WeightsError(
                f"The reranker's weights {path} cannot be read: {error}. "
                "Make them with: pestle train reranker --kind compact"
            ) from error
        scalars = {name: values[name].item() for name in ("slope", "bias", "threshold")}
        return cls(values["side"], values["first"], **scalars)

    def logit(self, joint: Vectors, asked: NDArray[np.bool_]) -> float:
        """Of (pieces, 384) joint states, the question's first; `asked` (pieces of it,) carry the topic."""
        unit = joint / np.maximum(np.linalg.norm(joint, axis=1, keepdims=True), 1e-12)
        cosines = unit[: len(asked)][asked] @ unit[len(asked) + 1 : -1].T
        return float(self.slope * cosines.max(axis=1).mean() + joint[0] @ self.first + self.bias)


class CompactCrossEncoder:
    """`Reranker` on the CPU, without torch. Raises `WeightsError`."""

    def __init__(self, encoder: EarlyEncoder, weights: Path, remembered: int = REMEMBERED_WINDOWS) -> None:
        self.name = f"compact-cross-encoder-{encoder.name}"
        self._head = Head.read(weights)
        self.threshold = self._head.threshold
        self._layers = session(build(weights, EARLY_LAYERS, LAYERS), weights.parent)
        self._encoder = encoder
        self._states = Remembered(encoder.encode_early, remembered)

    async def score(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n,) scores in [0, 1]; an empty text gets 0."""
        logits = await self.logits(question, texts)
        return np.round(1 / (1 + np.exp(-logits)), DECIMALS)

    async def logits(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n,) what the scores are made of; minus infinity for an empty text."""
        asked = (await self._encoder.encode_early([question]))[0]
        windows = [best_window(question, text) for text in texts]
        states = await self._states.of(windows)
        read = [window for window in dict.fromkeys(windows) if len(states.get(window, ())) > 2]
        pairs = [np.concatenate([asked, states[window] + self._head.side]) for window in read]
        content = self._encoder.content(question)
        found = dict(zip(read, await asyncio.to_thread(self._logits, pairs, content), strict=True))
        return np.array([found.get(window, -np.inf) for window in windows], np.float32)

    def _logits(self, pairs: Sequence[Vectors], content: NDArray[np.bool_]) -> list[float]:
        logits = [0.0] * len(pairs)
        for batch in batches([len(pair) for pair in pairs], BATCH_PIECES):
            joint = late_states(self._layers, [pairs[i] for i in batch])
            for i, states in zip(batch, joint, strict=True):
                logits[i] = self._head.logit(states, content)
        return logits
