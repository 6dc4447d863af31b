"""The broker of a worker process. Every default of Dramatiq that bites long jobs is set here."""

from contextlib import AsyncExitStack

import dramatiq
from dramatiq.asyncio import get_event_loop_thread
from dramatiq.brokers.redis import RedisBroker
from dramatiq.middleware import AgeLimit, AsyncIO, Retries, ShutdownNotifications, TimeLimit

RETRIES = 5
FIRST_RETRY_MS = 1_000
LONGEST_RETRY_MS = 30_000
TIME_LIMIT_MS = 6 * 3_600_000
"""A net under the run's own time limit, which ends it with a partial answer long before."""
MAX_AGE_MS = 24 * 3_600_000
"""An older message is dropped; its run, if still unfinished, was enqueued again by a sweeper."""


class WorkerLoop(AsyncIO):
    """The event loop of a worker process, with what is opened in it and closed before it ends."""

    def __init__(self) -> None:
        super().__init__()
        self.opened = AsyncExitStack()

    def after_worker_shutdown(self, broker: dramatiq.Broker, worker: dramatiq.Worker) -> None:
        """Close everything, then stop the loop."""
        if loop := get_event_loop_thread():
            loop.run_coroutine(self.opened.aclose())
        super().after_worker_shutdown(broker, worker)  # type: ignore[no-untyped-call]


def worker_broker(url: str, loop: WorkerLoop, namespace: str = "dramatiq") -> RedisBroker:
    """A broker whose actors are interrupted on shutdown, so that a deploy hands runs back in seconds."""
    return RedisBroker(  # type: ignore[no-untyped-call]
        url=url,
        namespace=namespace,
        middleware=[
            AgeLimit(max_age=MAX_AGE_MS),
            TimeLimit(time_limit=TIME_LIMIT_MS),
            ShutdownNotifications(notify_shutdown=True),
            loop,
            Retries(max_retries=RETRIES, min_backoff=FIRST_RETRY_MS, max_backoff=LONGEST_RETRY_MS),
        ],
    )
