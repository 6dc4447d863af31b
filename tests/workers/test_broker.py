"""What is in hand in the event loop of a worker."""

import asyncio

import pytest
from dramatiq.middleware import TimeLimitExceeded

from workers.broker import WorkerLoop


async def test_a_run_that_goes_on_for_too_long_is_ended() -> None:
    with pytest.raises(TimeLimitExceeded):
        async with WorkerLoop().in_hand(limit_s=0.01):
            await asyncio.sleep(60)


async def test_a_run_whose_own_wait_timed_out_is_not_taken_for_one_that_goes_on_for_too_long() -> None:
    with pytest.raises(TimeoutError):
        async with WorkerLoop().in_hand():
            raise TimeoutError
