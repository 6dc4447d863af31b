"""From requests to answers: computed together, and each with its own error."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

import numpy as np

from retrieval.errors import EncoderMismatch, RetrievalError
from retrieval.ports import Encoder, Reranker, Vectors
from workers.models.inbox import Entry
from workers.models.protocol import (
    ComputeReply,
    ComputeRequest,
    EncoderCard,
    Kind,
    ModelCard,
    RerankerCard,
    pack_error,
)

logger = logging.getLogger(__name__)


class Computing:
    """The models of a worker. `card` is what they say of themselves."""

    def __init__(self, encoder: Encoder, reranker: Reranker) -> None:
        self._encoder = encoder
        self._reranker = reranker
        self.card = ModelCard(
            encoder=EncoderCard(
                name=encoder.name,
                dimension=encoder.dimension,
                threshold=encoder.threshold,
            ),
            reranker=RerankerCard(name=reranker.name, threshold=reranker.threshold),
        )
        self._work: dict[Kind, Callable[[Sequence[ComputeRequest]], Awaitable[list[ComputeReply]]]] = {
            Kind.TEXTS: lambda requests: self._rows(requests, encoder.encode),
            Kind.QUESTIONS: lambda requests: self._rows(requests, encoder.encode_questions),
            Kind.WINDOWS: self._windows,
            Kind.PAIRS: self._pairs,
        }

    async def warm_up(self) -> None:
        """The first call of a model is slow, and shows whether it works at all."""
        await self._encoder.encode_questions(["warm"])
        await self._reranker.score("warm", ["warm"])

    async def answers(self, kind: Kind, entries: Sequence[Entry]) -> dict[Entry, bytes]:
        """Every entry with its answer, or with the error that it alone is to blame for."""
        answers: dict[Entry, bytes] = {}
        good: dict[Entry, ComputeRequest] = {}
        for entry in entries:
            try:
                good[entry] = self._checked(kind, ComputeRequest.unpack(entry.body))
            except (ValueError, RetrievalError) as error:
                answers[entry] = pack_error(error)
        return answers | await self._together(kind, good)

    def _checked(self, kind: Kind, request: ComputeRequest) -> ComputeRequest:
        """The request, if it is for the model that runs here."""
        here = self.card.model(kind)
        if request.model != here:
            raise EncoderMismatch(
                f"The model worker now runs {here}, and this process began with {request.model}. Restart it."
            )
        return request

    async def _together(self, kind: Kind, requests: dict[Entry, ComputeRequest]) -> dict[Entry, bytes]:
        """Computed in one go; if that fails one by one, so that nobody suffers from another's text."""
        try:
            answers = await self._work[kind](list(requests.values())) if requests else []
            return {entry: answer.pack() for entry, answer in zip(requests, answers, strict=True)}
        except Exception as error:
            if len(requests) == 1:
                if not isinstance(error, RetrievalError):
                    logger.exception("a request (%s) failed", kind)
                return {entry: pack_error(error) for entry in requests}
        alone = [await self._together(kind, {entry: request}) for entry, request in requests.items()]
        return {entry: answer for one in alone for entry, answer in one.items()}

    async def _rows(
        self, requests: Sequence[ComputeRequest], encode: Callable[[Sequence[str]], Awaitable[Vectors]]
    ) -> list[ComputeReply]:
        """The texts of all requests in one call, then each request's rows."""
        rows = await encode([text for request in requests for text in request.texts])
        ends = np.cumsum([len(request.texts) for request in requests])
        return [ComputeReply(part) for part in np.split(rows, ends[:-1])]

    async def _pairs(self, requests: Sequence[ComputeRequest]) -> list[ComputeReply]:
        scores = await asyncio.gather(
            *(self._reranker.score(request.question, request.texts) for request in requests)
        )
        return [ComputeReply(score) for score in scores]

    async def _windows(self, requests: Sequence[ComputeRequest]) -> list[ComputeReply]:
        def cut() -> list[ComputeReply]:
            found = (self._encoder.windows(request.texts, request.heads) for request in requests)
            return [ComputeReply(windows=tuple(map(tuple, windows))) for windows in found]

        return await asyncio.to_thread(cut)
