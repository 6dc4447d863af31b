"""Hands runs to worker processes through Redis, by the names of queue and actor."""

import asyncio
from collections.abc import Callable
from typing import Any

import dramatiq
from dramatiq.brokers.redis import RedisBroker
from dramatiq.common import dq_name
from redis.exceptions import RedisError

from bot.errors import QueueDown
from workers.names import PIPELINE_QUEUE, RUN_ACTOR


class RedisQueue:
    """A `JobQueue` behind Redis. Messages hold a run id and nothing else."""

    def __init__(self, broker: RedisBroker) -> None:
        self._broker = broker

    @classmethod
    def at(cls, url: str, namespace: str = "dramatiq") -> "RedisQueue":
        """The queue of a process that executes nothing itself."""
        broker: RedisBroker = RedisBroker(url=url, namespace=namespace, middleware=[])  # type: ignore[no-untyped-call]
        return cls(broker)

    async def enqueue(self, run_id: str, queue: str = PIPELINE_QUEUE) -> None:
        """Ask a worker of this queue to execute a run. Raises `QueueDown`."""
        message: dramatiq.Message[None] = dramatiq.Message(
            queue_name=queue, actor_name=RUN_ACTOR, args=(run_id,), kwargs={}, options={}
        )
        await self._asked(self._broker.enqueue, message)

    async def backlog(self, queue: str = PIPELINE_QUEUE) -> int:
        """How many messages no worker has fetched yet, those that are tried again later included.

        Raises `QueueDown`.
        """
        names = [f"{self._broker.namespace}:{name}" for name in (queue, dq_name(queue))]
        lengths = [await self._asked(self._broker.client.llen, name) for name in names]
        return sum(lengths)

    async def _asked(self, call: Callable[..., Any], argument: Any) -> Any:
        try:
            return await asyncio.to_thread(call, argument)
        except RedisError as error:
            told = "Redis cannot be reached; see PESTLE_REDIS_URL. Runs are taken up when it is back."
            raise QueueDown(told) from error

    async def close(self) -> None:
        """Release the connections.

        The client's own `close` leaves open a pool that was made for it, as Dramatiq makes it.
        """
        await asyncio.to_thread(self._broker.close)
        await asyncio.to_thread(self._broker.client.close)
        await asyncio.to_thread(self._broker.client.connection_pool.disconnect)
