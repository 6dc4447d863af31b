"""A run that listens, its cards and its poll, from the message to the card; and two people who vote."""

import asyncio
from datetime import timedelta
from typing import cast

import pytest

from agents.house import House
from agents.kinds import Kinds
from agents.runs.records import RunState
from bot.values import Attachment, Card, CardKind, Incoming, progress_slot
from tests.bot.world import THREAD, World
from tests.kinds import panel, toy
from workers.executor import Executor


class Thinking(panel.Mind):
    """Thinks until it is told to stop."""

    def __init__(self) -> None:
        self.begun, self.enough = asyncio.Event(), asyncio.Event()

    async def think(self, words: tuple[str, ...]) -> tuple[str, ...]:
        self.begun.set()
        await self.enough.wait()
        return words


class Room:
    """A world with a panel that is at work."""

    def __init__(self) -> None:
        self.thinking = Thinking()
        kinds = Kinds([panel.opened(self.thinking), toy.KIND])
        self.world = World(kinds=kinds)
        rooms, pipelines = self.world.rooms, kinds.pipelines(cast(House, None))
        self.worker = Executor(
            rooms.ledger,
            rooms.conversations,
            rooms.outbox,
            pipelines,
            rooms.views,
            owner="w1",
            progress_every_s=0.01,
        )

    async def begin(self, text: str = "panel 2: fish dog") -> None:
        self.run_id = (await self.world.say(text)).run_id
        self.working = asyncio.create_task(self.worker.execute(self.run_id))
        await self.thinking.begun.wait()
        await asyncio.sleep(0.1)
        await self.world.pump.drain()

    async def until_it_asks(self) -> Card:
        self.thinking.enough.set()
        await self.working
        return await self.asking()

    async def asking(self) -> Card:
        self.world.now += timedelta(seconds=1)
        return [card for card in await self.world.shown() if card.kind is CardKind.REQUEST][-1]

    async def state(self) -> RunState:
        record = await self.world.ledger.run(self.run_id)
        assert record is not None
        return record.state


@pytest.fixture
async def room() -> Room:
    return Room()


def rows(card: Card) -> list[tuple[str, ...]]:
    return [row[1:] for row in card.tables[0].rows]


async def shown(room: Room, title: str) -> list[Card]:
    return [card for card in await room.world.shown() if card.title == title]


async def test_words_and_emoji_reach_the_run_and_its_section_is_edited_in_place(room: Room) -> None:
    await room.begin()
    (before,) = await shown(room, "Candidates")
    assert before.text == "- fish\n- dog"
    receipt = await room.world.say("cat")
    assert (receipt.command, receipt.run_id) == ("talk", room.run_id)
    again = Incoming("e-twice", THREAD, "ben", "cow")
    for _ in range(2):
        await room.world.intake.receive(again)
    assert "Heard: 2 so far, the last from ben" in (await room.world.shown())[-1].text
    await room.world.react("white_check_mark", room.world.message_of(f"section:{room.run_id}:candidates"))
    asked = await room.until_it_asks()
    assert [row[0] for row in rows(asked)] == ["fish", "dog", "cat", "cow", "✅"]
    (after,) = await shown(room, "Candidates")
    assert after.text.endswith("cow\n- ✅")
    assert [run.run_id for run in await room.world.ledger.runs()] == [room.run_id], "no message began a run"


async def test_command_and_command_word_are_no_talk(room: Room) -> None:
    await room.begin()
    assert (await room.world.say("status")).command == "status"
    other = await room.world.say("count one two")
    assert other.run_id not in ("", room.run_id)
    await room.world.react("octagonal_sign", room.world.message_of(progress_slot(room.run_id)))
    await room.working
    assert await room.state() is RunState.STOPPED


async def test_what_comes_too_late_is_told(room: Room) -> None:
    await room.begin()
    await room.until_it_asks()
    await room.world.say("zebra")
    await room.world.say("stop")
    await room.worker.execute(room.run_id)
    last = (await room.world.shown())[-1].text
    assert "came too late" in last
    assert "- ada: zebra" in last


async def test_two_people_vote_change_and_take_back_until_the_quorum(room: Room) -> None:
    await room.begin()
    asked = await room.until_it_asks()
    assert asked.title == "Please vote"
    fish, dog, back = asked.buttons
    await room.world.press(fish.action, fish.value)
    assert rows(await room.asking()) == [("fish", "1", "ada"), ("dog", "0", "")]
    await room.world.press(dog.action, dog.value)
    assert rows(await room.asking()) == [("fish", "0", ""), ("dog", "1", "ada")]
    await room.world.press(back.action, back.value)
    assert rows(await room.asking()) == [("fish", "0", ""), ("dog", "0", "")]
    message = room.world.message_of(next(key for key in marks(room) if key.startswith("request:")))
    await room.world.react("two", message, user="ben")
    await room.world.react("two", message, user="ben", removed=True)
    await room.world.react("one", message, user="ben")
    await room.world.react("tada", message, user="ben")
    assert rows(await room.asking()) == [("fish", "1", "ben"), ("dog", "0", "")]
    assert await room.state() is RunState.WAITING
    await room.world.say("I vote for fish")
    assert await room.state() is RunState.QUEUED
    await room.worker.execute(room.run_id)
    room.world.now += timedelta(seconds=1)
    closed = await shown(room, "The poll is closed")
    assert "Most want **fish**" in closed[0].text
    await room.world.press(dog.action, dog.value)
    await room.world.react("two", message)
    late = [card.text for card in await room.world.shown() if card.kind is CardKind.ERROR]
    assert late == ["This poll is closed, and your vote came too late to count."] * 2


def marks(room: Room) -> list[str]:
    return [card.mark for card in room.world.wall.messages.values()]


async def test_votes_are_words_too_and_wrong_ones_are_answered(room: Room) -> None:
    await room.begin()
    await room.until_it_asks()
    for text, told in (
        ("vote 3", "from 1 to 2"),
        ("vote 1, 2", "One choice"),
        ("vote 2", "You vote for **dog**"),
        ("take back my vote", "Your vote is taken back"),
    ):
        await room.world.say(text)
        room.world.now += timedelta(seconds=1)
        assert told in (await room.world.shown())[-1].text
    assert rows(await room.asking())[1] == ("dog", "0", "")
    await room.world.say("answer: fish")
    assert "Nothing is asked here" in (await room.world.shown())[-1].text


async def test_card_of_a_poll_is_updated_at_most_once_a_second(room: Room) -> None:
    await room.begin("panel 9: fish dog")
    asked = await room.until_it_asks()
    for number in range(5):
        button = asked.buttons[number % 2]
        await room.world.press(button.action, button.value)
        await room.world.pump.drain()
    stale = [card for card in room.world.wall.messages.values() if card.kind is CardKind.REQUEST][-1]
    assert rows(stale) == [("fish", "0", ""), ("dog", "0", "")]
    assert rows(await room.asking())[0] == ("fish", "1", "ada")


async def test_approval_shows_the_whole_program_and_holds_for_that_one_alone(room: Room) -> None:
    await room.begin("panel 1: fish dog")
    asked = await room.until_it_asks()
    await room.world.press(asked.buttons[0].action, asked.buttons[0].value)
    await room.worker.execute(room.run_id)
    asked = await room.asking()
    (file,) = [part for part in asked.parts if isinstance(part, Attachment)]
    assert file.text == panel.PROGRAM
    assert asked.notes[0] == "It touches out.csv."
    await room.world.press(asked.buttons[0].action, asked.buttons[0].value)
    room.thinking.program = f"{panel.PROGRAM}unlink('/')\n"
    await room.worker.execute(room.run_id)
    assert await room.state() is RunState.WAITING, "another program is asked about again"
    (again,) = [part for part in (await room.asking()).parts if isinstance(part, Attachment)]
    assert again.text.endswith("unlink('/')\n")
