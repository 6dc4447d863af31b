"""A report as a canvas where the workspace has them, as a file where it has not."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio
from markdown_it import MarkdownIt
from starlette.responses import JSONResponse

from adapters.export import typeset
from adapters.slack.calls import slack_client
from adapters.slack.canvas import CELLS, LONGEST, canvas_markdown
from adapters.slack.platform import SlackPlatform
from agents.reports.values import Cell, Heading, Paragraph, Table
from bot.cards import notice_card
from bot.errors import DeliveryDelayed, DeliveryFailed
from bot.values import Export, OutgoingFile, ThreadRef
from tests.adapters.slack.far_end import TOKEN, FarEnd, far_end
from tests.bot.test_intake import ANSWER
from tests.bot.world import World
from tests.support.archive import view_of

THREAD = ThreadRef("slack", "C1", "9.9")
REPORT = OutgoingFile("report.md", "text/markdown", b"# Safety of ZORB1\n\nText", "Safety of ZORB1 <!here>")
CARD = replace(notice_card("Take it elsewhere."), file=Export("r1", "md", as_document=True), mark="reply:e1")


@pytest_asyncio.fixture
async def slack() -> AsyncIterator[FarEnd]:
    async with far_end() as end:
        yield end


@pytest.fixture
def platform(slack: FarEnd) -> SlackPlatform:
    return SlackPlatform(slack_client(TOKEN, slack.url))


async def test_a_message_leads_to_a_canvas_that_the_channel_may_read(
    slack: FarEnd, platform: SlackPlatform
) -> None:
    message_id = await platform.show_file(THREAD, CARD, REPORT)
    ((canvas, text),) = slack.canvases.items()
    assert text == "# Safety of ZORB1\n\nText"
    assert slack.readers[canvas] == {"canvas_id": canvas, "access_level": "read", "channel_ids": ["C1"]}
    (message,) = slack.messages.values()
    assert message["thread_ts"] == "9.9"
    assert f"<https://lab.slack.com/docs/T1/{canvas}|Safety of ZORB1 &lt;!here&gt;>" in message["text"]
    assert await platform.find(THREAD, CARD) == message_id
    assert slack.uploads == {}


@pytest.mark.parametrize(
    ("method", "error"),
    [
        ("canvases.create", "missing_scope"),
        ("canvases.create", "canvas_disabled_user_team"),
        ("canvases.create", "free_teams_cannot_create_non_tabbed_canvases"),
        ("canvases.create", "unknown_method"),
        ("canvases.access.set", "restricted_action"),
        ("files.info", "file_not_found"),
    ],
)
async def test_where_there_is_none_it_is_a_file_and_nothing_is_left_behind(
    slack: FarEnd, platform: SlackPlatform, method: str, error: str
) -> None:
    slack.refused[method] = error
    file_id = await platform.show_file(THREAD, CARD, REPORT)
    assert slack.uploads[file_id] == REPORT.content
    assert slack.canvases == {}


async def test_one_that_slack_asks_to_wait_with_is_tried_again(
    slack: FarEnd, platform: SlackPlatform
) -> None:
    slack.answers = [JSONResponse({"ok": False, "error": "ratelimited"}, 429, {"Retry-After": "7"})]
    with pytest.raises(DeliveryDelayed):
        await platform.show_file(THREAD, CARD, REPORT)
    assert slack.uploads == {}


@pytest.mark.parametrize(("error", "raised"), [("ratelimited", DeliveryDelayed), ("no_text", DeliveryFailed)])
async def test_one_whose_link_slack_refuses_is_not_left_behind(
    slack: FarEnd, platform: SlackPlatform, error: str, raised: type[Exception]
) -> None:
    slack.refused["chat.postMessage"] = error
    with pytest.raises(raised):
        await platform.show_file(THREAD, CARD, REPORT)
    assert slack.canvases == {}


async def test_one_that_is_too_long_and_one_of_a_named_format_are_files(
    slack: FarEnd, platform: SlackPlatform
) -> None:
    await platform.show_file(THREAD, CARD, replace(REPORT, content=b"x" * (LONGEST + 1)))
    await platform.show_file(THREAD, replace(CARD, file=Export("r1", "md")), REPORT)
    assert slack.canvases == {}
    assert len(slack.uploads) == 2


async def test_a_report_with_deep_headings_and_long_tables_is_what_a_canvas_takes(
    slack: FarEnd, platform: SlackPlatform
) -> None:
    rows = tuple((Cell(f"a{number}"), Cell("x | y")) for number in range(400))
    blocks = (Heading("Deep", 4), Paragraph("See."), Table("Doses", ("Study", "Dose"), rows))
    view = view_of(replace(ANSWER, blocks=blocks))
    content = typeset("md", view)
    text = canvas_markdown(content.decode())
    whole = MarkdownIt("commonmark").enable("table")
    cells = [one.content for one in whole.parse(text) if one.type == "inline"]
    assert all(cells.count(f"a{number}") == content.decode().count(f"| a{number} ") for number in range(400))
    assert text.count("| --- | --- |") == -(-400 // (CELLS // 2 - 1))
    await platform.show_file(THREAD, CARD, replace(REPORT, content=content))  # the far end checks its form
    assert len(slack.canvases) == 1


def test_code_is_left_as_it_is() -> None:
    code = "```\n##### not a heading\n| a |\n```"
    assert canvas_markdown(f"{code}\n\n##### Deep") == f"{code}\n\n### Deep"


async def test_only_an_export_without_a_format_may_be_a_document() -> None:
    world = World()
    run_id = (await world.say("What was the NOAEL?")).run_id
    await world.finish(run_id, ANSWER)
    for words in ("export", "export canvas", "export md", "export pdf"):
        await world.say(words)
    handed = [card.file for card in await world.shown() if isinstance(card.file, Export)]
    assert [(one.format, one.as_document) for one in handed] == [
        ("md", True),
        ("md", True),
        ("md", False),
        ("pdf", False),
    ]
