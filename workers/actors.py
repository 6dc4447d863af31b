"""The actors of a worker process. They take ids, and are safe to repeat: delivery is at least once."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future

import dramatiq
from dramatiq.middleware import Shutdown, TimeLimitExceeded

from agents.errors import UnknownRun
from workers.broker import WorkerLoop
from workers.executor import Executor
from workers.names import PIPELINE_QUEUE, RUN_ACTOR

NOT_REPEATED = (Shutdown, TimeLimitExceeded, UnknownRun)
"""What Dramatiq must not retry. After a shutdown the run's lease is free, and a sweeper hands it on."""


def declare_actors(
    broker: dramatiq.Broker,
    loop: WorkerLoop,
    executor: Future[Executor],
    queues: Sequence[str] = (PIPELINE_QUEUE,),
) -> None:
    """Declare before the worker starts, or its first message could come before the actor is known.

    Messages of these queues wait until the executor is ready.
    """
    for queue in queues[1:]:
        broker.declare_queue(queue)

    @dramatiq.actor(broker=broker, actor_name=RUN_ACTOR, queue_name=queues[0], throws=NOT_REPEATED)
    async def execute_run(run_id: str) -> None:
        async with loop.in_hand():
            ready = await asyncio.shield(asyncio.wrap_future(executor))
            await ready.execute_next(run_id)
