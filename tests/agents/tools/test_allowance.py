"""A limit on work, in which waiting for a turn does not count."""

import asyncio

import pytest

from agents.tools.allowance import allowed, in_line
from agents.tools.limited import RateLimit


async def test_work_that_takes_too_long_is_ended() -> None:
    with pytest.raises(TimeoutError):
        async with allowed(0.01):
            await asyncio.sleep(5)


async def test_waiting_for_a_turn_does_not_count() -> None:
    async with allowed(0.2):
        async with in_line():
            await asyncio.sleep(0.4)
        await asyncio.sleep(0.05)


async def test_after_the_wait_the_rest_of_the_time_is_left_and_no_more() -> None:
    async def work() -> None:
        async with allowed(0.2):
            async with in_line():
                await asyncio.sleep(0.4)
            await asyncio.sleep(5)

    with pytest.raises(TimeoutError):
        await work()


async def test_parts_that_wait_side_by_side() -> None:
    async def part(seconds: float) -> None:
        async with in_line():
            await asyncio.sleep(seconds)

    async with allowed(0.2):
        await asyncio.gather(part(0.1), part(0.4), part(0.3))


async def test_a_queue_at_a_rate_limit_ends_no_work() -> None:
    limit = RateLimit(1, 0.1)

    async def one() -> None:
        async with allowed(0.15):
            await limit.wait()

    await asyncio.gather(*(one() for _ in range(5)))
