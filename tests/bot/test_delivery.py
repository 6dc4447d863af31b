"""Cards reach their platform: in order, once, and never silently lost."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from bot.cards import notice_card
from bot.delivery import ATTEMPTS, CLAIM_S, LONGEST_HINDERED_S, LONGEST_WAIT_S, Pump
from bot.errors import DeliveryDelayed, DeliveryFailed, DeliveryHindered
from bot.values import Card, ThreadRef, answer_slot
from tests.bot.world import THREAD, World


async def test_the_same_slot_is_one_message_updated() -> None:
    world = World()
    for text in ("one", "two", "three"):
        await world.outbox.put(THREAD, "progress:r1", notice_card(text))
        await world.pump.drain()
    assert world.wall.posts == 1
    assert [card.text for card in world.wall.messages.values()] == ["three"]


async def test_cards_of_a_thread_keep_their_order() -> None:
    world = World()
    for number in range(5):
        await world.outbox.put(THREAD, f"slot-{number}", notice_card(str(number)))
    pumps = [Pump(world.outbox, world.ledger, [world.wall], owner=f"p{n}") for n in range(3)]
    while await world.outbox.claim("probe", ("wall",), 0.0):
        await asyncio.gather(*(pump.drain() for pump in pumps))
    assert [card.text for card in world.wall.messages.values()] == list("01234")


async def test_a_pump_that_died_after_posting_does_not_post_twice() -> None:
    world = World()
    await world.outbox.put(THREAD, answer_slot("r1"), notice_card("the answer", "r1"))
    world.wall.after = _die
    with pytest.raises(Killed):
        await world.pump.drain()
    world.wall.after = _nothing
    world.now += timedelta(seconds=CLAIM_S + 1)
    successor = Pump(world.outbox, world.ledger, [world.wall], owner="pump-2")
    await successor.drain()
    assert world.wall.posts == 1
    assert await world.outbox.message_id(THREAD, answer_slot("r1")) == "m1"


async def test_a_connection_that_breaks_after_posting_does_not_post_twice() -> None:
    world = World()
    await world.outbox.put(THREAD, answer_slot("r1"), notice_card("the answer", "r1"))
    world.wall.after = _break
    await world.pump.drain()
    world.wall.after = _nothing
    world.now += timedelta(seconds=2)
    await world.pump.drain()
    assert world.wall.posts == 1
    assert await world.outbox.message_id(THREAD, answer_slot("r1")) == "m1"


async def test_a_platform_that_asks_to_wait_is_left_alone_for_that_time() -> None:
    world = World()
    world.wall.trouble = _busy
    await world.outbox.put(THREAD, "s", notice_card("late"))
    assert await world.pump.drain() == 1
    world.wall.trouble = _nothing
    world.now += timedelta(seconds=6)
    assert await world.pump.drain() == 0
    world.now += timedelta(seconds=2)
    assert [card.text for card in await world.shown()] == ["late"]


async def test_waiting_when_asked_to_is_never_a_reason_to_give_up() -> None:
    world = World()
    receipt = await world.say("one?")
    world.wall.trouble = _busy
    for _ in range(ATTEMPTS + 2):
        assert await world.pump.drain() == 1
        world.now += timedelta(seconds=8)
    world.wall.trouble = _nothing
    assert [card.run_id for card in await world.shown()] == [receipt.run_id]


async def test_a_refused_card_is_given_up_with_a_line_in_the_trail() -> None:
    world = World()
    receipt = await world.say("one?")
    world.wall.trouble = _refuse
    await world.pump.drain()
    assert await world.pump.drain() == 0
    kinds = [event.kind for event in await world.ledger.events(receipt.run_id)]
    assert kinds[-1] == "delivery.abandoned"


async def test_a_refused_card_does_not_hold_up_the_next() -> None:
    world = World()
    world.wall.trouble = lambda card: _refuse(card) if card.text == "bad" else None
    await world.outbox.put(THREAD, "s1", notice_card("bad"))
    await world.outbox.put(THREAD, "s2", notice_card("good"))
    assert [card.text for card in await world.shown()] == ["good"]


async def test_an_unknown_failure_is_given_up_after_the_last_attempt() -> None:
    world = World()
    receipt = await world.say("one?")
    world.wall.trouble = _break
    attempts = 0
    while await world.pump.drain():
        attempts += 1
        world.now += timedelta(seconds=LONGEST_WAIT_S + 1)
    assert attempts == ATTEMPTS
    assert [event.kind for event in await world.ledger.events(receipt.run_id)][-1] == "delivery.abandoned"


async def test_a_day_without_the_right_to_post_loses_nothing() -> None:
    world = World()
    receipts = [await world.say("one?", thread=ThreadRef("wall", "general", str(n))) for n in range(3)]
    world.wall.trouble = _hinder
    end = world.now + timedelta(hours=23)
    while world.now < end:
        await world.pump.drain()
        world.now += timedelta(seconds=LONGEST_HINDERED_S)
    told = await world.outbox.unposted([ThreadRef("wall", "general", "1")])
    assert [(one.run_id, one.error, one.given_up) for one in told] == [(receipts[1].run_id, "403", False)]
    world.wall.trouble = _nothing
    assert {card.run_id for card in await world.shown()} == {receipt.run_id for receipt in receipts}
    assert await world.outbox.unposted([ThreadRef("wall", "general", "1")]) == []


async def test_what_was_given_up_is_kept_and_shown_when_somebody_asks() -> None:
    world = World()
    receipt = await world.say("one?")
    world.wall.trouble = _hinder
    while await world.pump.drain():
        world.now += timedelta(seconds=LONGEST_HINDERED_S + 1)
    (told,) = await world.outbox.unposted([THREAD])
    assert told.given_up
    kinds = [event.kind for event in await world.ledger.events(receipt.run_id)]
    assert (kinds.count("delivery.hindered"), kinds[-1]) == (1, "delivery.abandoned")
    world.wall.trouble = _nothing
    assert await world.shown() == []
    assert await world.outbox.again(THREAD, receipt.run_id) == 1
    assert [card.run_id for card in await world.shown()] == [receipt.run_id]


async def test_waiting_when_asked_to_does_not_use_up_the_attempts() -> None:
    world = World()
    await world.say("one?")
    world.wall.trouble = _busy
    for _ in range(ATTEMPTS + 2):
        await world.pump.drain()
        world.now += timedelta(seconds=8)
    world.wall.trouble = _break
    await world.pump.drain()
    world.wall.trouble = _nothing
    world.now += timedelta(seconds=LONGEST_WAIT_S + 1)
    assert len(await world.shown()) == 1


async def test_a_failing_outbox_is_waited_out() -> None:
    world = World()
    claim, failures = world.outbox.claim, iter([OSError("the database is away")])

    async def failing(*asked: Any) -> Any:
        for error in failures:
            raise error
        return await claim(*asked)

    world.outbox.claim = failing  # type: ignore[assignment]
    stop = asyncio.Event()
    world.wall.after = lambda card: stop.set()
    await world.outbox.put(THREAD, "s", notice_card("hello"))
    await asyncio.wait_for(world.pump.run(stop), 10)
    assert world.wall.posts == 1


async def test_cards_of_other_platforms_are_left_to_their_pumps() -> None:
    world = World()
    await world.outbox.put(ThreadRef("web", "general", "1"), "s", notice_card("not here"))
    assert await world.pump.drain() == 0


class Killed(BaseException):
    """As if the process were gone."""


def _die(card: Card) -> None:
    raise Killed


def _break(card: Card) -> None:
    raise ConnectionError("the connection was lost")


def _busy(card: Card) -> None:
    raise DeliveryDelayed("wait", 7.0)


def _refuse(card: Card) -> None:
    raise DeliveryFailed("no such channel")


def _hinder(card: Card) -> None:
    raise DeliveryHindered("403")


def _nothing(card: Card) -> None:
    pass
