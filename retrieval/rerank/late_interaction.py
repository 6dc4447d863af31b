"""Late interaction: each piece of the question looks for its best partner in a text (the default reranker).

Method: MaxSim (Khattab & Zaharia 2020, ColBERT, section 3.3) over the token vectors of the default encoder,
which was not trained for it; DiscoVerse uses those of BGE-M3 (Appendix A.4). Instead of a sum ours is a
weighted log-mean-exp, with weights learnt on judged questions (`PieceWeights`;
docs/decisions/0008).
"""

import asyncio
import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.compute.cache import Lru
from retrieval.index.words import WORD, fold, terms
from retrieval.ports import Vectors

SHIPPED = Path(__file__).with_name("late-interaction.json")
LIGHTEST, HEAVIEST = -4.0, 4.0
"""Bounds of the logarithm of a piece's weight, so that no piece counts for nothing or for all."""
SHARPNESS = 4.0
"""k of the mean; between 2 and 6 nDCG@10 on SciFact and BioASQ differs by less than 0.002."""
DECIMALS = 3
"""Decimals of a score: further ones depend on what else was in the encoder's batch."""
WINDOW_WORDS = 100
"""Words in a window. Of a longer text only the window with most words of the question is read; windows
overlap by half.
"""
REMEMBERED_WINDOWS = 1024
"""Windows whose vectors are kept, at most about 110 MB."""
SPACES = re.compile(r"\s+")
Encode = Callable[[Sequence[str]], Awaitable[list[Vectors]]]
NO_TOKENS = np.zeros((0, 0), np.float16)


@dataclass(frozen=True, slots=True, eq=False)
class PieceWeights:
    """A piece of a question with the unit vector q weighs exp(q · `piece`), `piece` (d,); (0,): all alike.

    The similarity of question and text is the weighted log-mean-exp of what each piece finds in the text,
    (1/k) log Σ wᵢ exp(k sᵢ) with Σ wᵢ = 1: between the mean (k → 0) and the maximum, so that a piece that is
    met counts more than one that is missed. At the similarity `middle` a text is as likely relevant as not;
    `slope` is that of the logistic map (Platt 1999).

    Defaults are for MiniLM with all pieces alike. `version` is the beginning of the file's SHA-256.
    """

    piece: Vectors = field(default_factory=lambda: np.zeros(0, np.float32))
    slope: float = 17.9
    middle: float = 0.63
    threshold: float = 0.16
    version: str = "equal"

    def weights(self, asked: Vectors) -> Vectors:
        """(n,) weights of a question's pieces, whose unit vectors are (n, d); their sum is 1."""
        logs = asked @ self.piece if self.piece.size else np.zeros(len(asked), np.float32)
        weights = np.exp(np.clip(logs, LIGHTEST, HEAVIEST))
        return np.asarray(weights / weights.sum(), np.float32)

    def similarity(self, weights: Vectors, partners: Vectors) -> NDArray[np.float32]:
        """(texts,) similarity of a question to each text, from the best cosines of its pieces, `partners`
        (texts, n).
        """
        return np.asarray(np.log(np.exp(SHARPNESS * partners) @ weights) / SHARPNESS, np.float32)

    def score(self, similarity: NDArray[np.float32]) -> NDArray[np.float32]:
        """(texts,) scores in [0, 1]."""
        return np.asarray(1 / (1 + np.exp(-self.slope * (similarity - self.middle))), np.float32)


class TokenEncoder(Protocol):
    """An encoder that also gives the vectors of single word pieces."""

    name: str

    async def encode_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """For each text (pieces, d) float32, rows of unit length, the marks at its ends included."""


class LateInteraction:
    """`Reranker`: the weighted mean over the question's pieces of the best cosine in the text.

    The marks at the ends of the question look for partners too, for they hold its sense as a whole.
    """

    def __init__(
        self,
        encoder: TokenEncoder,
        threshold: float | None = None,
        remembered: int = REMEMBERED_WINDOWS,
    ) -> None:
        self._weighing = shipped(encoder.name)
        self.name = f"late-interaction-{encoder.name}@{self._weighing.version}"
        self.threshold = self._weighing.threshold if threshold is None else threshold
        self._encoder = encoder
        self._tokens = Remembered(encoder.encode_tokens, remembered)

    async def score(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n,) scores in [0, 1]; an empty text gets 0."""
        similarity = await self.similarity(question, texts)
        return np.round(self._weighing.score(similarity), DECIMALS)

    async def similarity(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n,) what the scores are made of; minus infinity for an empty text."""
        asked, partners = await self._partners(question, texts)
        found = self._weighing.similarity(self._weighing.weights(asked), np.maximum(partners, -1))
        return np.where(np.isfinite(partners).all(axis=1), found, -np.inf).astype(np.float32)

    async def _partners(self, question: str, texts: Sequence[str]) -> tuple[Vectors, Vectors]:
        """Unit vectors of the question's pieces (n, d), and their best cosines in each text (texts, n); minus
        infinity for an empty text.
        """
        asked = (await self._encoder.encode_tokens([question]))[0]
        windows = [best_window(question, text) for text in texts]
        tokens = await self._tokens.of(windows)
        return asked, await asyncio.to_thread(_best, asked, [tokens.get(w, NO_TOKENS) for w in windows])


def _best(asked: Vectors, texts: Sequence[NDArray[np.float16]]) -> Vectors:
    """A text has no padding here, so none can be taken for a partner; nor can the marks at its ends."""
    found = np.full((len(texts), len(asked)), -np.inf, np.float32)
    for row, tokens in enumerate(texts):
        if len(pieces := tokens[1:-1].astype(np.float32)):
            found[row] = (asked @ pieces.T).max(axis=1)
    return found


def best_window(question: str, text: str) -> str:
    """The window of `text` with most different words of the question, the first of equals."""
    words = SPACES.split(text.strip())
    starts = range(0, max(1, len(words) - WINDOW_WORDS // 2), WINDOW_WORDS // 2)
    windows = [" ".join(words[start : start + WINDOW_WORDS]) for start in starts]
    wanted = frozenset(terms(question))
    return max(windows, key=lambda window: len(wanted.intersection(WORD.findall(fold(window)))))


class Remembered:
    """The last windows that were encoded, with their vectors."""

    def __init__(self, encode: Encode, limit: int) -> None:
        self._encode = encode
        self._windows: Lru[str, NDArray[np.float16]] = Lru(limit)

    async def of(self, windows: Sequence[str]) -> Mapping[str, NDArray[np.float16]]:
        """(pieces, d) by window, without empty windows. Always in half precision, so that a score does not
        depend on what is remembered.
        """
        return await self._windows.all(filter(None, windows), self._halved)

    async def _halved(self, windows: list[str]) -> list[NDArray[np.float16]]:
        return [vectors.astype(np.float16) for vectors in await self._encode(windows)]


@cache
def shipped(encoder_name: str) -> PieceWeights:
    """The weights that are shipped for this encoder; all pieces alike if there are none."""
    content = SHIPPED.read_bytes()
    values = json.loads(content)
    if values["encoder"] != encoder_name:
        return PieceWeights()
    return PieceWeights(
        piece=np.array(values["piece"], np.float32),
        slope=values["slope"],
        middle=values["middle"],
        threshold=values["threshold"],
        version=hashlib.sha256(content).hexdigest()[:8],
    )
