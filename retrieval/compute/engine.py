"""One thread keeps a model and computes for all who ask: requests that wait at the same time share batches.

While a batch is computed, requests gather; the next batch is made of what is there then, so nobody waits
for others to come (continuous batching: Yu et al. 2022, Orca). Requests take turns, so that a question does
not wait for a whole ingest.
"""

import asyncio
import atexit
import logging
import threading
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, InvalidStateError
from typing import Generic, TypeVar, cast

from retrieval.errors import ModelOverloaded

logger = logging.getLogger(__name__)

Item = TypeVar("Item")
Result = TypeVar("Result")

WAITING = 256
"""Requests that may wait for a model; one more is refused, so that memory and waiting times stay bounded."""
SHORT = 64
"""Texts of up to this many pieces share a batch whatever their lengths: padding costs hardly anything."""


class _Request(Generic[Item, Result]):
    """Items of one caller, shortest first, and where their results go."""

    def __init__(self, items: Sequence[Item], size: Callable[[Item], int]) -> None:
        self.items = items
        self.results: list[Result | None] = [None] * len(items)
        self.future: Future[list[Result]] = Future()
        self._order = sorted(range(len(items)), key=lambda i: size(items[i]))
        self._sizes = [size(items[i]) for i in self._order]
        self._open = len(items)

    @property
    def waiting(self) -> bool:
        """Whether items wait for a batch, and their caller for them."""
        return bool(self._order) and not self.future.done()

    @property
    def longest(self) -> int:
        """Size of the longest item left."""
        return self._sizes[-1]

    def take(self, count: int, longest: int, shortest: int = 0) -> list[int]:
        """Positions of at most `count` items within these sizes, the longest of them; they are taken off."""
        end = bisect_right(self._sizes, longest)
        begin = max(bisect_left(self._sizes, shortest), end - count, 0)
        taken = self._order[begin:end]
        del self._order[begin:end], self._sizes[begin:end]
        return taken

    def put(self, position: int, result: Result) -> None:
        """Keep a result; the last one ends the request."""
        self.results[position] = result
        self._open -= 1
        if not self._open:
            self.end()

    def end(self, error: Exception | None = None) -> None:
        """Give the results or an error to the caller, if it still waits."""
        try:
            if error:
                self.future.set_exception(error)
            else:
                self.future.set_result(cast(list[Result], self.results))
        except InvalidStateError:
            return


Batch = list[tuple[_Request[Item, Result], int]]
"""Items of several requests, each with its place in its own."""


class Engine(Generic[Item, Result]):
    """Computes items in batches on a thread of its own.

    Args:
        name: the model, for messages and the thread.
        forward: results of a batch, in its order; runs on the thread only.
        size: pieces of an item.
        budget: pieces in a batch, padding included.
        waiting: requests that may wait; more are refused with `ModelOverloaded`.
        begin: runs first on the thread, such as a first small batch that makes the next ones fast.
    """

    def __init__(
        self,
        name: str,
        forward: Callable[[Sequence[Item]], Sequence[Result]],
        size: Callable[[Item], int],
        budget: int,
        waiting: int = WAITING,
        begin: Callable[[], object] = lambda: None,
    ) -> None:
        self._name, self._forward, self._size, self._budget = name, forward, size, budget
        self._limit, self._begin = waiting, begin
        self._turns: deque[_Request[Item, Result]] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()
        atexit.register(self._end)

    async def run(self, items: Sequence[Item]) -> list[Result]:
        """Results in the order of the items. Raises `ModelOverloaded`, and what `forward` raises."""
        if not items:
            return []
        request: _Request[Item, Result] = _Request(items, self._size)
        with self._changed:
            if len(self._turns) >= self._limit or self._closed:
                raise ModelOverloaded(
                    f"{len(self._turns)} requests wait for the model {self._name}, and it takes no more. "
                    "Try again in a moment; a GPU or a model worker on another machine takes more."
                )
            self._turns.append(request)
            self._changed.notify()
        return await asyncio.wrap_future(request.future)

    def close(self) -> None:
        """Let the thread end after its batch; those who wait are told."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def _end(self) -> None:
        """At the end of the process: torch aborts it if a thread is cut off within a batch."""
        self.close()
        self._thread.join()

    def _work(self) -> None:
        try:
            self._begin()
        except Exception:  # the first request will fail in the same way, and its caller is told
            logger.exception("the model %s could not be warmed up", self._name)
        while batch := self._next():
            self._compute(batch)

    def _next(self) -> Batch[Item, Result]:
        """The next batch, as soon as somebody waits; empty at the end."""
        with self._changed:
            while not self._closed:
                _drop_finished(self._turns)
                if self._turns:
                    return next_batch(self._turns, self._budget)
                self._changed.wait()
            for request in self._turns:
                request.end(ModelOverloaded(f"The model {self._name} was closed."))
            return []

    def _compute(self, batch: Batch[Item, Result]) -> None:
        """Give each request its results. A batch that fails is tried again request by request, so that nobody
        gets another one's error.
        """
        try:
            results = self._forward([request.items[i] for request, i in batch])
            found = list(zip(batch, results, strict=True))
        except Exception as error:  # whatever it is: the caller gets it and the thread goes on
            requests = list(dict.fromkeys(request for request, _ in batch))
            if len(requests) == 1:
                requests[0].end(error)
                return
            for one in requests:
                self._compute([(request, i) for request, i in batch if request is one])
            return
        for (request, position), result in found:
            request.put(position, result)


def next_batch(turns: deque[_Request[Item, Result]], budget: int) -> Batch[Item, Result]:
    """The longest items of the request whose turn it is; room that is left goes to others' of like length.

    Items under half the longest wait for a batch of their own, so less than half of a batch is padding. The
    request goes to the end of the line with what is left of it.
    """
    leader = turns.popleft()
    width = max(leader.longest, SHORT)
    shortest = 0 if width == SHORT else width // 2
    batch = [(leader, i) for i in leader.take(max(1, budget // width), width, shortest)]
    for other in turns:
        room = budget // width - len(batch)
        if room <= 0:
            break
        batch += [(other, i) for i in other.take(room, width, shortest)]
    turns.append(leader)
    _drop_finished(turns)
    return batch


def _drop_finished(turns: deque[_Request[Item, Result]]) -> None:
    """Forget requests of which nothing is left to compute, or that nobody waits for."""
    for request in [one for one in turns if not one.waiting]:
        turns.remove(request)
