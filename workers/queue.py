"""Hands runs to worker processes through Redis, by the names of queue and actor."""

import asyncio

import dramatiq
from dramatiq.brokers.redis import RedisBroker
from redis.exceptions import RedisError

from bot.errors import QueueDown

PIPELINE_QUEUE = "pipeline"
CARRY_ACTOR = "carry_run"


class RedisQueue:
    """A `JobQueue` behind Redis. Messages carry a run id and nothing else."""

    def __init__(self, broker: RedisBroker) -> None:
        self._broker = broker

    @classmethod
    def at(cls, url: str, namespace: str = "dramatiq") -> "RedisQueue":
        """The queue of a process that carries nothing itself."""
        broker: RedisBroker = RedisBroker(url=url, namespace=namespace, middleware=[])  # type: ignore[no-untyped-call]
        return cls(broker)

    async def enqueue(self, run_id: str) -> None:
        """Ask a worker to carry a run. Raises `QueueDown`."""
        message: dramatiq.Message[None] = dramatiq.Message(
            queue_name=PIPELINE_QUEUE, actor_name=CARRY_ACTOR, args=(run_id,), kwargs={}, options={}
        )
        try:
            await asyncio.to_thread(self._broker.enqueue, message)
        except RedisError as error:
            raise QueueDown("Redis cannot be reached; the run is taken up when it is back.") from error

    async def close(self) -> None:
        """Release the connections."""
        await asyncio.to_thread(self._broker.close)
        await asyncio.to_thread(self._broker.client.close)
