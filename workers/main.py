"""A worker process: Dramatiq's threads hand run ids to the one event loop where the runtime lives."""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager

import dramatiq
from dramatiq.asyncio import get_event_loop_thread
from dramatiq.brokers.redis import RedisBroker

from agents.ports import Ledger
from agents.runs.background import in_background
from workers.actors import declare_actors
from workers.broker import WorkerLoop, worker_broker
from workers.ending import Ending
from workers.executor import Executor
from workers.names import PIPELINE_QUEUE
from workers.priority import give_way
from workers.queue import RedisQueue
from workers.sweeper import EVERY_S, Sweeper

logger = logging.getLogger(__name__)

GRACE_S = 15.0
"""Seconds after SIGTERM in which a worker ends, whatever hangs."""
SHUTDOWN_MS = 10_000
"""Of these, what the runs in hand have for being handed back."""

OpenWorker = Callable[[], AbstractAsyncContextManager[tuple[Ledger, Executor]]]
"""Opens what a worker needs, in the worker's event loop, and closes it at the end."""


def run_worker(
    open_worker: OpenWorker,
    redis_url: str,
    *,
    queues: Sequence[str] = (PIPELINE_QUEUE,),
    threads: int = 4,
    nice: int = 0,
    sweep_every_s: float = EVERY_S,
    namespace: str = "dramatiq",
    grace_s: float = GRACE_S,
) -> None:
    """Execute runs until SIGTERM or SIGINT; then hand unfinished ones back within seconds.

    It takes runs from these `queues`, and executes so many of them at a time as there are `threads`. Call it
    in the main thread of its own process. `nice`: see `workers.priority.give_way`; `grace_s`: see `Ending`.
    Raises whatever `open_worker` raises.
    """
    give_way(nice)
    ending, loop = Ending(grace_s), WorkerLoop()
    broker = worker_broker(redis_url, loop, namespace)
    worker = dramatiq.Worker(broker, worker_threads=threads, worker_timeout=200)
    worker.queue_prefetch = threads  # no message waits behind a long run while another worker is idle
    executor: Future[Executor] = Future()
    declare_actors(broker, loop, executor, queues)
    worker.start()
    try:
        executor.set_result(_open(loop, broker, open_worker, sweep_every_s))
        logger.info("worker is ready: %d runs at a time of %s", threads, ", ".join(queues))
        ending.wait()
    finally:
        worker.stop(timeout=SHUTDOWN_MS)
        broker.close()


def _open(loop: WorkerLoop, broker: RedisBroker, open_worker: OpenWorker, sweep_every_s: float) -> Executor:
    """Open the runtime and begin to sweep, in the worker's loop."""
    thread = get_event_loop_thread()
    assert thread is not None, "the worker was started"

    async def enter() -> Executor:
        ledger, executor = await loop.opened.enter_async_context(open_worker())
        sweeper = Sweeper(ledger, RedisQueue(broker), executor)
        await loop.opened.enter_async_context(in_background(sweeper.run(sweep_every_s)))
        return executor

    return thread.run_coroutine(enter())
