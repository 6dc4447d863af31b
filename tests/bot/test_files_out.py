"""Pictures follow the card that shows them, each once; files are handed out where a platform shows them."""

from datetime import timedelta

import pytest

from agents.reports.values import Figure
from bot.cards import notice_card
from bot.delivery import Pump
from bot.errors import DeliveryHindered
from bot.ports import ShowsFiles, ShowsPrivately
from bot.values import Card, CardKind, Export, Handed, OutgoingFile, ThreadRef
from tests.bot.world import Wall, World
from tests.support.memory import MemoryPlatform

THREAD = ThreadRef("memory", "general", "1")
CHART = Figure("Risks by system", "ab" * 32, "image/png", "Bars: liver 3, heart 1.")
OTHER = Figure("Risks by tissue", "cd" * 32, "image/png", "Bars: liver 2.")


class Drawing:
    """A `FileMaker` that knows all files but those whose title is in `gone`."""

    def __init__(self) -> None:
        self.gone: set[str] = set()

    async def made(self, handed: Handed) -> OutgoingFile | None:
        title = handed.title if isinstance(handed, Figure) else repr(handed)
        return None if title in self.gone else OutgoingFile("f.png", "image/png", b"png", title)


class Place(World):
    """A world whose platform shows files."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.platform, self.drawing = MemoryPlatform(), Drawing()
        self.pump = Pump(self.outbox, self.ledger, [self.platform], owner="p", files=self.drawing)

    def files(self) -> list[str]:
        return [posted.file.title for posted in self.platform.messages if posted.file]


def card(*figures: Figure, text: str = "see") -> Card:
    return Card(CardKind.SECTION, text=text, parts=figures)


def test_the_platform_in_memory_can_do_both() -> None:
    assert isinstance(MemoryPlatform(), ShowsFiles)
    assert isinstance(MemoryPlatform(), ShowsPrivately)
    assert not isinstance(Wall(), ShowsFiles)


async def test_a_picture_follows_its_card_once_whatever_is_updated() -> None:
    world = Place()
    for text in ("one", "two"):
        await world.outbox.put(THREAD, "section:r:a", card(CHART, text=text))
        await world.pump.drain()
    assert world.files() == ["Risks by system"]
    assert world.platform.messages[0].card.text == "two"


async def test_another_picture_in_the_same_slot_is_shown_too() -> None:
    world = Place()
    await world.outbox.put(THREAD, "section:r:a", card(CHART))
    await world.pump.drain()
    await world.outbox.put(THREAD, "section:r:a", card(CHART, OTHER))
    await world.pump.drain()
    assert world.files() == ["Risks by system", "Risks by tissue"]


async def test_a_picture_that_the_platform_refuses_is_tried_again_and_told() -> None:
    world = Place()
    await world.outbox.put(THREAD, "section:r:a", card(CHART))
    assert await world.pump.deliver_one()
    world.platform.failures.append(DeliveryHindered("no right to show files"))
    await world.pump.drain()
    assert [one.error for one in await world.outbox.unposted([THREAD])] == ["no right to show files"]
    world.now += timedelta(seconds=5)
    await world.pump.drain()
    assert world.files() == ["Risks by system"]


async def test_a_picture_that_is_gone_is_told_in_words() -> None:
    world = Place()
    world.drawing.gone.add(CHART.title)
    await world.outbox.put(THREAD, "section:r:a", card(CHART))
    await world.pump.drain()
    assert world.files() == []
    assert "Bars: liver 3, heart 1." in world.platform.messages[1].card.text


async def test_a_platform_without_files_shows_the_card_alone() -> None:
    world = World()
    world.pump = Pump(world.outbox, world.ledger, [world.wall], owner="p", files=Drawing())
    await world.outbox.put(ThreadRef("wall", "general", "1"), "section:r:a", card(CHART))
    assert len(await world.shown()) == 1


@pytest.mark.parametrize("handed", [Export("r1", "pdf")])
async def test_a_file_is_handed_out_in_place_of_the_words(handed: Handed) -> None:
    world = Place()
    told = notice_card("Take it elsewhere.")
    await world.outbox.put(THREAD, "reply:1", Card(told.kind, text=told.text, file=handed))
    await world.pump.drain()
    assert world.files() == [repr(handed)]


async def test_a_card_to_one_person_is_kept_with_their_name() -> None:
    platform = MemoryPlatform()
    await platform.show_privately(THREAD, "ada", notice_card("only you"))
    assert [(posted.user, posted.card.text) for posted in platform.messages] == [("ada", "only you")]
