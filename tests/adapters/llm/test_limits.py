"""Requests and tokens per minute, with a clock of the test's own."""

from hypothesis import given
from hypothesis import strategies as st

from adapters.llm.limits import WINDOW_S, MinuteLimiter


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


async def passes(requests: int, tokens: int, sizes: list[int]) -> list[float]:
    clock = Clock()
    limiter = MinuteLimiter(requests, tokens, clock=clock, sleep=clock.sleep)
    return [(await limiter.enter(size)).at for size in sizes]


async def test_without_limits_nobody_waits() -> None:
    assert await passes(0, 0, [10**9] * 5) == [0.0] * 5


async def test_requests_over_the_limit_wait_for_the_window() -> None:
    assert await passes(2, 0, [1, 1, 1, 1, 1]) == [0.0, 0.0, 60.0, 60.0, 120.0]


async def test_a_request_larger_than_the_limit_passes_alone() -> None:
    assert await passes(0, 100, [500, 10]) == [0.0, 60.0]


@given(st.integers(1, 5), st.integers(50, 200), st.lists(st.integers(1, 50), max_size=20))
async def test_no_minute_holds_more_than_the_limits(requests: int, tokens: int, sizes: list[int]) -> None:
    times = await passes(requests, tokens, sizes)
    for start in times:
        inside = [size for at, size in zip(times, sizes, strict=True) if start <= at < start + WINDOW_S]
        assert len(inside) <= requests
        assert sum(inside) <= tokens
