"""A worker that is told to end does so within its grace period, and what it had in hand is handed back."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import redis

from tests.support.services import redis_url
from workers.queue import RedisQueue

pytestmark = [pytest.mark.service("redis"), pytest.mark.timeout(60)]

NAMESPACE = "pestle-test-ending"
RUNS = 4
WORKER = """
import asyncio, sys, threading, time
from contextlib import asynccontextmanager
from tests.support.memory.ledger import MemoryLedger
from workers.main import run_worker

class Hands:
    async def tidy(self):
        pass

    async def execute_next(self, run_id):
        print("begun", flush=True)
        try:
            await work()
        finally:
            await asyncio.sleep(1.5)  # as where much else is done
            print("handed back", flush=True)

async def work():
    await asyncio.sleep(600)

@asynccontextmanager
async def opened():
    yield MemoryLedger(), Hands()
"""
ENDLESS_THREAD = """
async def work():
    await asyncio.to_thread(time.sleep, 600)
"""
SLOW_TO_LOCK = """
enter = threading.Condition.__enter__

def slowly(self):  # as where a thread loses the processor at any moment
    entered = enter(self)
    time.sleep(0.05)
    return entered

threading.Condition.__enter__ = slowly
"""


@contextmanager
def working(more: str = "", grace_s: float = 15) -> Iterator["subprocess.Popen[str]"]:
    """A worker process with all runs in hand."""
    url = redis_url()
    with redis.Redis.from_url(url) as client:
        if left := client.keys(f"{NAMESPACE}*"):
            client.delete(*left)
    asyncio.run(_enqueue(url))
    last = f"run_worker(opened, {url!r}, sweep_every_s=600, namespace={NAMESPACE!r}, grace_s={grace_s})"
    code = WORKER + more + last
    with subprocess.Popen(
        [sys.executable, "-c", code], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            assert process.stdout is not None
            assert [process.stdout.readline() for _ in range(RUNS)] == ["begun\n"] * RUNS
            yield process
        finally:
            process.kill()


async def _enqueue(url: str) -> None:
    queue = RedisQueue.at(url, NAMESPACE)
    for number in range(RUNS):
        await queue.enqueue(f"r{number}")
    await queue.close()


@pytest.mark.parametrize("more", ["", SLOW_TO_LOCK])
def test_runs_in_hand_are_handed_back_before_a_worker_ends(more: str) -> None:
    with working(more) as worker:
        worker.send_signal(signal.SIGTERM)
        out, errors = worker.communicate(timeout=20)
    assert (out, errors, worker.returncode) == ("handed back\n" * RUNS, "", 0)


def test_a_worker_with_a_thread_that_never_ends_is_ended_hard() -> None:
    with working(ENDLESS_THREAD, grace_s=4) as worker:
        worker.send_signal(signal.SIGTERM)
        worker.send_signal(signal.SIGTERM)
        out, errors = worker.communicate(timeout=10)
    assert (out, worker.returncode) == ("handed back\n" * RUNS, 1)
    assert "Timeout" in errors
