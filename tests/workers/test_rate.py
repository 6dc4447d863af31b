"""Tokens a minute, shared by all who ask a model through one Redis."""

import asyncio
import secrets

import pytest
import redis

from tests.support.services import redis_url
from workers.rate import TokenRate


@pytest.mark.service("redis")
async def test_workers_together_ask_for_no_more_than_the_limit_in_a_minute() -> None:
    url, name, now = redis_url(), secrets.token_hex(4), [0.0]

    async def sleep(seconds: float) -> None:
        await asyncio.sleep(0.01)
        now[0] = max(now[0], (now[0] // 60 + 1) * 60)

    workers = [TokenRate(url, 1000, name=name, now=lambda: now[0], sleep=sleep) for _ in range(2)]

    await asyncio.gather(*(workers[number % 2].wait(300) for number in range(9)))
    with redis.Redis.from_url(url) as client:
        counted = [int(client.get(key) or 0) for key in client.keys(f"{name}:*")]  # type: ignore[union-attr, arg-type]
    assert sum(counted) == 2700
    assert max(counted) == 900
    await workers[0].wait(5000)  # a call over the limit is not held back for ever
    for worker in workers:
        await worker.close()


@pytest.mark.service("redis")
async def test_what_a_call_did_not_need_is_given_back() -> None:
    worker = TokenRate(redis_url(), 1000, name=secrets.token_hex(4), now=lambda: 0.0)
    await worker.wait(900)
    await worker.correct(-800)
    async with asyncio.timeout(1):
        await worker.wait(900)
    await worker.close()


async def test_without_redis_nothing_is_held_back() -> None:
    worker = TokenRate("redis://127.0.0.1:1/0", 10)
    await worker.wait(100)
    await worker.close()
