"""Encoder and reranker that ask the model workers; they fulfil the same ports as those that compute here."""

import asyncio
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import RetrievalError
from retrieval.ports import Vectors
from workers.models.client import ModelClient
from workers.models.protocol import Array, ComputeReply, ComputeRequest, Kind

PART_TEXTS = 32
PART_CHARACTERS = 100_000
"""A request holds no more than this, so that a worker's batch stays short and a question gets its turn."""
PARTS_AT_A_TIME = 4
OTHER_SHAPE = "The model worker answered with rows of another number or width than asked for. Restart it."


class RemoteEncoder:
    """The `Encoder` of the model workers. Raises `ModelsUnavailable` if there is none."""

    def __init__(self, client: ModelClient) -> None:
        card = client.card().encoder
        self.name = card.name
        self.dimension = card.dimension
        self.threshold = card.threshold
        self._client = client

    async def encode(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32, rows of unit length. Raises as `ModelClient.ask`."""
        return await self._rows(Kind.TEXTS, texts)

    async def encode_questions(self, questions: Sequence[str]) -> Vectors:
        """As `encode`, before all texts that wait."""
        return await self._rows(Kind.QUESTIONS, questions)

    def windows(self, texts: Sequence[str], heads: Sequence[str]) -> list[list[str]]:
        """As the workers' encoder cuts them: only that one knows its tokens. Raises as `ModelClient.ask`.

        It blocks its thread: call it outside of the event loop.
        """
        found: list[list[str]] = []
        for part in parts(texts):
            these = tuple(heads[len(found) : len(found) + len(part)])
            request = ComputeRequest(model=self.name, texts=tuple(part), heads=these)
            answer = self._client.ask_now(Kind.WINDOWS, request)
            if len(answer.windows) != len(part):
                raise RetrievalError(OTHER_SHAPE)
            found += map(list, answer.windows)
        return found

    async def _rows(self, kind: Kind, texts: Sequence[str]) -> Vectors:
        empty = np.zeros((0, self.dimension), np.float32)
        return await _rows(self._client, kind, self.name, texts, empty)


class RemoteReranker:
    """The `Reranker` of the model workers. Raises `ModelsUnavailable` if there is none."""

    def __init__(self, client: ModelClient) -> None:
        card = client.card().reranker
        self.name = card.name
        self.threshold = card.threshold
        self._client = client

    async def score(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n,) scores in [0, 1]. Raises as `ModelClient.ask`."""
        empty = np.zeros(0, np.float32)
        return await _rows(self._client, Kind.PAIRS, self.name, texts, empty, question)


async def _rows(
    client: ModelClient, kind: Kind, model: str, texts: Sequence[str], empty: Array, question: str = ""
) -> Array:
    """Rows for `texts` in their order; `empty` has the shape of no rows."""
    found = [empty]
    for part, answer in await _in_parts(client, kind, model, texts, question):
        if answer.array is None or answer.array.shape != (len(part), *empty.shape[1:]):
            raise RetrievalError(OTHER_SHAPE)
        found.append(answer.array)
    return np.concatenate(found)


async def _in_parts(
    client: ModelClient, kind: Kind, model: str, texts: Sequence[str], question: str = ""
) -> list[tuple[list[str], ComputeReply]]:
    """Each part of `texts` with its answer, in their order."""
    room = asyncio.Semaphore(PARTS_AT_A_TIME)

    async def answered(part: list[str]) -> tuple[list[str], ComputeReply]:
        async with room:
            request = ComputeRequest(model=model, texts=tuple(part), question=question)
            return part, await client.ask(kind, request)

    tasks = [asyncio.create_task(answered(part)) for part in parts(texts)]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()


def parts(texts: Sequence[str]) -> list[list[str]]:
    """`texts` in their order, in runs of at most `PART_TEXTS` and, if more than one, `PART_CHARACTERS`."""
    found: list[list[str]] = []
    size = 0
    for text in texts:
        if not found or len(found[-1]) == PART_TEXTS or size + len(text) > PART_CHARACTERS:
            found.append([])
            size = 0
        found[-1].append(text)
        size += len(text)
    return found
