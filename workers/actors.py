"""The actors of a worker process. They take ids, and are safe to repeat: delivery is at least once."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future

import dramatiq
from dramatiq.middleware import Shutdown, TimeLimitExceeded

from agents.errors import UnknownRun
from workers.carrier import Carrier
from workers.queue import CARRY_ACTOR, PIPELINE_QUEUE

NOT_REPEATED = (Shutdown, TimeLimitExceeded, UnknownRun)
"""What Dramatiq must not retry. After a shutdown the run's lease is free, and a sweeper hands it on."""


def declare_actors(
    broker: dramatiq.Broker, carrier: Future[Carrier], queues: Sequence[str] = (PIPELINE_QUEUE,)
) -> None:
    """Declare before the worker starts, or its first message could come before the actor is known.

    Messages of these queues wait until the carrier is ready.
    """
    for queue in queues[1:]:
        broker.declare_queue(queue)

    @dramatiq.actor(broker=broker, actor_name=CARRY_ACTOR, queue_name=queues[0], throws=NOT_REPEATED)
    async def carry_run(run_id: str) -> None:
        ready = await asyncio.shield(asyncio.wrap_future(carrier))
        await ready.carry(run_id)
