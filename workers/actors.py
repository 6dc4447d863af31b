"""The actors of a worker process. They take ids, and are safe to repeat: delivery is at least once."""

import asyncio
from concurrent.futures import Future

import dramatiq
from dramatiq.middleware import Shutdown, TimeLimitExceeded

from agents.errors import UnknownRun
from workers.carrier import Carrier
from workers.queue import CARRY_ACTOR, PIPELINE_QUEUE

NOT_REPEATED = (Shutdown, TimeLimitExceeded, UnknownRun)
"""What Dramatiq must not retry. After a shutdown the run's lease is free, and a sweeper hands it on."""


def declare_actors(broker: dramatiq.Broker, carrier: Future[Carrier]) -> None:
    """Declare before the worker starts, or its first message could come before the actor is known.

    Messages wait until the carrier is ready.
    """

    @dramatiq.actor(broker=broker, actor_name=CARRY_ACTOR, queue_name=PIPELINE_QUEUE, throws=NOT_REPEATED)
    async def carry_run(run_id: str) -> None:
        ready = await asyncio.shield(asyncio.wrap_future(carrier))
        await ready.carry(run_id)
