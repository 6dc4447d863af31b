"""The broker of a worker process, and its event loop. Every default of Dramatiq that bites is set here.

Dramatiq's own `ShutdownNotifications` and `TimeLimit` throw an exception into the thread that waits for a
run. One that lands while the thread takes the lock of the future it waits for leaves that lock held: the
event loop then waits for it for ever, and the process with it. Dramatiq also waits for one second only until
a run has tidied up. So runs are interrupted in their event loop instead.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import dramatiq
from dramatiq.asyncio import get_event_loop_thread
from dramatiq.brokers.redis import RedisBroker
from dramatiq.middleware import AgeLimit, AsyncIO, Retries, Shutdown, TimeLimitExceeded

from workers.patience import PatientBroker

RETRIES = 5
FIRST_RETRY_MS = 1_000
LONGEST_RETRY_MS = 30_000
TIME_LIMIT_S = 6 * 3_600.0
"""A net under the run's own time limit, which ends it with a partial answer long before."""
MAX_AGE_MS = 24 * 3_600_000
"""An older message is dropped; its run, if still unfinished, was enqueued again by a sweeper."""


class WorkerLoop(AsyncIO):
    """The event loop of a worker process, with the runs in hand in it, and what is opened in it and closed
    before it ends.
    """

    def __init__(self) -> None:
        super().__init__()
        self.opened = AsyncExitStack()
        self._in_hand: set[asyncio.Task[Any]] = set()
        self._ending = False

    @asynccontextmanager
    async def in_hand(self, limit_s: float = TIME_LIMIT_S) -> AsyncIterator[None]:
        """The block is cancelled when the worker ends, and raises `Shutdown` once it has tidied up.

        Raises `TimeLimitExceeded` after `limit_s` seconds.
        """
        task, limit = asyncio.current_task(), asyncio.timeout(limit_s)
        assert task is not None, "an actor runs as a task"
        if self._ending:
            raise Shutdown
        self._in_hand.add(task)
        try:
            async with limit:
                yield
        except asyncio.CancelledError:
            if not self._ending:
                raise
            raise Shutdown from None
        except TimeoutError:
            if not limit.expired():
                raise
            raise TimeLimitExceeded from None
        finally:
            self._in_hand.remove(task)

    def before_worker_shutdown(self, broker: dramatiq.Broker, worker: dramatiq.Worker) -> None:
        """Interrupt the runs in hand; Dramatiq then waits until their threads have seen them end."""
        if thread := get_event_loop_thread():
            thread.loop.call_soon_threadsafe(self._interrupt)

    def after_worker_shutdown(self, broker: dramatiq.Broker, worker: dramatiq.Worker) -> None:
        """Close everything, then stop the loop."""
        if loop := get_event_loop_thread():
            loop.run_coroutine(self.opened.aclose())
        super().after_worker_shutdown(broker, worker)  # type: ignore[no-untyped-call]

    def _interrupt(self) -> None:
        self._ending = True
        for task in self._in_hand:
            task.cancel()


def worker_broker(url: str, loop: WorkerLoop, namespace: str = "dramatiq") -> RedisBroker:
    """A broker whose actors are interrupted on shutdown, so that a deploy hands runs back in seconds."""
    return PatientBroker(
        url=url,
        namespace=namespace,
        middleware=[
            AgeLimit(max_age=MAX_AGE_MS),
            loop,
            Retries(max_retries=RETRIES, min_backoff=FIRST_RETRY_MS, max_backoff=LONGEST_RETRY_MS),
        ],
    )
