"""An encoder without weights for tests and trials: texts that share words are near each other."""

import re
import zlib
from collections.abc import Sequence

import numpy as np

from retrieval.ports import Vectors

WORD = re.compile(r"\w+")


class HashingEncoder:
    """Signed feature hashing of lower-cased words (Weinberger et al. 2009); the same on every machine."""

    threshold = 0.0

    def __init__(self, dimension: int = 256) -> None:
        self.name = f"hashing-{dimension}"
        self.dimension = dimension

    async def encode(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32, rows of unit length; a text without words gets the first unit vector."""
        return (
            np.stack([self._row(text) for text in texts])
            if texts
            else np.zeros((0, self.dimension), np.float32)
        )

    async def encode_questions(self, questions: Sequence[str]) -> Vectors:
        """As `encode`."""
        return await self.encode(questions)

    def windows(self, texts: Sequence[str], heads: Sequence[str]) -> list[list[str]]:
        """Each text whole: this encoder reads any length."""
        return [[f"{head}\n{text}" if head else text] for text, head in zip(texts, heads, strict=True)]

    def _row(self, text: str) -> Vectors:
        row = np.zeros(self.dimension, np.float32)
        for word in WORD.findall(text.lower()):
            code = zlib.crc32(word.encode())
            row[code % self.dimension] += 1 if code & 0x40000000 else -1
        length = float(np.linalg.norm(row))
        if length == 0:
            row[0] = length = 1.0
        return row / np.float32(length)
