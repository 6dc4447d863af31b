"""A molecule is drawn in each skin and export, in light and dark; a SMILES that is none is told in a line."""

import io
from collections.abc import Sequence
from dataclasses import replace

import pytest
from bs4 import BeautifulSoup
from docx import Document
from PIL import Image
from rich.console import Console
from starlette.applications import Starlette
from starlette.testclient import TestClient

from adapters.cli import render as terminal
from adapters.export import bundle, pictures_of, typeset
from adapters.export.handed import HandedFiles
from adapters.slack.calls import slack_client
from adapters.slack.platform import SlackPlatform
from adapters.structures import drawn
from adapters.web.board import Post
from adapters.web.drawings import drawings_routes
from adapters.web.render import environment, post_html
from agents.chemistry.drawing import LONGEST
from agents.kinds import RunView
from agents.reports.values import Structure
from agents.runs.artefacts import MemoryArtefacts
from bot.delivery import Pump
from bot.ports import ChatPlatform
from bot.report_cards import report_card
from bot.values import Card, CardKind, ThreadRef
from bot.words import NOT_DRAWN
from tests.adapters.slack.far_end import far_end
from tests.adapters.teams.conftest import Teams, end, teams  # noqa: F401
from tests.adapters.teams.sender import MENTION
from tests.adapters.teams.test_render import found
from tests.bot.test_intake import ANSWER
from tests.bot.world import World
from tests.support.archive import view_of
from tests.support.memory import MemoryPlatform

ASPIRIN = Structure("CC(=O)Oc1ccccc1C(=O)O", "acetylsalicylic acid", ())
TORN = Structure("CC(=O)Oc1ccccc", "the compound")


def seen(*molecules: Structure) -> RunView:
    return view_of(replace(ANSWER, blocks=(*ANSWER.blocks, *molecules)))


def size_of(png: bytes) -> tuple[tuple[int, int], object]:
    """How large a picture is, and the colour of its ground."""
    with Image.open(io.BytesIO(png)) as image:
        return image.size, image.convert("RGB").getpixel((2, 2))


def test_light_and_dark_have_grounds_of_their_own_and_the_same_bytes_each_time() -> None:
    light, dark = drawn(ASPIRIN.smiles), drawn(ASPIRIN.smiles, dark=True)
    assert light is not None
    assert dark is not None
    assert size_of(light.png) == ((500, 340), (255, 255, 255))
    assert size_of(dark.png) == ((500, 340), (13, 17, 23))
    assert light.svg.startswith(b"<?xml")
    drawn.cache_clear()
    assert drawn(ASPIRIN.smiles) == light


@pytest.mark.parametrize(
    "smiles",
    ["", TORN.smiles, "CCO ethanol", "<script>", "C" * 300, "C" * (LONGEST + 1), "é", "[H]", "F(F)(F)F\n"],
)
def test_what_is_no_smiles_or_too_large_is_not_drawn(smiles: str) -> None:
    assert drawn(smiles) is None


async def shown_by(platform: ChatPlatform, thread: ThreadRef, molecules: Sequence[Structure]) -> None:
    """Show a card with molecules as the bot does, with what follows it."""
    world = World()
    files = HandedFiles(world.views, world.ledger, MemoryArtefacts())
    pump = Pump(world.outbox, world.ledger, [platform], owner="p", files=files)
    await world.outbox.put(thread, "answer:r1", Card(CardKind.ANSWER, text="See", parts=tuple(molecules)))
    await pump.drain()
    assert await world.outbox.unposted([thread]) == []


async def test_in_slack_it_comes_into_the_thread_as_a_picture() -> None:
    async with far_end() as slack:
        platform = SlackPlatform(slack_client("xoxb-test", slack.url))
        await shown_by(platform, ThreadRef("slack", "C1", "9.9"), [ASPIRIN, TORN])
        (picture,) = slack.uploads.values()
        assert size_of(picture)[0] == (500, 340)
        told = [message.get("text", "") for message in slack.messages.values()]
        assert f"the compound: {NOT_DRAWN}" in told


async def test_in_teams_it_is_a_picture_in_a_card(teams: Teams) -> None:  # noqa: F811
    await teams.say(MENTION + " help")
    thread = ThreadRef("teams", "19:abc@thread.tacv2", "100")
    await shown_by(teams.ear.platform, thread, [ASPIRIN])
    images = [image for made in teams.end.messages.values() for image in found(made, "Image")]
    assert [image["altText"] for image in images] == [
        f"The structure of acetylsalicylic acid: SMILES {ASPIRIN.smiles}"
    ]


async def test_where_it_cannot_be_drawn_a_line_says_so() -> None:
    platform = MemoryPlatform()
    await shown_by(platform, ThreadRef("memory", "general", "1"), [TORN])
    assert [posted.file for posted in platform.messages] == [None, None]
    assert platform.messages[1].card.text == f"the compound: {NOT_DRAWN}"


def test_on_the_page_it_is_drawn_for_either_ground() -> None:
    view = seen(ASPIRIN, TORN)
    assert view.report is not None
    html = post_html(environment(), Post("answer-r1", report_card(view, view.report)))
    page = BeautifulSoup(html, "lxml")
    addresses = [page.select_one("figure img")["src"], page.select_one("figure source")["srcset"]]  # type: ignore[index]
    assert len(page.select("figure")) == 1
    assert NOT_DRAWN in page.text
    client = TestClient(Starlette(routes=drawings_routes()))
    light, dark = (client.get(str(address)) for address in addresses)
    assert light.headers["content-type"] == dark.headers["content-type"] == "image/svg+xml"
    assert light.content != dark.content
    assert "default-src 'none'" in light.headers["content-security-policy"]
    assert client.get("/structures/light.svg?smiles=C1CC(").status_code == 404


async def test_every_export_shows_it_or_says_why_not() -> None:
    view = seen(ASPIRIN, TORN)
    pictures = await pictures_of(view, MemoryArtefacts())
    assert len(pictures) == 2
    made = {name: typeset(name, view, pictures) for name in ("md", "html", "docx", "pdf")}
    made["json"] = bundle(view, (), ())
    assert len(Document(io.BytesIO(made["docx"])).inline_shapes) == 1
    assert made["pdf"].count(b"/Subtype /Image") == 1
    assert made["html"].count(b"data:image/png;base64,") == 2
    assert NOT_DRAWN in made["html"].decode()
    assert NOT_DRAWN in made["md"].decode()
    assert ASPIRIN.smiles in made["json"].decode()


def test_in_the_terminal_it_is_told_in_words() -> None:
    console = Console(record=True, width=200)
    console.print(terminal.card(Card(CardKind.ANSWER, parts=(ASPIRIN, TORN))))
    text = console.export_text()
    assert ASPIRIN.smiles in text
    assert text.count(NOT_DRAWN) == 1
