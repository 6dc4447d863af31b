"""Files of a conversation come into the archive when somebody says so: told, kept with who, taken back."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from bot import additions
from bot.additions import KEPT, TAKE_BACK, Additions
from bot.errors import BadRequest
from bot.intake import Intake
from bot.offers import ADD, LEAVE
from bot.values import Added, Attached, Card, InArchive, Incoming, ThreadRef
from tests.bot.world import THREAD, World

FILE = Attached("study 9 (final).pdf", "F1")


class Shelf:
    """An `ArchiveKeeper` in memory. `refuses` is told of every file; `open` lets a file come in."""

    def __init__(self) -> None:
        self.held: dict[str, Attached] = {}
        self.refuses = ""
        self.breaks = False
        self.open = asyncio.Event()
        self.open.set()
        self.begun = 0
        self.by: list[str] = []
        self.forgets = False
        """Whether the process ends after a file came in, before that is known."""
        self.stuck: Exception | None = None

    async def add(self, file: Attached, by: str, say: Callable[[str], None], *, again: bool = False) -> Added:
        self.by.append(by)
        self.begun += 1
        say("reading page 3")
        await self.open.wait()
        if self.breaks:
            raise OSError("no route")
        if self.refuses:
            raise BadRequest(self.refuses)
        known = next((name for name, held in self.held.items() if held == file), "")
        if known and not again:
            return Added(f"{file.name} is in the archive already.")
        doc_id = known or f"D{self.begun}"
        self.held[doc_id] = file
        if self.forgets:
            raise asyncio.CancelledError
        document = InArchive(doc_id, file.place, file.name)
        return Added(f"{file.name} is in the archive: 3 passages to search.", document)

    async def remove(self, document: InArchive, by: str) -> bool:
        self.by.append(by)
        await self.open.wait()
        if self.stuck:
            raise self.stuck
        held = self.held.get(document.doc_id)
        if held is None or (held.place, held.name) != (document.sha256, document.path):
            return False
        del self.held[document.doc_id]
        return True


class Room(World):
    """A world whose files can come into an archive."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.shelf = Shelf()
        self.begin()

    def begin(self) -> None:
        """A process of its own, over what is kept."""
        self.additions = Additions(self.conversations, self.outbox, self.shelf)
        self.intake = Intake(self.rooms, additions=self.additions)

    async def send(self, *files: Attached, text: str = "", event: str = "f1") -> None:
        await self.intake.receive(Incoming(event, THREAD, "ada", text, files=files))

    async def offered(self) -> Card:
        await self.send(FILE)
        (card,) = await self.shown()
        return card

    async def pressed(self, card: Card, action: str, *, event: str = "p1", user: str = "bob") -> None:
        button = next(one for one in card.buttons if one.action == action)
        await self.intake.receive(Incoming(event, THREAD, user, "", action, button.value))
        await self.additions.settle()


async def test_nothing_happens_before_somebody_says_so() -> None:
    room = Room()
    card = await room.offered()
    assert "Nothing was done with it yet" in card.text
    assert "everybody who may ask here" in card.text
    assert [button.label for button in card.buttons] == ["Add to the archive", "Leave it"]
    await room.pressed(card, LEAVE)
    (card,) = await room.shown()
    assert card.text == "study 9 (final).pdf was left out."
    assert room.shelf.begun == 0


async def test_a_file_is_added_in_its_card_and_taken_out_again() -> None:
    room = Room()
    await room.pressed(await room.offered(), ADD)
    (card,) = await room.shown()
    assert "3 passages to search" in card.text
    assert "Asked for by bob, 20" in card.text
    assert room.shelf.held == {"D1": FILE}
    await room.pressed(card, TAKE_BACK, event="p2", user="eve")
    (card,) = await room.shown()
    assert "taken out of the archive again by eve" in card.text
    assert card.buttons == ()
    assert room.shelf.held == {}
    assert room.shelf.by == [f"{THREAD.platform}:bob", f"{THREAD.platform}:eve"]
    kept = (await room.conversations.remembered(THREAD))[KEPT]
    assert all(told in kept for told in ('"by":"bob"', '"undone_by":"eve"', '"doc_id":"D1"', '"place":""'))


async def test_from_the_first_admin_on_only_admins_add_files_and_take_them_out() -> None:
    async def may(place: ThreadRef, user: str) -> bool:
        return user == "bea"

    room = Room()
    room.intake = Intake(replace(room.rooms, may_change=may), additions=room.additions)
    card = await room.offered()
    assert card.buttons == ()
    await room.send(FILE, text="add it to the archive", event="f2")
    assert room.shelf.begun == 0
    await room.intake.receive(Incoming("f3", THREAD, "bea", "", files=(FILE,)))
    card = next(one for one in await room.shown() if one.buttons)
    await room.pressed(card, ADD)
    assert room.shelf.begun == 0
    assert any("`pestle access grant admin wall:bob`" in one.text for one in await room.shown())
    await room.pressed(card, ADD, event="p2", user="bea")
    assert list(room.shelf.held.values()) == [FILE]


async def test_a_press_does_not_wait_for_a_file_to_be_taken_out() -> None:
    room = Room()
    await room.pressed(await room.offered(), ADD)
    (card,) = await room.shown()
    room.shelf.open.clear()
    async with room.additions.going("wall"):  # the process ends meanwhile
        await room.intake.receive(Incoming("p2", THREAD, "eve", "", TAKE_BACK, card.buttons[0].value))
        (card,) = await room.shown()
        assert "is being taken out of the archive again" in card.text
        assert card.buttons == ()
    room.shelf.open.set()
    room.begin()
    async with room.additions.going("wall"):
        await room.additions.settle()
    (card,) = await room.shown()
    assert "taken out of the archive again by eve" in card.text
    assert room.shelf.held == {}


@pytest.mark.parametrize(
    ("stuck", "said"),
    [(BadRequest("Another process writes."), "Another process writes."), (OSError("x"), "Try once more")],
)
async def test_what_cannot_be_taken_out_now_is_told_and_can_be_tried_again(
    stuck: Exception, said: str
) -> None:
    room = Room()
    await room.pressed(await room.offered(), ADD)
    (card,) = await room.shown()
    room.shelf.stuck = stuck
    await room.pressed(card, TAKE_BACK, event="p2")
    (card,) = await room.shown()
    assert "was not taken out of the archive" in card.text
    assert said in card.text
    room.shelf.stuck = None
    await room.pressed(card, TAKE_BACK, event="p3")
    assert room.shelf.held == {}


async def test_another_document_that_has_the_id_now_stays() -> None:
    room = Room()
    await room.pressed(await room.offered(), ADD)
    (card,) = await room.shown()
    room.shelf.held["D1"] = replace(FILE, place="F7")
    await room.pressed(card, TAKE_BACK, event="p2")
    (card,) = await room.shown()
    assert "not in the archive any more as it was added" in card.text
    assert card.buttons == ()
    assert list(room.shelf.held) == ["D1"]


async def test_an_old_card_cannot_leave_out_what_was_added_nor_change_another_card() -> None:
    room = Room()
    offer = await room.offered()
    await room.pressed(offer, ADD)
    await room.pressed(offer, LEAVE, event="p2")
    (card,) = await room.shown()
    assert [button.action for button in card.buttons] == [TAKE_BACK]
    await room.intake.receive(Incoming("p3", THREAD, "eve", "", LEAVE, "answer:run1 F1 x.pdf"))
    assert len(await room.shown()) == 1


async def test_the_same_press_or_another_while_it_is_added_adds_it_once() -> None:
    room = Room()
    card = await room.offered()
    for event in ("p1", "p1", "p2"):
        await room.pressed(card, ADD, event=event)
    assert room.shelf.begun == 1


async def test_words_with_a_file_add_each_without_asking_again() -> None:
    room = Room()
    other = replace(FILE, name="other.pdf", place="F2")
    for _ in range(2):
        await room.send(FILE, other, text="Please add these to the archive.")
        await room.additions.settle()
    assert sorted(one.name for one in room.shelf.held.values()) == ["other.pdf", FILE.name]
    assert room.shelf.begun == 2
    assert await room.ledger.runs() == []


@pytest.mark.parametrize(("breaks", "said"), [(False, "no known format"), (True, "Try once more")])
async def test_what_is_refused_or_fails_is_told_and_can_be_tried_again(breaks: bool, said: str) -> None:
    room = Room()
    offer = await room.offered()
    room.shelf.refuses, room.shelf.breaks = "study 9 is of no known format.", breaks
    await room.pressed(offer, ADD)
    (card,) = await room.shown()
    assert said in card.text
    assert card.buttons == ()
    room.shelf.refuses, room.shelf.breaks = "", False
    await room.pressed(offer, ADD, event="p2")
    assert len(room.shelf.held) == 1


async def test_what_was_there_before_is_not_taken_out() -> None:
    room = Room()
    room.shelf.held["old"] = FILE
    await room.pressed(await room.offered(), ADD)
    (card,) = await room.shown()
    assert card.text.startswith(f"{FILE.name} is in the archive already.")
    assert card.buttons == ()


async def test_progress_is_told_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(additions, "TOLD_S", 0.01)
    room = Room()
    card = await room.offered()
    room.shelf.open.clear()
    adding = asyncio.create_task(room.pressed(card, ADD))
    await asyncio.sleep(0.1)
    (card,) = await room.shown()
    assert "is being added to the archive: reading page 3" in card.text
    room.shelf.open.set()
    await adding


async def test_a_file_comes_in_though_its_progress_cannot_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(additions, "TOLD_S", 0.01)
    room = Room()
    card = await room.offered()
    room.shelf.open.clear()
    adding = asyncio.create_task(room.pressed(card, ADD))
    await asyncio.sleep(0)
    with monkeypatch.context() as bad:
        bad.setattr(room.outbox, "put", None)
        await asyncio.sleep(0.05)
    room.shelf.open.set()
    await adding
    (card,) = await room.shown()
    assert "3 passages to search" in card.text


async def test_a_file_that_came_in_before_the_process_ended_can_be_taken_out() -> None:
    room = Room()
    room.shelf.forgets = True
    await room.pressed(await room.offered(), ADD)
    room.shelf.forgets = False
    room.begin()
    async with room.additions.going("wall"):
        await room.additions.settle()
    (card,) = await room.shown()
    assert [button.action for button in card.buttons] == [TAKE_BACK]


async def test_what_a_process_died_over_is_gone_on_with() -> None:
    room = Room()
    card = await room.offered()
    room.shelf.open.clear()
    async with room.additions.going("wall"):
        await room.intake.receive(Incoming("p1", THREAD, "bob", "", ADD, card.buttons[0].value))
        await asyncio.sleep(0)
    assert room.shelf.held == {}
    room.shelf.open.set()
    room.begin()
    async with room.additions.going("elsewhere"):
        assert room.shelf.held == {}
    async with room.additions.going("wall"):
        await room.additions.settle()
    assert list(room.shelf.held.values()) == [FILE]


async def test_without_an_archive_it_says_how_files_come_there() -> None:
    world = World()
    await world.intake.receive(Incoming("f1", THREAD, "ada", "add to the archive", files=(FILE,)))
    (card,) = await world.shown()
    assert "`pestle ingest`" in card.text
    assert card.buttons == ()
