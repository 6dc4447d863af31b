"""Slack's events, and Teams' activities, from outside: how soon each is acknowledged by a real bot while a
real worker answers, beside a server in a process of its own that only acknowledges the same requests.

Bot and worker are processes as an operator starts them. They share PostgreSQL (PESTLE_TEST_POSTGRESQL_URL,
else a SQLite file) and Redis (PESTLE_TEST_REDIS_URL, emptied first). The platform's far end is in this
process, so that sending and the bot's own calls take their share of the machine too. Teams is heard as its
playground is, without tokens: with them the bot could write to addresses under TLS alone.
"""

import asyncio
import gc
import os
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from itertools import count, cycle, islice, product
from pathlib import Path
from subprocess import Popen

import httpx
import redis

from adapters.cli.demo import ARCHIVE
from adapters.storage import open_storage
from agents.runs.records import RunState
from tests.adapters.slack.far_end import far_end
from tests.adapters.slack.sender import SECRET
from tests.adapters.teams import far_end as teams
from tests.bench.asking import Ask, Asking, in_slack, in_teams
from tests.bench.question import MOLECULES, QUESTIONS
from tests.bench.report import Measure, percentile, resident_mb
from tests.journey.database import shared_database
from tests.journey.team import Team
from tests.journey.waiting import free_port, wait_for
from tests.support.services import listening

TARGET_MS = 150
RUNS = 20
"""In progress, or waiting for the worker, while events come."""
GROWTH_MB = 32
"""What memory may grow after the first tenth of the events."""
PATIENCE_S = 3.0
"""Slack's own: an event that is acknowledged later is sent again."""
WARM_UP = 20
PEER = """
import sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
async def heard(request):
    await request.body()
    return Response()
app = Starlette(routes=[Route("/{path:path}", heard, methods=["POST"])])
uvicorn.run(app, port=int(sys.argv[1]), log_level="error")
"""
WORK_S = 120
"""How long the worker is waited for after the last event."""


@dataclass
class Sent:
    """What became of the events."""

    seconds: list[float] = field(default_factory=list)
    """Until each was acknowledged."""
    peer: list[float] = field(default_factory=list)
    """The same by a server that does nothing else, asked once the bot had answered."""
    late: float = 0.0
    """The most seconds that an event was sent after its time: then this process is too busy itself."""
    worked: float = 0.0
    """Seconds of processor time that the bot took meanwhile, its own posts included."""
    refused: Counter[str] = field(default_factory=Counter)
    """What came instead of an acknowledgement, and how often."""


async def measure(folder: Path, rate: int, seconds: int) -> list[Measure]:
    """So many signed events a second, each a question in a thread of its own."""
    async with far_end() as slack:
        skin = {
            "PESTLE_SLACK_BOT_TOKEN": "xoxb-bot",
            "PESTLE_SLACK_SIGNING_SECRET": SECRET,
            "PESTLE_SLACK_BASE_URL": slack.url,
        }
        return await _served(folder, skin, in_slack, rate, seconds)


async def measure_teams(folder: Path, rate: int, seconds: int) -> list[Measure]:
    """So many activities a second, each a question in a thread of a channel of its own."""
    async with teams.far_end() as end:
        skin = {"PESTLE_TEAMS_PLAYGROUND": "true"}
        return await _served(folder, skin, in_teams(end), rate, seconds)


async def _served(
    folder: Path, skin: Mapping[str, str], asking: Asking, rate: int, seconds: int
) -> list[Measure]:
    """Measure a bot with the settings of a skin."""
    port, running = free_port(), ExitStack()
    try:
        opened = await asyncio.to_thread(_opened, running, folder, skin, port)
        peer = await asyncio.to_thread(_peer, running)
        return await _measured((f"http://127.0.0.1:{port}", peer), *opened, asking, rate, seconds)
    finally:
        await asyncio.to_thread(running.close)


def _opened(
    running: ExitStack, folder: Path, skin: Mapping[str, str], port: int
) -> tuple[str, Mapping[str, Popen[bytes]]]:
    """The database, and the processes by their names."""
    database = running.enter_context(shared_database(folder))
    team = Team(folder, {**_settings(folder, database, port), **skin})
    team.pestle("ingest", str(ARCHIVE))
    running.enter_context(team.bot(f"http://127.0.0.1:{port}"))
    worker = running.enter_context(team.process("worker"))
    return database, {"bot": team.bots[-1], "worker": worker}


def _peer(running: ExitStack) -> str:
    """The address of a server that only acknowledges."""
    port = free_port()
    process = running.enter_context(Popen([sys.executable, "-c", PEER, str(port)]))
    running.callback(process.kill)
    wait_for(lambda: listening(port), 60, "the peer to listen")
    return f"http://127.0.0.1:{port}"


async def _measured(
    servers: tuple[str, str],
    database: str,
    watched: Mapping[str, Popen[bytes]],
    asking: Asking,
    rate: int,
    seconds: int,
) -> list[Measure]:
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=rate)
    bot, peer = (
        httpx.AsyncClient(base_url=one, timeout=60, limits=limits, trust_env=False) for one in servers
    )
    async with bot, peer:
        ask, numbers = (asking(bot), asking(peer)), count(1)
        await _send(ask, numbers, rate=5, events=WARM_UP)
        memory: dict[str, list[float]] = {name: [] for name in watched}
        gc.collect()
        gc.freeze()  # the sender must not stop to look through its libraries: that would count as the bot's
        sampling = asyncio.create_task(_sample(watched, memory))
        load = os.getloadavg()[0]
        worked = _processor_s(watched["bot"].pid)
        sent = await _send(ask, numbers, rate, rate * seconds)
        sent.worked = _processor_s(watched["bot"].pid) - worked
        waiting = await _waiting(database, rate * seconds + WARM_UP)
        written, done = await _work(database, rate * seconds + WARM_UP)
        sampling.cancel()
        with suppress(asyncio.CancelledError):
            await sampling
    for what, times in sent.refused.items():
        print(f"not acknowledged: {what} ({times} times)")
    return _measures(sent, (waiting, written, done), memory, rate, rate * seconds, load)


async def _send(ask: tuple[Ask, Ask], numbers: "count[int]", rate: int, events: int) -> Sent:
    """Send at a steady rate, whatever the answers do."""
    sent, began = Sent(), time.perf_counter()
    questions = cycle(text.format(name) for text, name in product(QUESTIONS, MOLECULES))

    async def one(due: float, text: str) -> None:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        start = time.perf_counter()
        sent.late = max(sent.late, start - due)
        try:
            number = next(numbers)
            answer = await ask[0](number, text)
        except httpx.TransportError as error:
            sent.refused[type(error).__name__] += 1
            return
        if answer.status_code == 200:
            sent.seconds.append(time.perf_counter() - start)
            start = time.perf_counter()
            await ask[1](number, text)
            sent.peer.append(time.perf_counter() - start)
        else:
            sent.refused[f"{answer.status_code} {answer.text[:80]}"] += 1

    asked = enumerate(islice(questions, events))
    await asyncio.gather(*(one(began + number / rate, text) for number, text in asked))
    return sent


async def _waiting(database: str, runs: int) -> int:
    """How many runs are in progress or wait for the worker."""
    storage = await open_storage(database)
    try:
        return sum(not run.state.over for run in await storage.ledger.runs(limit=runs + 1))
    finally:
        await storage.close()


async def _work(database: str, runs: int) -> tuple[int, int]:
    """Wait for the runs, for some time; how many are written, and done."""
    storage = await open_storage(database)
    deadline = time.monotonic() + WORK_S
    try:
        while True:
            done = len(await storage.ledger.runs(limit=runs + 1, state=RunState.DONE))
            if done >= runs or time.monotonic() > deadline:
                return len(await storage.ledger.runs(limit=runs + 1)), done
            await asyncio.sleep(1)
    finally:
        await storage.close()


async def _sample(watched: Mapping[str, Popen[bytes]], memory: dict[str, list[float]]) -> None:
    while True:
        for name, process in watched.items():
            with suppress(FileNotFoundError):
                memory[name].append(resident_mb(process.pid))
        await asyncio.sleep(0.5)


def _measures(
    sent: Sent,
    runs: tuple[int, int, int],
    memory: Mapping[str, Sequence[float]],
    rate: int,
    events: int,
    load: float,
) -> list[Measure]:
    p99 = percentile(sent.seconds, 0.99)
    in_time = sum(one <= PATIENCE_S for one in sent.seconds)
    told = f"{rate} events a second: "
    return [
        Measure(
            f"{told}acknowledged within {PATIENCE_S:.0f} s", in_time, "", f"all {events}", in_time == events
        ),
        Measure(f"{told}until acknowledged, p50", percentile(sent.seconds, 0.5), "ms"),
        Measure(
            f"{told}until acknowledged, p99",
            p99,
            "ms",
            f"<= {TARGET_MS}",
            p99 <= TARGET_MS,
            "a server that only acknowledges",
            percentile(sent.peer, 0.99),
        ),
        Measure(f"{told}until acknowledged, longest", percentile(sent.seconds, 1.0), "ms"),
        Measure("sent after its time, at most", 1000 * sent.late, "ms"),
        Measure(
            "processor time of the bot for an event, its posts included", 1000 * sent.worked / events, "ms"
        ),
        Measure("runs not yet done at the last event", runs[0], "", f">= {RUNS}", runs[0] >= RUNS),
        Measure("runs written", runs[1], "", f"all {events + WARM_UP}", runs[1] == events + WARM_UP),
        Measure(f"runs done {WORK_S} s after the last event at the latest", runs[2], ""),
        Measure("processes that wanted the cores just before", load, ""),
        *(measure for name, samples in memory.items() for measure in _growth(name, samples)),
    ]


def _processor_s(process: int) -> float:
    """Seconds of processor time that a process took so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _growth(name: str, samples: Sequence[float]) -> list[Measure]:
    early = samples[len(samples) // 10]
    grown = samples[-1] - early
    return [
        Measure(f"memory of the {name} after a tenth of the time", early, "MB"),
        Measure("its growth from there to the end", grown, "MB", f"<= {GROWTH_MB}", grown <= GROWTH_MB),
    ]


def _settings(folder: Path, database: str, port: int) -> dict[str, str]:
    redis_at = os.environ.get("PESTLE_TEST_REDIS_URL", "redis://127.0.0.1:6379/9")
    with redis.Redis.from_url(redis_at) as client:
        client.flushdb()
    return {
        "PESTLE_DATABASE_URL": database,
        "PESTLE_HOME": str(folder / "home"),
        "PESTLE_REDIS_URL": redis_at,
        "PESTLE_SLACK_PORT": str(port),
    }
