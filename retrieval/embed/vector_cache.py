"""An encoder whose vectors are kept in a file, so that what was encoded once is not encoded again."""

import asyncio
import hashlib
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import numpy as np

from retrieval.errors import RetrievalError
from retrieval.ports import Encoder, Vectors

TABLE = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID"

WAIT_S = 60.0
"""How long a write waits for that of another evaluation."""


class CachedEncoder:
    """`Encoder` that asks another one only for texts that the file `path` does not hold.

    Vectors are found by content: name of the encoder, text or question, and the text itself. The encoder's
    name does not tell what it writes before a question: that is `instruction`. Each call ends with a commit,
    so that an interrupted evaluation goes on where it was. Raises `RetrievalError` for a file that is none.
    """

    def __init__(self, encoder: Encoder, path: Path, instruction: str = "") -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.name = encoder.name
        self.dimension = encoder.dimension
        self.threshold = encoder.threshold
        self.windows = encoder.windows
        self._encoder = encoder
        self._instruction = instruction
        self._kept = sqlite3.connect(path, timeout=WAIT_S, check_same_thread=False)
        try:
            self._kept.execute(TABLE)
        except sqlite3.DatabaseError as error:
            self._kept.close()
            raise RetrievalError(
                f"The vectors kept in {path} cannot be read ({error}). Delete the file; they are made again."
            ) from error

    async def encode(self, texts: Sequence[str]) -> Vectors:
        """(n, d) as the encoder's own."""
        return await self._rows("text", texts, self._encoder.encode)

    async def encode_questions(self, questions: Sequence[str]) -> Vectors:
        """(n, d) as the encoder's own."""
        kind = f"question {self._instruction}".strip()
        return await self._rows(kind, questions, self._encoder.encode_questions)

    def close(self) -> None:
        """Close the file."""
        self._kept.close()

    async def _rows(
        self, kind: str, texts: Sequence[str], encode: Callable[[Sequence[str]], Awaitable[Vectors]]
    ) -> Vectors:
        keys = [_key(self.name, kind, text) for text in texts]
        rows = await asyncio.to_thread(self._read, keys)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in rows}
        if new:
            made = await encode(list(new.values()))
            rows |= dict(zip(new, made, strict=True))
            await asyncio.to_thread(self._write, list(new), made)
        return np.stack([rows[key] for key in keys]) if keys else np.zeros((0, self.dimension), np.float32)

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        query = "SELECT vector FROM vectors WHERE key = ?"
        found = ((key, self._kept.execute(query, (key,)).fetchone()) for key in keys)
        return {key: np.frombuffer(row[0], np.float32) for key, row in found if row}

    def _write(self, keys: Sequence[bytes], vectors: Vectors) -> None:
        rows = [(key, row.astype(np.float32).tobytes()) for key, row in zip(keys, vectors, strict=True)]
        with self._kept:
            self._kept.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)


def _key(*parts: str) -> bytes:
    return hashlib.sha256("\0".join(parts).encode()).digest()
