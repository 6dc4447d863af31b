"""A private conversation beside a thread: seen by one person, shared on request, kept from others."""

from dataclasses import replace

import pytest

from agents.runs.records import RunState
from bot.commands import understand
from bot.delivery import Pump
from bot.errors import BadRequest, NotAllowed
from bot.values import Incoming, ThreadRef
from tests.bot.test_intake import ANSWER
from tests.bot.world import World
from tests.support.memory import MemoryPlatform

OPEN = ThreadRef("memory", "general", "1")
MINE = OPEN.seen_only_by("ada")


class Place(World):
    def __post_init__(self) -> None:
        super().__post_init__()
        self.platform = MemoryPlatform()
        self.pump = Pump(self.outbox, self.ledger, [self.platform], owner="p")

    async def answered(self, thread: ThreadRef = MINE) -> str:
        """A question of ada's in a private conversation, with its answer."""
        run_id = (await self.say("What was the NOAEL?", thread=thread)).run_id
        await self.pump.drain()
        await self.finish(run_id, ANSWER)
        record = await self.ledger.run(run_id)
        assert record is not None
        card = (await self.views.of(record)).report
        assert card is not None
        return run_id

    async def share(self, run_id: str, user: str = "ada", channel: str = "general") -> None:
        press = Incoming("s1", ThreadRef("memory", channel, "1"), user, "", "share", run_id)
        await self.sharing().share(press, run_id, self.opened)
        await self.pump.drain()

    def sharing(self):  # type: ignore[no-untyped-def]
        return self.intake.sharing

    async def opened(self, text: str) -> ThreadRef:
        return ThreadRef("memory", "general", f"root of {text}")


def test_a_private_thread_keeps_its_place() -> None:
    assert (MINE.only, MINE.everybody) == ("ada", OPEN)
    assert ThreadRef.parse(MINE.thread_id) == MINE
    assert MINE.seen_only_by("bob").only == "bob"
    assert OPEN.only == ""


async def test_what_is_asked_privately_is_seen_by_one_person() -> None:
    world = Place()
    await world.say("What was the NOAEL?", thread=MINE)
    await world.pump.drain()
    (posted,) = world.platform.messages
    assert (posted.user, posted.thread) == ("ada", OPEN)


async def test_progress_is_shown_once_as_it_cannot_be_changed() -> None:
    world = Place()
    run_id = (await world.say("What was the NOAEL?", thread=MINE)).run_id
    await world.pump.drain()
    item = world.platform.messages[0].card
    await world.outbox.put(MINE, f"progress:{run_id}", replace(item, title="Done"))
    await world.pump.drain()
    assert len(world.platform.messages) == 1


async def test_a_platform_that_shows_nothing_privately_shows_nothing() -> None:
    world = World()
    place = ThreadRef("wall", "general", "1").seen_only_by("ada")
    await world.say("What was the NOAEL?", thread=place)
    assert await world.shown() == []
    (told,) = await world.outbox.unposted([place])
    assert "one person alone" in told.error


async def test_an_answer_is_shared_by_who_asked_and_belongs_to_the_thread_then() -> None:
    world = Place()
    run_id = await world.answered()
    await world.share(run_id)
    record = await world.ledger.run(run_id)
    assert record is not None
    assert record.thread_id == OPEN.thread_id
    shown = [posted for posted in world.platform.messages if not posted.user]
    assert [posted.thread for posted in shown] == [OPEN]
    assert await world.intake.takes_part(OPEN)
    with pytest.raises(BadRequest, match="shared already"):
        await world.share(run_id)


async def test_a_private_answer_beside_no_thread_opens_one() -> None:
    world = Place()
    run_id = await world.answered(ThreadRef("memory", "general", "").seen_only_by("ada"))
    await world.share(run_id)
    record = await world.ledger.run(run_id)
    assert record is not None
    assert ThreadRef.parse(record.thread_id).thread == "root of What was the NOAEL?"


@pytest.mark.parametrize(("user", "channel"), [("bob", "general"), ("ada", "other")])
async def test_nobody_else_shares_it_and_it_goes_nowhere_else(user: str, channel: str) -> None:
    world = Place()
    run_id = await world.answered()
    with pytest.raises(NotAllowed):
        await world.share(run_id, user, channel)
    assert all(posted.user == "ada" for posted in world.platform.messages)


async def test_a_run_that_goes_on_is_not_shared() -> None:
    world = Place()
    run_id = (await world.say("What was the NOAEL?", thread=MINE)).run_id
    with pytest.raises(BadRequest, match="no answer"):
        await world.share(run_id)


async def test_nobody_sees_anothers_private_run_by_its_id() -> None:
    world = Place()
    run_id = await world.answered()
    for thread in (OPEN, OPEN.seen_only_by("bob")):
        press = Incoming("x", thread, "bob", "", "sources", run_id)
        assert understand(press)[1] == run_id
        with pytest.raises(NotAllowed):
            await world.intake.look(press)


async def test_sources_can_be_looked_at_without_a_trace() -> None:
    world = Place()
    run_id = await world.answered(OPEN)
    shown = len(world.platform.messages)
    card = await world.intake.look(Incoming("x", OPEN, "bob", "", "sources", f"{run_id} 1"))
    assert card is not None
    assert [source.quote for source in card.sources] == ["NOAEL 5 mg/kg"]
    await world.pump.drain()
    assert len(world.platform.messages) == shown
    with pytest.raises(BadRequest):
        await world.intake.look(Incoming("x", OPEN, "bob", "", "stop", run_id))
    record = await world.ledger.run(run_id)
    assert record is not None
    assert record.state is RunState.DONE


async def test_a_private_command_about_the_channel_finds_its_last_public_run_and_changes_none() -> None:
    world = Place()
    run_id = (await world.say("What was the NOAEL?", thread=OPEN)).run_id
    here = ThreadRef("memory", "general", "").seen_only_by("bob")
    await world.say("status", thread=here, user="bob")
    await world.pump.drain()
    told = [posted for posted in world.platform.messages if posted.user == "bob"]
    assert [posted.card.run_id for posted in told] == [run_id]
    await world.say("stop", thread=here, user="bob")
    await world.pump.drain()
    assert "No question was asked" in world.platform.messages[-1].card.text
    assert await world.ledger.stop_requested(run_id) == ""
