"""Runs through real workers over a Redis and a PostgreSQL of their own, beside bare Dramatiq.

A run of the drills' kind is five steps that wait two seconds each, as for a model.
"""

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path

import dramatiq
from dramatiq.brokers.redis import RedisBroker

from adapters.wiring import Runtime
from agents.runs.clock import between
from agents.runs.records import RunRecord, RunState
from bot.values import Card, ThreadRef
from tests.bench.report import Measure, percentile, resident_mb
from tests.drills.house import CountingWall, House, OwnPostgres, OwnRedis
from tests.drills.work import STEPS
from tests.journey.waiting import wait_for
from tests.support.services import ROOT

ONE_BY_ONE, AT_ONCE, QUEUED, STEP_S = 12, 32, 1000, 2.0
BARE = """
import sys, time, dramatiq
from dramatiq.brokers.redis import RedisBroker
broker = RedisBroker(url=sys.argv[1], namespace="bare")
dramatiq.set_broker(broker)
@dramatiq.actor(queue_name="bare")
def note(sent):
    print(time.time() - sent, flush=True)
worker = dramatiq.Worker(broker, worker_threads=4)
worker.start()
print("ready", flush=True)
time.sleep(600)
"""


class TimedWall(CountingWall):
    """Notes when the first card of a run that is at work was shown."""

    def __init__(self) -> None:
        super().__init__()
        self.at_work: dict[str, float] = {}

    async def post(self, thread: ThreadRef, card: Card) -> str:
        self._note(card)
        return await super().post(thread, card)

    async def update(self, thread: ThreadRef, message_id: str, card: Card) -> None:
        self._note(card)
        await super().update(thread, message_id, card)

    def _note(self, card: Card) -> None:
        """A run that begins before its first card was shown is at work in that one."""
        if card.state is RunState.RUNNING:
            self.at_work.setdefault(card.run_id, time.time())


async def measure(folder: Path) -> list[Measure]:
    redis, postgres = OwnRedis(folder), OwnPostgres()
    redis.start()
    postgres.start()
    try:
        return [
            *await _first_progress(folder, redis, postgres),
            *await _throughput(folder, redis, postgres),
            *await _memory(folder, redis, postgres),
        ]
    finally:
        redis.kill()
        postgres.remove()


@asynccontextmanager
async def _house(
    folder: Path, redis: OwnRedis, postgres: OwnPostgres, workers: int
) -> AsyncIterator[tuple[House, Runtime]]:
    """A house whose workers have all worked already."""
    servers = {"PESTLE_REDIS_URL": redis.url, "PESTLE_DATABASE_URL": postgres.url}
    house = House(folder, {**servers, "PESTLE_RUN_NICE": "0", "PESTLE_TEST_STEP": str(STEP_S)})
    house.wall = TimedWall()
    async with house.opened(workers) as built:
        number = 0
        while workers and not all(house.has_worked(one.pid) for one in house.workers):
            await house.asked(built, ["work now"] * 2 * workers, first=number)
            number += 2 * workers
            await house.ended(built, number)
        yield house, built


async def _runs(house: House, built: Runtime, number: int) -> list[RunRecord]:
    """So many new runs, asked at once, when they are done."""
    known = {run.run_id for run in await built.ledger.runs(limit=10_000)}
    await house.asked(built, ["work now"] * number, first=time.time_ns())
    runs = await house.ended(built, len(known) + number)
    return [run for run in runs if run.run_id not in known]


async def _first_progress(folder: Path, redis: OwnRedis, postgres: OwnPostgres) -> list[Measure]:
    shown, begun, wall = list[float](), list[float](), list[float]()
    async with _house(folder / "one", redis, postgres, 1) as (house, built):
        assert isinstance(house.wall, TimedWall)
        for _ in range(ONE_BY_ONE):
            [run] = await _runs(house, built, 1)
            asked = datetime.fromisoformat(run.created).timestamp()
            shown.append(house.wall.at_work[run.run_id] - asked)
            begun.append(between(run.created, run.started))
            wall.append(between(run.started, run.ended))
    bare = await asyncio.to_thread(_bare, redis.url)
    ratio = sum(wall) / len(wall) / (STEPS * STEP_S)
    return [
        Measure(
            "asked until the card shows that it works, p95",
            percentile(shown, 0.95),
            "ms",
            "<= 3 x",
            percentile(shown, 0.95) <= 3 * percentile(bare, 0.95),
            "bare Dramatiq until the actor begins, p95",
            percentile(bare, 0.95),
        ),
        Measure("asked until a worker begins, p95", percentile(begun, 0.95), "ms"),
        Measure("time of a run by its critical path", ratio, "x", "<= 1.15", ratio <= 1.15),
    ]


def _bare(url: str) -> list[float]:
    """Seconds from enqueuing a message of Dramatiq until its actor begins."""
    command = [sys.executable, "-c", BARE, url]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    process.stdout.readline()
    broker: RedisBroker = RedisBroker(url=url, namespace="bare", middleware=[])  # type: ignore[no-untyped-call]
    seconds = []
    for _ in range(ONE_BY_ONE):
        time.sleep(0.5)
        sent = (time.time(),)
        broker.enqueue(dramatiq.Message("bare", "note", sent, {}, {}))
        seconds.append(float(process.stdout.readline()))
    process.kill()
    process.communicate()
    return seconds


async def _throughput(folder: Path, redis: OwnRedis, postgres: OwnPostgres) -> list[Measure]:
    rates = []
    for workers in (1, 4):
        async with _house(folder / f"throughput{workers}", redis, postgres, workers) as (house, built):
            runs = await _runs(house, built, AT_ONCE)
        first, last = min(run.started for run in runs), max(run.ended for run in runs)
        rates.append(AT_ONCE / between(first, last))
    gain = rates[1] / rates[0]
    return [
        Measure("runs a second of one worker process", rates[0], ""),
        Measure("gain with four", gain, "x", ">= 3.6", gain >= 3.6),
    ]


async def _memory(folder: Path, redis: OwnRedis, postgres: OwnPostgres) -> list[Measure]:
    async with _house(folder / "memory", redis, postgres, 0) as (house, built):
        house.start_process("scheduler")
        log = house.folder / "worker-1.log"
        await asyncio.to_thread(wait_for, lambda: "the clock" in log.read_text(), 90, "the scheduler")
        scheduler, mine = house.workers[0].pid, list[float]()
        before = resident_mb(scheduler)
        for part in range(2):
            await house.asked(built, ["work now"] * (QUEUED // 2), first=part * QUEUED)
            await asyncio.sleep(10)
            mine.append(resident_mb())
        grown, own = resident_mb(scheduler) - before, mine[1] - mine[0]
    return [
        Measure(f"scheduler with {QUEUED} runs queued: growth", grown, "MB", "<= 8", grown <= 8),
        Measure("what asks and shows: growth with the second half", own, "MB", "<= 16", own <= 16),
    ]
