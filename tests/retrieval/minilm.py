"""The real encoder for tests, made once, or a skip where its weights are not installed."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from retrieval.compute.cache import Lru
from retrieval.embed.minilm import MiniLM
from retrieval.errors import WeightsError
from retrieval.ports import Vectors
from tests.support.services import missing


@cache
def minilm() -> MiniLM:
    try:
        return MiniLM()
    except WeightsError as error:
        missing("weights", str(error))
        raise


@cache
def remembering() -> "Remembering":
    """The same encoder for tests that look at something else: what it has read it does not read again."""
    return Remembering(minilm())


class Remembering:
    """Keeps the vectors of the last texts of an encoder; a row does not depend on its batch mates."""

    def __init__(self, encoder: MiniLM) -> None:
        self.name, self.dimension, self.threshold = encoder.name, encoder.dimension, encoder.threshold
        self._encoder = encoder
        self._rows: Lru[str, Vectors] = Lru(50_000)
        self._tokens: Lru[str, Vectors] = Lru(500)
        self.windows = encoder.windows

    async def encode(self, texts: Sequence[str]) -> Vectors:
        rows = await self._rows.all(texts, self._encoder.encode)
        return (
            np.stack([rows[text] for text in texts]) if texts else np.zeros((0, self.dimension), np.float32)
        )

    async def encode_questions(self, questions: Sequence[str]) -> Vectors:
        return await self.encode(questions)

    async def encode_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        rows = await self._tokens.all(texts, self._encoder.encode_tokens)
        return [rows[text] for text in texts]
