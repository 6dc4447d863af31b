"""Cards shown in Teams: in their thread, replaced in place, tried again as Teams wants it."""

import io
from dataclasses import replace

import pytest
from PIL import Image
from starlette.responses import HTMLResponse, JSONResponse, Response

from adapters.teams.pictures import LARGEST, small_enough
from bot.errors import DeliveryDelayed, DeliveryFailed, DeliveryHindered
from bot.values import Card, CardKind, OutgoingFile, Table, ThreadRef
from tests.adapters.slack.test_render import long_card
from tests.adapters.teams.conftest import Teams
from tests.adapters.teams.sender import MENTION, chat
from tests.adapters.teams.test_render import found

PLACE = "19:abc@thread.tacv2;messageid=100"
THREAD = ThreadRef("teams", "19:abc@thread.tacv2", "100")
SHORT = Card(CardKind.NOTICE, text="short")


@pytest.fixture
async def known(teams: Teams) -> Teams:
    """Somebody has spoken to the bot in the thread."""
    await teams.say(MENTION + " help")
    return teams


async def test_a_card_is_shown_in_its_thread_as_the_bot(known: Teams) -> None:
    message_id = await known.ear.platform.post(THREAD, SHORT)
    told = known.end.messages[PLACE, message_id]
    assert told["from"] == {"id": "28:bot"}
    assert known.end.tokens[-1].startswith("Bearer bot-")


async def test_a_question_is_told_to_be_worked_on(known: Teams) -> None:
    await known.say()
    await known.ear.platform.settle()
    assert known.end.typing == [PLACE]


async def test_the_bots_own_token_is_asked_for_once(known: Teams) -> None:
    for _ in range(3):
        await known.ear.platform.post(THREAD, SHORT)
    assert len(set(known.end.tokens)) == 1


async def test_what_the_thread_is_told_comes_in_order_and_replaces_what_stands_there(known: Teams) -> None:
    await known.say()
    await known.pump.drain()
    first = known.end.shown(PLACE)
    assert [one["summary"].split(":")[0] for one in first] == ["What I can do", "Waiting for a free worker"]
    (record,) = await known.world.ledger.runs()
    await known.press("status", record.run_id)
    await known.pump.drain()
    assert len(known.end.shown(PLACE)) == 3


async def test_a_card_that_becomes_shorter_or_longer_takes_fewer_or_more_messages(known: Teams) -> None:
    platform = known.ear.platform
    ids = await platform.post(THREAD, long_card())
    assert len(ids.split()) == len(known.end.messages) > 3
    first = await platform.update(THREAD, ids, SHORT)
    assert (first, len(known.end.messages)) == (ids.split()[0], 1)
    assert len((await platform.update(THREAD, first, long_card())).split()) > 3


async def test_a_message_that_somebody_deleted_is_posted_anew(known: Teams) -> None:
    ids = await known.ear.platform.post(THREAD, SHORT)
    known.end.messages.clear()
    assert await known.ear.platform.update(THREAD, ids, SHORT) != ids
    assert len(known.end.messages) == 1


async def test_where_nothing_can_be_deleted_a_message_says_that_it_is_empty(known: Teams) -> None:
    ids = await known.ear.platform.post(THREAD, long_card())
    many = len(ids.split())
    for _ in ids.split():
        known.end.answers.append(JSONResponse({"id": "x"}))
    known.end.answers[1:] = [Response(status_code=501)]
    await known.ear.platform.update(THREAD, " ".join(ids.split()[:2]), SHORT)
    assert len(known.end.messages) == many
    assert "Nothing more" in known.end.shown()[1]["text"]


@pytest.mark.parametrize("status", [412, 429, 502, 504])
async def test_teams_that_is_busy_is_asked_again_after_a_while(known: Teams, status: int) -> None:
    known.end.answers = [HTMLResponse("<h1>later</h1>", status, {"Retry-After": "7"})]
    with pytest.raises(DeliveryDelayed) as delayed:
        await known.ear.platform.post(THREAD, SHORT)
    assert 7 <= delayed.value.seconds <= 10.5
    assert known.end.messages == {}


async def test_delays_differ_so_that_not_all_come_again_at_once(known: Teams) -> None:
    seconds = set()
    for _ in range(5):
        known.end.answers = [Response(status_code=429)]
        with pytest.raises(DeliveryDelayed) as delayed:
            await known.ear.platform.post(THREAD, SHORT)
        seconds.add(delayed.value.seconds)
    assert len(seconds) > 1


@pytest.mark.parametrize("status", [400, 413])
async def test_a_card_that_teams_never_takes_is_given_up(known: Teams, status: int) -> None:
    known.end.answers = [HTMLResponse("<h1>too large</h1>", status)]
    with pytest.raises(DeliveryFailed) as failed:
        await known.ear.platform.post(THREAD, SHORT)
    assert type(failed.value) is DeliveryFailed


async def test_a_bot_that_was_taken_out_of_a_channel_is_told_in_the_outbox(known: Teams) -> None:
    await known.pump.drain()
    gone = {"error": {"code": "BotNotInConversationRoster", "message": "The bot is not part of this."}}
    known.end.answers = [JSONResponse(gone, 403)]
    await known.world.outbox.put(THREAD, "answer:r1", replace(SHORT, run_id="r1"))
    await known.pump.drain()
    (waits,) = await known.world.outbox.unposted([THREAD])
    assert "BotNotInConversationRoster" in waits.error
    assert not waits.given_up


async def test_a_picture_comes_in_a_card_that_teams_takes_with_what_it_shows(known: Teams) -> None:
    drawn = Image.radial_gradient("L").resize((1_600, 900)).convert("RGB")
    written = io.BytesIO()
    drawn.save(written, "PNG")
    assert len(written.getvalue()) > LARGEST
    file = OutgoingFile("f.png", "image/png", written.getvalue(), "Doses", "Two bars")
    message_id = await known.ear.platform.show_file(THREAD, SHORT, file)
    (image,) = found(known.end.messages[PLACE, message_id], "Image")
    assert image["altText"] == "Two bars"
    assert image["url"].startswith("data:image/png;base64,")


async def test_a_table_stands_in_its_card_already_and_comes_as_no_file(known: Teams) -> None:
    table = replace(SHORT, file=Table("t", ("a",), (("1",),)))
    csv = OutgoingFile("t.csv", "text/csv", b"a")
    assert await known.ear.platform.show_file(THREAD, table, csv) == "-"
    assert known.end.messages == {}


@pytest.mark.parametrize("content", [b"", b"no picture", b"\x89PNG\r\n\x1a\n" + b"x" * 20_000])
def test_what_is_no_small_picture_is_left_alone_or_given_up(content: bytes) -> None:
    assert small_enough(content) == (content if len(content) < 15_000 else b"")


async def test_a_place_where_nobody_spoke_to_the_bot_waits(known: Teams) -> None:
    with pytest.raises(DeliveryHindered):
        await known.ear.platform.post(ThreadRef("teams", "19:other@thread.tacv2", "1"), SHORT)


async def test_without_a_token_the_card_waits_and_the_reason_is_told(known: Teams) -> None:
    tokens = known.ear.platform._connector._tokens
    tokens._form["client_secret"] = "wrong"  # type: ignore[attr-defined]
    tokens._until = float("-inf")  # type: ignore[attr-defined]
    with pytest.raises(DeliveryHindered, match="AADSTS7000215"):
        await known.ear.platform.post(THREAD, SHORT)


async def test_a_chat_and_a_channel_as_a_whole_are_written_to_without_a_thread(known: Teams) -> None:
    await known.say("help", conversation=chat())
    await known.ear.platform.post(ThreadRef("teams", "a:1", "chat"), SHORT)
    await known.ear.platform.post(ThreadRef("teams", "19:abc@thread.tacv2", ""), SHORT)
    assert [place for place, _ in known.end.messages] == ["a:1", "19:abc@thread.tacv2"]
