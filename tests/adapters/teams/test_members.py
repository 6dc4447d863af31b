"""Who is in a channel or chat of Teams and in a group of Entra: all of them, or nobody for sure."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from pydantic import SecretStr
from starlette.responses import HTMLResponse, JSONResponse, Response

from adapters.everybody import MOST_PAGES
from adapters.sections import TeamsSettings
from adapters.teams import members
from adapters.teams.members import TeamsMembers
from adapters.teams.places import Places, Reference, alone
from bot.values import ThreadRef
from tests.adapters.teams.far_end import APP_ID, SECRET, TENANT, FarEnd
from tests.support.memory import MemoryConversations, MemoryOutbox
from tests.support.memory.ledger import MemoryLedger

GROUP = "11111111-2222-3333-4444-555555555555"
CHANNEL = ThreadRef("teams", "19:abc@thread.tacv2", "7")


@pytest_asyncio.fixture
async def asked(end: FarEnd, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[TeamsMembers]:
    monkeypatch.setattr(members, "PATIENCE_S", 30.0)
    conversations = MemoryConversations(MemoryLedger(), MemoryOutbox())
    places = Places(conversations)
    await places.keep(CHANNEL, Reference(end.url, "28:bot", "19:team"))
    await places.keep(ThreadRef("teams", "19:shared", "7"), Reference(end.url, "28:bot"))
    end.rosters, end.groups = {"19:team": ["ada", "bea", "cem"]}, {GROUP: ["ada", "bea", "cem"]}
    settings = TeamsSettings(
        app_id=APP_ID, password=SecretStr(SECRET), tenant=TENANT, login_url=end.url, graph_url=end.url
    )
    yield TeamsMembers(settings, conversations)


async def test_everybody_of_the_channels_team_is_named_page_by_page(asked: TeamsMembers, end: FarEnd) -> None:
    end.page = 2
    assert await asked.members(CHANNEL.channel) == {"ada", "bea", "cem"}
    assert len(end.tokens) == 2
    assert all(one.startswith("Bearer bot-") for one in end.tokens)
    assert await asked.members(alone("ada").channel) == {"ada"}


async def test_a_shared_channel_and_one_that_never_spoke_are_not_told_for_sure(asked: TeamsMembers) -> None:
    assert await asked.members("19:shared") is None
    assert await asked.members("19:never") is None


async def test_everybody_of_a_group_is_named_and_no_device(asked: TeamsMembers, end: FarEnd) -> None:
    end.page = 2
    assert await asked.group(GROUP) == {"ada", "bea", "cem"}


async def test_what_would_be_told_in_part_is_not_told(asked: TeamsMembers, end: FarEnd) -> None:
    end.page, people = 1, [f"u{n}" for n in range(MOST_PAGES + 1)]
    end.rosters["19:team"] = end.groups[GROUP] = people
    assert await asked.members(CHANNEL.channel) is None
    assert await asked.group(GROUP) is None
    people.pop()
    assert await asked.members(CHANNEL.channel) == await asked.group(GROUP) == {*people}


STRANGE = [
    JSONResponse({"error": {"code": "BotNotInConversationRoster", "message": "no"}}, 403),
    JSONResponse({"error": {"code": "Authorization_RequestDenied"}}, 403),
    JSONResponse({}, 429, {"retry-after": "30"}),
    JSONResponse({"members": None, "value": None}),
    JSONResponse({"members": "ada", "value": "ada"}),
    JSONResponse([]),
    HTMLResponse("<h1>Bad gateway</h1>", 502),
    Response("", 200),
]


@pytest.mark.parametrize("strange", STRANGE, ids=range(len(STRANGE)))
async def test_nobody_is_named_where_microsoft_says_something_else(
    strange: Response, asked: TeamsMembers, end: FarEnd
) -> None:
    for ask in (asked.members(CHANNEL.channel), asked.group(GROUP)):
        end.answers.append(strange)
        assert await ask is None
        end.answers.clear()


async def test_the_apps_token_follows_no_page_to_another_place(asked: TeamsMembers, end: FarEnd) -> None:
    end.answers = [JSONResponse({"value": [], "@odata.nextLink": "https://evil.example/v1.0/next"})]
    assert await asked.group(GROUP) is None
    assert len(end.tokens) == 1
