"""Each bad day: what was asked is answered, or its end is explained; once, and nothing is done twice."""

import asyncio
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.drills.house import House, OwnPostgres, OwnRedis
from tests.journey.team import write_archive
from tests.support.drills import ONE_IN
from tests.support.elastic_nodes import running_node
from tests.support.hostile_endpoint import (
    Manner,
    answers,
    hangs_up,
    hostile,
    stalls,
    wants_to_wait,
    writes,
)

pytestmark = [
    pytest.mark.drill,
    pytest.mark.service("redis"),
    pytest.mark.service("postgresql"),
    pytest.mark.timeout(900),
]
WORKERS = 3
RUNS, FEW, ROUNDS, KILLS = (100, 40, 5, 1000) if ONE_IN == 1 else (50, 24, 2, 8)
"""Runs of a drill, how often each question to the archive is asked, and after how many killed workers the
rest live: short drills do less.
"""
PAUSE_S, STOPPED_S, FULL_S, AWAY_S = (3.0, 10, 10, 60) if ONE_IN == 1 else (1.5, 5, 5, 15)
"""Seconds between two faults, for which all workers are stopped, the disk is full, Elasticsearch is away.
Short drills wait less; workers are stopped for longer than their leases in any case.
"""
STARVED_S = (30, 20) if ONE_IN == 1 else (8, 4)
"""Seconds for which one worker is stopped among busy processes, and for which these go on."""


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[OwnRedis]:
    server = OwnRedis(tmp_path)
    server.start()
    yield server
    server.kill()


@pytest.fixture
def postgres() -> Iterator[OwnPostgres]:
    server = OwnPostgres()
    server.start()
    yield server
    server.remove()


@pytest.fixture
def house(tmp_path: Path, redis: OwnRedis, postgres: OwnPostgres) -> House:
    return House(tmp_path, {"PESTLE_REDIS_URL": redis.url, "PESTLE_DATABASE_URL": postgres.url}, clock=True)


def questions(number: int) -> list[str]:
    return [f"work {one}" for one in range(number)]


async def test_workers_are_killed_at_random(house: House) -> None:
    chance = random.Random(7)
    async with house.opened(WORKERS) as built:
        await house.asked(built, questions(RUNS))
        while len(house.killed) < KILLS:
            if sum(not run.state.over for run in await built.ledger.runs(limit=RUNS)) <= 5:
                break
            await asyncio.sleep(chance.uniform(2, 8))
            worked = [number for number, one in enumerate(house.workers) if house.has_worked(one.pid)]
            if worked:  # to be killed before its first step is no trial
                await asyncio.to_thread(house.kill_worker, chance.choice(worked))
        what = f"workers killed (-9) at random, {len(house.killed)} times"
        (await house.counts(built, what, RUNS)).check("killed")
    assert len(house.killed) >= 5


@pytest.mark.parametrize("keeps", [True, False], ids=["kept", "lost"])
async def test_redis_is_killed(tmp_path: Path, postgres: OwnPostgres, keeps: bool) -> None:
    redis = OwnRedis(tmp_path, keeps=keeps)
    redis.start()
    house = House(tmp_path, {"PESTLE_REDIS_URL": redis.url, "PESTLE_DATABASE_URL": postgres.url})
    async with house.opened(2) as built:
        await house.asked(built, questions(FEW))
        await house.at_work()
        for _ in range(2):
            await asyncio.sleep(PAUSE_S)
            redis.kill()
            await asyncio.sleep(PAUSE_S)
            redis.start()
        what = f"Redis killed twice{'' if keeps else ', its data lost'}"
        (await house.counts(built, what, FEW)).check(f"redis-{'kept' if keeps else 'lost'}")
    redis.kill()


async def test_postgresql_is_killed(house: House, postgres: OwnPostgres) -> None:
    async with house.opened(2) as built:
        await house.asked(built, questions(FEW))
        await house.at_work()
        for _ in range(2):
            await asyncio.sleep(PAUSE_S)
            await asyncio.to_thread(postgres.kill)
            await asyncio.sleep(PAUSE_S)
            await asyncio.to_thread(postgres.start)
        (await house.counts(built, "PostgreSQL killed twice", FEW)).check("postgresql")


@pytest.mark.parametrize("seconds", [3600, -3600])
async def test_the_clock_jumps(house: House, seconds: int) -> None:
    async with house.opened(2) as built:
        await house.asked(built, questions(FEW))
        await house.at_work()
        house.clock.write_text(str(seconds))
        what = f"the workers' clocks jump {'forward' if seconds > 0 else 'back'} by an hour"
        (await house.counts(built, what, FEW)).check(f"clock{seconds}")


@pytest.mark.parametrize("seconds", [3600, -3600])
async def test_the_clock_of_one_machine_jumps(house: House, seconds: int) -> None:
    house.apart = True
    async with house.opened(2) as built:
        await house.asked(built, questions(FEW))
        await house.at_work()
        house.clock.with_name("clock-2").write_text(str(seconds))
        what = f"of two machines, the clock of one jumps {'forward' if seconds > 0 else 'back'} by an hour"
        (await house.counts(built, what, FEW)).check(f"clock-apart{seconds}")


async def test_the_machine_is_starved(house: House) -> None:
    """All workers stand still for longer than their leases, then everything competes with busy processes."""
    async with house.opened(2) as built:
        await house.asked(built, questions(FEW))
        await house.at_work()
        house.signal_workers(signal.SIGSTOP)
        await asyncio.sleep(STOPPED_S)
        house.signal_workers(signal.SIGCONT)
        with busy(16):
            await asyncio.sleep(1)
            house.workers[0].send_signal(signal.SIGSTOP)
            await asyncio.sleep(STARVED_S[0])
            house.workers[0].send_signal(signal.SIGCONT)
            await asyncio.sleep(STARVED_S[1])
        what = (
            f"starved of processor: stopped for {STOPPED_S} s, one for {STARVED_S[0]} s, "
            f"16 busy processes for {sum(STARVED_S)} s"
        )
        (await house.counts(built, what, FEW)).check("starved")


@contextmanager
def busy(number: int) -> Iterator[None]:
    """Processes that want all the time there is."""
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for one in spinning:
            one.kill()
            one.wait()


async def test_each_event_comes_three_times(house: House) -> None:
    async with house.opened(2) as built:
        await house.asked(built, questions(FEW), times=3)
        (await house.counts(built, "each event delivered three times", FEW)).check("thrice")


ASKED = (
    "What was the NOAEL of QX-201 in rats?",
    "What was the first-in-human dose of QX-201?",
    "What was the highest dose of RV-77 in the multiple ascending dose study?",
    "What was the highest dose of QX-201 in the multiple ascending dose study?",
)


def asked_of(settings: House) -> list[str]:
    """Questions to the archive of the journeys, which is written and read first."""
    write_archive(settings.folder / "archive")
    settings.pestle("ingest", str(settings.folder / "archive"))
    return [*ASKED] * ROUNDS


async def test_elasticsearch_is_away(tmp_path: Path, redis: OwnRedis, postgres: OwnPostgres) -> None:
    with running_node(tmp_path) as node:
        servers = {"PESTLE_REDIS_URL": redis.url, "PESTLE_DATABASE_URL": postgres.url}
        elastic = {"PESTLE_ELASTICSEARCH_URL": node.url, "PESTLE_ELASTICSEARCH_REPLICAS": "0"}
        house = House(tmp_path, {**servers, **elastic})
        asked = await asyncio.to_thread(asked_of, house)
        async with house.opened(2) as built:
            half = len(asked) // 2
            await house.asked(built, asked[:half])
            await asyncio.sleep(10)
            await asyncio.to_thread(node.kill)
            await house.asked(built, asked[half:], first=half)
            await asyncio.sleep(AWAY_S)
            await asyncio.to_thread(node.start)
            assert {run.pipeline for run in await built.ledger.runs()} == {"archive"}
            (await house.counts(built, f"Elasticsearch away for {AWAY_S} s", len(asked))).check(
                "elasticsearch"
            )


def moody(seed: int) -> Manner:
    """Another failure at each request: busy, broken, no JSON, an answer that is none, a stall, a hang-up."""
    chance = random.Random(seed)
    moods = (
        wants_to_wait("1"),
        answers(b"{}", 500),
        answers(b"<html>"),
        writes("{garbage"),
        stalls,
        hangs_up,
    )
    return lambda endpoint, peer: chance.choice(moods)(endpoint, peer)


async def test_the_model_fails_in_every_way(tmp_path: Path, redis: OwnRedis, postgres: OwnPostgres) -> None:
    with hostile() as endpoint:
        endpoint.behaves(moody(3))
        servers = {"PESTLE_REDIS_URL": redis.url, "PESTLE_DATABASE_URL": postgres.url}
        model = {"PESTLE_MODEL_BASE_URL": endpoint.url, "PESTLE_MODEL_NAME": "moody"}
        times = {"PESTLE_MODEL_TIMEOUT": f"{2 * ROUNDS}", "PESTLE_RUN_SECONDS": f"{24 * ROUNDS}"}
        house = House(tmp_path, {**servers, **model, **times})
        asked = await asyncio.to_thread(asked_of, house)
        async with house.opened(2) as built:
            await house.asked(built, asked)
            what = "the model's endpoint: 429, 500, no JSON, garbage, stalls, hang-ups at random"
            (await house.counts(built, what, len(asked))).check("model")
    assert endpoint.requests > len(asked)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 24 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=24m", "none", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a small disk can be mounted by root alone")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


async def test_the_disk_is_full(tmp_path: Path, disk: Path, redis: OwnRedis) -> None:
    """Database and home lie on a disk that something else fills for a while."""
    house = House(tmp_path, {"PESTLE_REDIS_URL": redis.url, "PESTLE_HOME": str(disk)})
    async with house.opened(2) as built:
        await house.asked(built, questions(FEW))
        await house.at_work()
        fill(disk)
        await asyncio.sleep(FULL_S)
        (disk / "filling").unlink()
        (await house.counts(built, f"the disk full for {FULL_S} s", FEW)).check("disk")


def fill(disk: Path) -> None:
    with suppress(OSError), (disk / "filling").open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
