"""What every outbox does: in memory, in SQLite, in PostgreSQL."""

from agents.runs.clock import stamp
from bot.values import Card, CardKind, OutboxItem, Shown, ThreadRef
from tests.adapters.storage.places import Place
from tests.support.memory import MemoryOutbox

ONE = ThreadRef("web", "general", "1")
TWO = ThreadRef("web", "general", "2")
DAY = 86_400
SLACK = ThreadRef("slack", "C1", "17.3")


def card(text: str) -> Card:
    return Card(CardKind.ANSWER, title="µg", text=text, notes=("a note",), run_id="r1")


async def claimed(place: Place, owner: str = "pump", platforms: tuple[str, ...] = ("web",)) -> OutboxItem:
    item = await place.outbox.claim(owner, platforms, 30)
    assert item is not None
    return item


async def drained(place: Place) -> list[str]:
    """Texts of all deliverable items, in the order in which one pump shows them."""
    texts = []
    while item := await place.outbox.claim("pump", ("web", "slack"), 30):
        texts.append(item.card.text)
        await place.outbox.delivered(item, f"message {item.slot}")
    return texts


async def test_item_comes_as_it_was_put(place: Place) -> None:
    await place.outbox.put(ONE, "answer", card("10 mg \x00"))
    item = await claimed(place)
    assert (item.thread, item.slot, item.card, item.attempts) == (ONE, "answer", card("10 mg \x00"), 0)
    await place.outbox.delivered(item, "m1")
    assert await place.outbox.claim("pump", ("web",), 30) is None


async def test_message_id_of_a_slot_is_remembered(place: Place) -> None:
    await place.outbox.put(ONE, "answer", card("a"))
    assert await place.outbox.message_id(ONE, "answer") == ""
    await place.outbox.delivered(await claimed(place), "m1")
    assert await place.outbox.message_id(ONE, "answer") == "m1"
    assert await place.outbox.message_id(ONE, "progress") == ""
    assert await place.outbox.message_id(TWO, "answer") == ""


async def test_what_a_message_shows_is_found_by_its_channel(place: Place) -> None:
    await place.outbox.put(SLACK, "section:r1:liver", card("a"))
    item = await claimed(place, platforms=("slack",))
    await place.outbox.delivered(item, "17.4 17.5")
    channel = ThreadRef("slack", "C1", "")
    for part in ("17.4", "17.5"):
        assert await place.outbox.showing(channel, part) == Shown(SLACK, "section:r1:liver")
    for other in ("17", "17.%", "7.4", ""):
        assert await place.outbox.showing(channel, other) is None
    assert await place.outbox.showing(ThreadRef("slack", "C2", ""), "17.4") is None


async def test_a_message_that_was_replaced_shows_nothing_any_more(place: Place) -> None:
    for message_id in ("17.4 17.5", "17.4 17.6"):
        await place.outbox.put(SLACK, "answer:r1", card(message_id))
        await place.outbox.delivered(await claimed(place, platforms=("slack",)), message_id)
    shown = [await place.outbox.showing(SLACK, part) for part in ("17.4", "17.5", "17.6")]
    assert shown == [Shown(SLACK, "answer:r1"), None, Shown(SLACK, "answer:r1")]


async def test_what_was_shown_is_read_again_by_its_kind_of_slot(place: Place) -> None:
    for slot in ("digest:1:a", "answer:r1", "digest:1:b", "digest:1:a"):
        await place.outbox.put(ONE, slot, card(slot))
        await place.outbox.delivered(await claimed(place), "m1")
    await place.outbox.put(TWO, "digest:1:c", card("c"))
    await place.outbox.put(ONE, "digest:1:d", card("not shown yet"))
    shown = await place.outbox.shown(ONE, "digest")
    assert sorted(shown) == [("digest:1:a", card("digest:1:a")), ("digest:1:b", card("digest:1:b"))]


async def test_cards_of_a_thread_come_in_order(place: Place) -> None:
    for text in "abc":
        await place.outbox.put(ONE, text, card(text))
    assert await drained(place) == ["a", "b", "c"]


async def test_newer_card_takes_the_place_of_an_undelivered_one(place: Place) -> None:
    await place.outbox.put(ONE, "progress", card("step 1"))
    await place.outbox.put(ONE, "answer", card("answer"))
    await place.outbox.put(ONE, "progress", card("step 2"))
    assert await drained(place) == ["step 2", "answer"]


async def test_newer_card_that_comes_during_delivery_is_delivered_next(place: Place) -> None:
    await place.outbox.put(ONE, "progress", card("step 1"))
    item = await claimed(place)
    await place.outbox.put(ONE, "progress", card("step 2"))
    await place.outbox.delivered(item, "m1")
    assert await place.outbox.message_id(ONE, "progress") == "m1"
    assert await drained(place) == ["step 2"]


async def test_thread_belongs_to_one_pump_until_its_claim_expires(place: Place) -> None:
    await place.outbox.put(ONE, "a", card("a"))
    await place.outbox.put(ONE, "b", card("b"))
    await place.outbox.put(TWO, "c", card("c"))
    assert (await claimed(place, "one")).card.text == "a"
    assert (await claimed(place, "two")).card.text == "c"
    assert await place.outbox.claim("three", ("web",), 30) is None
    place.clock.move(31)
    assert (await claimed(place, "three")).card.text == "a", "a pump that died is taken over"


async def test_late_pump_does_not_free_the_thread_of_the_one_that_took_over(place: Place) -> None:
    await place.outbox.put(ONE, "a", card("a"))
    await place.outbox.put(ONE, "b", card("b"))
    late = await claimed(place, "one")
    place.clock.move(31)
    await claimed(place, "two")
    await place.outbox.delivered(late, "m1")
    assert await place.outbox.claim("three", ("web",), 30) is None


async def test_pump_takes_only_cards_of_its_platforms(place: Place) -> None:
    await place.outbox.put(SLACK, "a", card("a"))
    assert await place.outbox.claim("pump", ("web", "cli"), 30) is None
    assert (await claimed(place, platforms=("slack",))).thread == SLACK


async def test_postponed_card_comes_again_later_and_holds_back_those_behind_it(place: Place) -> None:
    await place.outbox.put(ONE, "a", card("a"))
    await place.outbox.put(ONE, "b", card("b"))
    await place.outbox.put(TWO, "c", card("c"))
    await place.outbox.postponed(await claimed(place), 10, "the platform asks to wait")
    assert await drained(place) == ["c"]
    place.clock.move(10)
    again = await claimed(place)
    assert (again.card.text, again.attempts) == ("a", 1)
    await place.outbox.postponed(again, 0, "again")
    assert await drained(place) == ["a", "b"]


async def test_newer_card_does_not_shorten_the_wait_that_a_platform_asked_for(place: Place) -> None:
    await place.outbox.put(ONE, "progress", card("step 1"))
    await place.outbox.postponed(await claimed(place), 10, "the platform asks to wait")
    await place.outbox.put(ONE, "progress", card("step 2"))
    assert await drained(place) == []
    place.clock.move(10)
    item = await claimed(place)
    assert (item.card.text, item.attempts) == ("step 2", 0)


async def test_abandoned_card_lets_the_next_one_through(place: Place) -> None:
    await place.outbox.put(ONE, "a", card("a"))
    await place.outbox.put(ONE, "b", card("b"))
    await place.outbox.abandoned(await claimed(place), "the channel is gone")
    assert await drained(place) == ["b"]


async def test_card_that_failed_or_was_given_up_is_told_with_its_reason(place: Place) -> None:
    for thread in (ONE, TWO):
        await place.outbox.put(thread, "answer", card("a"))
    assert await place.outbox.unposted([ONE, TWO]) == []
    await place.outbox.abandoned(await claimed(place), "no such channel")
    await place.outbox.postponed(await claimed(place), 10, "403")
    gone, waits = await place.outbox.unposted([ONE, TWO])
    assert (gone.thread, gone.slot, gone.run_id, gone.error) == (ONE, "answer", "r1", "no such channel")
    assert (gone.given_up, gone.not_before) == (True, "")
    assert (waits.thread, waits.error, waits.given_up) == (TWO, "403", False)
    assert waits.not_before > stamp(place.clock())
    assert await place.outbox.unposted([TWO]) == [waits]
    assert await place.outbox.unposted([]) == []


async def test_card_that_was_given_up_or_waits_is_tried_again_at_once(place: Place) -> None:
    await place.outbox.put(ONE, "a", card("a"))
    await place.outbox.put(ONE, "b", card("b"))
    await place.outbox.abandoned(await claimed(place), "403")
    await place.outbox.postponed(await claimed(place), 600, "403")
    assert await place.outbox.again(ONE, "another run") == 0
    assert await place.outbox.again(TWO, "r1") == 0
    assert await drained(place) == []
    assert await place.outbox.again(ONE, "r1") == 2
    item = await claimed(place)
    assert (item.card.text, item.attempts) == ("a", 0)
    assert await drained(place) == ["a", "b"]
    assert await place.outbox.unposted([ONE]) == []
    assert await place.outbox.again(ONE, "r1") == 0


async def test_of_cards_given_up_in_one_slot_the_newest_is_tried_again(place: Place) -> None:
    for text in ("old", "new"):
        await place.outbox.put(ONE, "answer", card(text))
        await place.outbox.abandoned(await claimed(place), "403")
    assert await place.outbox.again(ONE, "r1") == 1
    assert await drained(place) == ["new"]
    assert await place.outbox.again(ONE, "r1") == 0


async def test_card_given_up_is_replaced_by_a_newer_one_that_was_shown(place: Place) -> None:
    await place.outbox.put(ONE, "answer", card("old"))
    await place.outbox.abandoned(await claimed(place), "403")
    await place.outbox.put(ONE, "answer", card("new"))
    assert await place.outbox.again(ONE, "r1") == 1
    assert await drained(place) == ["new"]
    assert await place.outbox.unposted([ONE]) == []


async def test_being_asked_to_wait_is_no_failed_attempt(place: Place) -> None:
    await place.outbox.put(ONE, "a", card("a"))
    await place.outbox.postponed(await claimed(place), 1, "wait", failed=False)
    place.clock.move(1)
    assert (await claimed(place)).attempts == 0


async def test_slot_that_was_delivered_takes_a_new_card(place: Place) -> None:
    await place.outbox.put(ONE, "progress", card("step 1"))
    assert await drained(place) == ["step 1"]
    await place.outbox.put(ONE, "progress", card("step 2"))
    assert await drained(place) == ["step 2"]


async def test_cards_shown_long_ago_are_forgotten_and_their_messages_known_still(place: Place) -> None:
    await place.outbox.put(ONE, "progress", card("step 1"))
    await place.outbox.put(ONE, "gone", card("never shown"))
    await place.outbox.delivered(await claimed(place), "m1")
    await place.outbox.abandoned(await claimed(place), "the channel is gone")
    place.clock.move(29 * DAY)
    await place.outbox.put(ONE, "answer", card("answer"))
    await place.outbox.delivered(await claimed(place), "m2")
    await place.outbox.put(TWO, "waits", card("waits"))
    assert await place.outbox.forget(30) == 0
    place.clock.move(2 * DAY)
    assert await place.outbox.forget(30) == (0 if isinstance(place.outbox, MemoryOutbox) else 1)
    assert await place.outbox.forget(30) == 0
    assert await place.outbox.message_id(ONE, "progress") == "m1"
    assert await drained(place) == ["waits"]
