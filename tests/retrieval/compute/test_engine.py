"""One thread computes for many callers. Items are lengths; the result of an item is its double."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence

import pytest

from retrieval.compute.engine import Engine
from retrieval.errors import ModelOverloaded

BUDGET = 256
ENDING = """
import asyncio, threading, time
from retrieval.compute.engine import Engine

begun = threading.Event()

def forward(batch):
    print("begun", flush=True)
    begun.set()
    time.sleep(0.5)
    print("computed", flush=True)
    return batch

async def main():
    engine = Engine("slow", forward, lambda item: item, 256)
    task = asyncio.create_task(engine.run([1]))
    await asyncio.to_thread(begun.wait)
    task.cancel()
    print("over", flush=True)

asyncio.run(main())
"""


class Work:
    """A model whose batches are seen, and which waits until it is let go."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.go = threading.Semaphore(0)
        self.begun = threading.Semaphore(0)

    def forward(self, batch: Sequence[int]) -> list[int]:
        self.batches.append(list(batch))
        self.begun.release()
        assert self.go.acquire(timeout=20)
        if 13 in batch:
            raise ValueError("bad item")
        return [2 * item for item in batch]

    async def first_batch(self) -> None:
        assert await asyncio.to_thread(self.begun.acquire, timeout=20)

    def release(self) -> None:
        self.go.release(1000)


@pytest.fixture
def work() -> Work:
    return Work()


@pytest.fixture
def started(work: Work) -> Iterator[Callable[..., Engine[int, int]]]:
    made: list[Engine[int, int]] = []

    def start(waiting: int = 100) -> Engine[int, int]:
        made.append(Engine("double", work.forward, lambda item: item, BUDGET, waiting))
        return made[-1]

    yield start
    work.release()
    for engine in made:
        engine.close()


Start = Callable[..., Engine[int, int]]


async def test_results_are_in_the_order_of_the_items(work: Work, started: Start) -> None:
    work.release()
    assert await started().run([5, 200, 7, 100]) == [10, 400, 14, 200]
    assert await started().run([]) == []


async def test_a_batch_stays_under_its_budget(work: Work, started: Start) -> None:
    work.release()
    await started().run([200, 120, 110, 100, 20, 10, 128])
    assert all(len(batch) * max(batch) <= BUDGET for batch in work.batches)


async def test_a_question_does_not_wait_for_a_whole_ingest(work: Work, started: Start) -> None:
    engine = started()
    ingest = asyncio.create_task(engine.run([200] * 50))
    await work.first_batch()
    question = asyncio.create_task(engine.run([10]))
    await asyncio.sleep(0.05)
    work.go.release(3)
    assert await asyncio.wait_for(question, 5) == [20]
    assert len(work.batches) < 6
    assert not ingest.done()
    work.release()
    assert await ingest == [400] * 50


async def test_when_too_many_wait_the_next_is_refused_at_once(work: Work, started: Start) -> None:
    engine = started(waiting=2)
    taken = asyncio.create_task(engine.run([200]))
    await work.first_batch()
    waiting = [asyncio.create_task(engine.run([200])) for _ in range(2)]
    await asyncio.sleep(0.05)
    with pytest.raises(ModelOverloaded, match="2 requests wait for the model double"):
        await engine.run([1])
    work.release()
    assert await asyncio.gather(taken, *waiting) == [[400]] * 3
    assert await engine.run([1]) == [2]


async def test_an_item_that_fails_harms_nobody_else(work: Work, started: Start) -> None:
    engine = started()
    first = asyncio.create_task(engine.run([1]))
    await work.first_batch()
    good, bad = asyncio.create_task(engine.run([12])), asyncio.create_task(engine.run([13]))
    await asyncio.sleep(0.05)
    work.release()
    assert await asyncio.gather(first, good) == [[2], [24]]
    with pytest.raises(ValueError, match="bad item"):
        await bad


async def test_nothing_is_computed_for_a_caller_that_went_away(work: Work, started: Start) -> None:
    engine = started()
    first = asyncio.create_task(engine.run([1]))
    await work.first_batch()
    gone = asyncio.create_task(engine.run([50]))
    await asyncio.sleep(0.05)
    gone.cancel()
    await asyncio.sleep(0.05)
    work.release()
    await first
    assert await engine.run([7]) == [14]
    assert work.batches == [[1], [7]]


async def test_a_model_that_was_closed_takes_no_more(work: Work, started: Start) -> None:
    engine = started()
    first = asyncio.create_task(engine.run([1]))
    await work.first_batch()
    engine.close()
    work.release()
    assert await first == [2]
    with pytest.raises(ModelOverloaded, match="was closed"):
        await engine.run([200])


async def test_a_failing_warm_up_does_not_end_the_thread(work: Work) -> None:
    def broken() -> None:
        raise RuntimeError("no memory")

    work.release()
    engine = Engine("double", work.forward, lambda item: item, BUDGET, begin=broken)
    assert await engine.run([3]) == [6]
    engine.close()


async def test_a_model_that_gives_too_few_results_is_told_and_does_not_end_the_thread() -> None:
    engine: Engine[int, int] = Engine("short", lambda items: list(items)[1:], lambda item: item, BUDGET)
    for _ in "ab":
        with pytest.raises(ValueError, match="shorter"):
            async with asyncio.timeout(10):
                await engine.run([3])
    engine.close()


def test_a_process_that_ends_waits_for_its_batch() -> None:
    """A thread that is cut off within torch would abort the process."""
    done = subprocess.run(
        [sys.executable, "-c", ENDING], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == ["begun", "over", "computed"]
