"""How many tokens a minute all workers together may ask of a language model, counted in Redis."""

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

MINUTE_S = 60


class TokenRate:
    """A budget of tokens for each minute. While Redis is away nothing is held back."""

    def __init__(
        self,
        url: str,
        limit: int,
        *,
        name: str = "pestle:tokens",
        now: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._redis: Any = Redis.from_url(url)
        self._limit, self._name = limit, name
        self._now, self._sleep = now, sleep

    async def wait(self, tokens: int) -> None:
        """Wait until there is room for so many tokens, and take it; a call over the limit fills a minute."""
        tokens = min(tokens, self._limit)
        while not await self._taken(tokens):
            left = MINUTE_S - self._now() % MINUTE_S
            await self._sleep(left + random.uniform(0, 1))  # not all workers at once

    async def correct(self, tokens: int) -> None:
        """Count so many tokens more, or less, than were taken."""
        await self._count(self._key(), tokens)

    async def close(self) -> None:
        """Release the connections."""
        await self._redis.aclose()

    async def _taken(self, tokens: int) -> bool:
        key = self._key()
        if not (room := await self._count(key, tokens) <= self._limit):
            await self._count(key, -tokens)
        return room

    def _key(self) -> str:
        return f"{self._name}:{int(self._now() // MINUTE_S)}"

    async def _count(self, key: str, tokens: int) -> int:
        try:
            async with self._redis.pipeline() as together:
                count, _ = await together.incrby(key, tokens).expire(key, 2 * MINUTE_S).execute()
        except (RedisError, OSError) as error:
            logger.warning("tokens are not counted: %s", error)
            return 0
        return int(count)
