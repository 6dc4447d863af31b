"""A worker process: Dramatiq's threads hand run ids to the one event loop where the runtime lives."""

import faulthandler
import logging
import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue

import dramatiq
from dramatiq.asyncio import get_event_loop_thread
from dramatiq.brokers.redis import RedisBroker

from agents.ports import Ledger
from agents.runs.background import in_background
from workers.actors import declare_actors
from workers.broker import WorkerLoop, worker_broker
from workers.executor import Executor
from workers.names import PIPELINE_QUEUE
from workers.queue import RedisQueue
from workers.sweeper import EVERY_S, Sweeper

LOOK_S = 1.0
"""How often it is looked for a signal that another thread than the main one received."""
LAST = 19
"""The step from which there is none further back."""
logger = logging.getLogger(__name__)
GRACE_S = 15.0
"""Seconds after SIGTERM in which a worker ends, whatever hangs."""
SHUTDOWN_MS = 10_000
"""Of these, what the runs in hand have for being handed back."""
OpenWorker = Callable[[], AbstractAsyncContextManager[tuple[Ledger, Executor]]]
"""Opens what a worker needs, in the worker's event loop, and closes it at the end."""


class Ending:
    """Hears SIGTERM and SIGINT from when it is made; that must be in the main thread.

    A process that has not ended `grace_s` seconds after the first of them is ended hard, with exit status 1
    and the stacks of its threads on stderr: a hung thread must not keep a deploy waiting. The runs that it
    still had in hand go on elsewhere when their leases run out.
    """

    def __init__(self, grace_s: float) -> None:
        self._grace_s = grace_s
        self._begun = False
        self._told: SimpleQueue[int] = SimpleQueue()  # unlike an `Event` it may be set by a handler
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._hear)

    def wait(self) -> None:
        """Until the process is told to end."""
        while True:
            try:
                self._told.get(timeout=LOOK_S)
            except Empty:
                continue
            return

    def _hear(self, number: int, _: object) -> None:
        if not self._begun:  # a second signal gives no more time
            self._begun = True
            faulthandler.dump_traceback_later(self._grace_s, exit=True)
        self._told.put(number)


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
    in the main thread of its own process. `nice`: see `give_way`; `grace_s`: see `Ending`.
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


def give_way(nice: int) -> None:
    """Take so many steps back behind other processes of this machine, as the command `nice` does.

    It holds for every thread of this process, now and to come. Where the system has no such steps, or
    forbids them, nothing changes.
    """
    if not hasattr(os, "setpriority"):  # Windows
        return
    # On Linux each thread has a priority of its own; those of numerical libraries run already.
    threads = [int(thread.name) for thread in Path("/proc/self/task").glob("*")] or [0]
    for thread in threads:
        with suppress(OSError):
            now = os.getpriority(os.PRIO_PROCESS, thread)
            os.setpriority(os.PRIO_PROCESS, thread, min(now + nice, LAST))
