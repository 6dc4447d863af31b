"""A thread that keeps a model, and computes texts of like length in batches.

Each batch is a job of its own and the callers' jobs take turns, so that a question does not wait for a whole
ingest.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

from retrieval.errors import ModelOverloaded

logger = logging.getLogger(__name__)

Item = TypeVar("Item")
Result = TypeVar("Result")

WAITING = 256
"""Requests that may wait for a model; one more is refused, so that memory and waiting times stay bounded."""


def batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Positions, longest first, in batches whose padded size (texts x longest) is at most `budget` pieces.

    Neighbours in length share a batch, so little is padded. A text over the budget is a batch of its own. The
    longest go first, so that a device that is too small for the budget says so at once.
    """
    if budget < 1:
        raise ValueError("the budget of a batch is at least one piece")
    order = sorted(range(len(lengths)), key=lambda i: -lengths[i])
    while order:
        size = max(1, budget // max(1, lengths[order[0]]))
        yield order[:size]
        order = order[size:]


class Engine(Generic[Item, Result]):
    """Computes items in batches on a thread of its own. The thread ends its batch before the process ends.

    Args:
        name: the model, for messages and the thread.
        forward: results of a batch, in its order; runs on the thread only.
        size: pieces of an item.
        budget: pieces in a batch, padding included.
        waiting: requests that may wait beside the one in hand; more are refused with `ModelOverloaded`.
        begin: runs first on the thread, such as a first small batch that makes the next ones fast.
    """

    def __init__(
        self,
        name: str,
        forward: Callable[[Sequence[Item]], Sequence[Result]],
        size: Callable[[Item], int],
        budget: int,
        waiting: int = WAITING,
        begin: Callable[[], object] | None = None,
    ) -> None:
        self._name, self._forward, self._size, self._budget = name, forward, size, budget
        self._limit, self._begun = waiting, 0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        if begin is not None:
            self._thread.submit(self._warm_up, begin)

    async def run(self, items: Sequence[Item]) -> list[Result]:
        """Results in the order of the items. Raises `ModelOverloaded`, and what `forward` raises."""
        if self._begun > self._limit:
            raise ModelOverloaded(
                f"{self._limit} requests wait for the model {self._name}, and it takes no more. "
                "Try again in a moment; a GPU or a model worker on another machine takes more."
            )
        self._begun += 1
        try:
            results: dict[int, Result] = {}
            for batch in batches([self._size(item) for item in items], self._budget):
                results |= zip(batch, await self._computed([items[i] for i in batch]), strict=True)
            return [results[i] for i in range(len(items))]
        finally:
            self._begun -= 1

    def close(self) -> None:
        """Let the thread end after the batches that wait; further ones are refused."""
        self._thread.shutdown(wait=False)

    async def _computed(self, batch: Sequence[Item]) -> Sequence[Result]:
        try:
            job = self._thread.submit(self._forward, batch)
        except RuntimeError as error:
            raise ModelOverloaded(f"The model {self._name} was closed.") from error
        return await asyncio.wrap_future(job)

    def _warm_up(self, begin: Callable[[], object]) -> None:
        try:
            begin()
        except Exception:  # the first request will fail in the same way, and its caller is told
            logger.exception("the model %s could not be warmed up", self._name)
