"""What every store of digests does: a tick is begun once and ended once, whoever tries."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.storage import Storage, open_storage
from bot.digests.schedule import parse
from bot.digests.values import Baseline, Digest, Known, Tick, TickResult
from bot.values import Card, CardKind, ThreadRef
from tests.adapters.storage.places import DATABASES, MovableClock, Place, emptied

THREAD = ThreadRef("slack", "C1", "17.3")
FIRST, SECOND, THIRD = (f"2026-03-0{day}T07:30:00.000000+00:00" for day in (2, 3, 4))
ORDERED = Digest(THREAD, parse("every day 08:30 Europe/Zurich"), "ada", "slack:e1", FIRST, "ZK-701")
BASELINE = Baseline(
    FIRST, {"doc": "sha"}, {"run": Known("Answer", "5 mg", (("doc", "5 mg/kg"),))}, {"key": "{}"}
)
CARD = Card(CardKind.NOTICE, text="new")


async def added(place: Place, **changes: object) -> Digest:
    number = await place.digests.add(replace(ORDERED, **changes))  # type: ignore[arg-type]
    found = await place.digests.get(number)
    assert found is not None
    return found


async def test_a_digest_comes_back_as_it_was_ordered_and_only_once(place: Place) -> None:
    digest = await added(place, baseline=BASELINE, heartbeat=True, created="2026-03-01T12:00")
    assert digest == replace(
        ORDERED, number=digest.number, baseline=BASELINE, heartbeat=True, created="2026-03-01T12:00"
    )
    assert await place.digests.add(ORDERED) == digest.number
    assert await place.digests.of(ThreadRef("slack", "C1", "99")) == [digest]
    assert await place.digests.of(ThreadRef("slack", "C2", "17.3")) == []


async def test_a_digest_is_changed_and_deleted(place: Place) -> None:
    digest = await added(place)
    changed = replace(digest, schedule=parse("every monday 9:00"), due=THIRD, about="", muted=True)
    assert await place.digests.change(changed)
    assert (await place.digests.get(digest.number)) == changed
    assert await place.digests.begin(Tick(digest.number, THIRD, THIRD), "2026-04")
    assert await place.digests.delete(digest.number)
    assert not await place.digests.delete(digest.number)
    assert not await place.digests.change(changed)
    assert await place.digests.open_ticks() == []


async def test_a_tick_is_begun_once_and_moves_the_digest_on(place: Place) -> None:
    digest = await added(place)
    assert [one.number for one in await place.digests.due(FIRST)] == [digest.number]
    tick = Tick(digest.number, FIRST, FIRST)
    begun = await asyncio.gather(*(place.digests.begin(tick, SECOND) for _ in range(4)))
    assert sorted(begun) == [False, False, False, True]
    assert await place.digests.open_ticks() == [tick]
    assert await place.digests.due(FIRST) == []
    assert [one.due for one in await place.digests.due(SECOND)] == [SECOND]
    assert not await place.digests.begin(tick, THIRD)


async def test_a_digest_that_was_moved_meanwhile_is_not_begun_at_the_old_time(place: Place) -> None:
    digest = await added(place)
    await place.digests.change(replace(digest, due=THIRD))
    assert not await place.digests.begin(Tick(digest.number, FIRST, FIRST), SECOND)
    assert await place.digests.open_ticks() == []


async def test_a_tick_is_told_once_with_what_is_known_then(place: Place) -> None:
    digest = await added(place)
    tick = Tick(digest.number, FIRST, FIRST)
    await place.digests.begin(tick, SECOND)
    told = TickResult(CARD, BASELINE)
    ended = await asyncio.gather(*(place.digests.end(tick, THREAD, told) for _ in range(4)))
    assert sorted(ended) == [False, False, False, True]
    item = await place.outbox.claim("pump", ["slack"], 30)
    assert item is not None
    assert (item.thread, item.slot, item.card) == (THREAD, f"digest:{digest.number}:{FIRST}", CARD)
    await place.outbox.delivered(item, "m1")
    assert await place.outbox.claim("pump", ["slack"], 30) is None
    assert await place.digests.open_ticks() == []
    found = await place.digests.get(digest.number)
    assert found is not None
    assert found.baseline == BASELINE


async def test_a_silent_tick_shows_nothing(place: Place) -> None:
    digest = await added(place)
    tick = Tick(digest.number, FIRST, FIRST)
    await place.digests.begin(tick, SECOND, silent=True)
    assert await place.digests.open_ticks() == []
    assert not await place.digests.end(tick, THREAD, TickResult(CARD, BASELINE))
    second = Tick(digest.number, SECOND, SECOND)
    await place.digests.begin(second, THIRD)
    assert await place.digests.end(second, THREAD, TickResult(None, BASELINE))
    assert await place.outbox.claim("pump", ["slack"], 30) is None


async def test_a_tick_of_a_digest_that_was_never_begun_is_not_told(place: Place) -> None:
    digest = await added(place)
    assert not await place.digests.end(Tick(digest.number, FIRST, FIRST), THREAD, TickResult(CARD, BASELINE))
    assert await place.outbox.claim("pump", ["slack"], 30) is None


@asynccontextmanager
async def two_processes(kind: str, folder: Path) -> AsyncIterator[tuple[Storage, Storage]]:
    """One database as two processes open it."""
    url = await emptied(kind, folder)
    async with AsyncExitStack() as stack:
        opened = [await open_storage(url, MovableClock()) for _ in range(2)]
        for one in opened:
            stack.push_async_callback(one.close)
        yield opened[0], opened[1]


@pytest.mark.parametrize("kind", DATABASES)
async def test_of_two_processes_one_begins_a_tick_and_one_ends_it(kind: str, tmp_path: Path) -> None:
    async with two_processes(kind, tmp_path) as (one, other):
        number = await one.digests.add(ORDERED)
        for at, following in ((FIRST, SECOND), (SECOND, THIRD)):
            tick = Tick(number, at, at)
            both = (one.digests, other.digests) * 3
            begun = await asyncio.gather(*(store.begin(tick, following) for store in both))
            assert begun.count(True) == 1
            ended = await asyncio.gather(
                *(store.end(tick, THREAD, TickResult(CARD, BASELINE)) for store in both)
            )
            assert ended.count(True) == 1
        slots = []
        while item := await one.outbox.claim("pump", ["slack"], 30):
            slots.append(item.slot)
            await one.outbox.delivered(item, "m")
        assert slots == [f"digest:{number}:{at}" for at in (FIRST, SECOND)]
