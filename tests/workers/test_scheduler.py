"""Schedulers over one database: a digest is told once for each of its times, also when one is killed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from adapters.storage import Storage, open_storage
from agents.archive.answer import Question
from agents.runs.clock import stamp
from agents.runs.pipeline import new_run
from agents.runs.records import RunState
from bot.digests.contents import Gatherer
from bot.digests.schedule import next_tick, parse
from bot.digests.service import Telling
from bot.digests.values import PINS, Digest, Pin
from bot.services import Services
from bot.values import ThreadRef
from bot.views import Views
from tests.adapters.storage.places import DATABASES, MovableClock, emptied
from tests.bot.test_digests import Shelf
from tests.bot.world import WaitingQueue
from tests.support.archive import KINDS
from workers.scheduler import scheduling

THREAD = ThreadRef("slack", "C1", "17.3")
SCHEDULE = parse("every day 08:30 Europe/Zurich")


class Died(Exception):
    """What a killed process leaves of a call: nothing."""


class Dying:
    """A store whose process is killed at one method, before its transaction or right after it."""

    def __init__(self, store: Any, method: str, *, before: bool) -> None:
        self._store, self._method, self._before = store, method, before

    def __getattr__(self, name: str) -> Any:
        return self._killed if name == self._method else getattr(self._store, name)

    async def _killed(self, *arguments: Any, **named: Any) -> Any:
        if not self._before:
            await getattr(self._store, self._method)(*arguments, **named)
        raise Died


class House:
    """Two processes' storages of one database, with an archive that has something new each day."""

    def __init__(self, opened: list[Storage], clock: MovableClock) -> None:
        self.opened, self.clock, self.queue, self.news = opened, clock, WaitingQueue(), Shelf()
        self.views = [Views(KINDS, one.ledger, one.revisions) for one in opened]

    def telling(self, number: int, digests: Any = None, ledger: Any = None) -> Telling:
        one, views = self.opened[number], self.views[number]
        gatherer = Gatherer(one.ledger, one.conversations, views, self.news, {})
        rooms = Services(ledger or one.ledger, one.conversations, one.outbox, self.queue, views)
        return Telling(digests or one.digests, rooms, gatherer, self.clock)

    async def ordered(self) -> int:
        """A digest, and a pinned question with it."""
        one, now = self.opened[0], self.clock()
        run = new_run("archive", Question("How much?"), "e1")
        await one.ledger.create(run)
        await one.ledger.set_state(run.run_id, RunState.DONE)
        await PINS.add(
            one.conversations, THREAD, Pin(run.run_id, "archive", run.inputs, "How much?", "ada", "")
        )
        due = stamp(next_tick(SCHEDULE, now))
        return await one.digests.add(Digest(THREAD, SCHEDULE, "ada", "slack:e1", due))

    async def day(self) -> None:
        """A day goes by, with a new document."""
        self.clock.move(timedelta(days=1).total_seconds())
        self.news.put(f"doc {self.clock():%d}", f"of {self.clock():%d}")

    async def answered(self) -> None:
        """A worker ends what was asked; its sweeper finds a run whose message was never sent."""
        ledger = self.opened[0].ledger
        for run in await ledger.runs(state=RunState.QUEUED):
            await ledger.set_state(run.run_id, RunState.FAILED, error="no archive")

    async def shown(self) -> list[str]:
        """The slots of the cards that wait to be shown."""
        slots = []
        while item := await self.opened[0].outbox.claim("pump", ["slack"], 30):
            slots.append(item.slot)
            await self.opened[0].outbox.delivered(item, "m")
        return slots


class Rounds:
    """Tells when a round was made, from its beginning to its end."""

    def __init__(self, telling: Telling) -> None:
        self._telling, self._ended = telling, asyncio.Semaphore(0)

    async def round(self) -> None:
        await self._telling.round()
        self._ended.release()

    async def made(self) -> None:
        async with asyncio.timeout(20):
            for _ in range(2 + self._ended._value):
                await self._ended.acquire()


@asynccontextmanager
async def house(kind: str, folder: Path) -> AsyncIterator[House]:
    url, clock = await emptied(kind, folder), MovableClock()
    async with AsyncExitStack() as stack:
        opened = [await open_storage(url, clock) for _ in range(2)]
        for one in opened:
            stack.push_async_callback(one.close)
        yield House(opened, clock)


@pytest.mark.parametrize("kind", DATABASES)
async def test_two_schedulers_tell_each_time_once(kind: str, tmp_path: Path) -> None:
    async with house(kind, tmp_path) as here:
        number = await here.ordered()
        both = [here.telling(0), here.telling(1)] * 2
        for _ in range(2):
            await here.day()
            await asyncio.gather(*(one.round() for one in both))
            await here.answered()
            await asyncio.gather(*(one.round() for one in both))
        slots = await here.shown()
        assert len(slots) == len(set(slots)) == 2
        assert all(slot.startswith(f"digest:{number}:") for slot in slots)
        assert len(set(here.queue.run_ids)) == 2, "the pinned question was asked once for each time"


@pytest.mark.parametrize("kind", DATABASES)
@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize(
    ("store", "method"), [("digests", "begin"), ("ledger", "create"), ("digests", "end")]
)
async def test_what_a_killed_scheduler_began_another_one_ends(
    kind: str, store: str, method: str, before: bool, tmp_path: Path
) -> None:
    async with house(kind, tmp_path) as here:
        await here.ordered()
        await here.day()
        if method == "end":
            await here.telling(0).round()
            await here.answered()
        dying = Dying(getattr(here.opened[0], store), method, before=before)
        with suppress(Died):
            await here.telling(0, **{store: dying}).round()
        await here.telling(1).round()
        await here.answered()
        await asyncio.gather(*(here.telling(number).round() for number in (0, 1)))
        assert len(await here.shown()) == 1
        asked = [run for run in await here.opened[0].ledger.runs() if run.request_key.startswith("digest:")]
        assert len(asked) == 1


async def test_a_scheduler_makes_rounds_until_it_is_ended(tmp_path: Path) -> None:
    async with house("sqlite", tmp_path) as here:
        await here.ordered()
        await here.day()
        rounds = Rounds(here.telling(0))
        retained = asyncio.Event()

        async def retain() -> None:
            retained.set()

        async with scheduling(rounds, retain, every_s=0.01):
            await rounds.made()
            await retained.wait()
            assert len(here.queue.run_ids) == 1
            await here.answered()
            await rounds.made()
        assert len(await here.shown()) == 1
