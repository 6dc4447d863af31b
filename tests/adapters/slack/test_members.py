"""Who is in a channel, as Slack tells it: all of them, or nobody for sure."""

import pytest
from starlette.responses import HTMLResponse, JSONResponse, Response

from adapters.everybody import MOST_PAGES
from adapters.members import PageMembers
from adapters.sections import SlackSettings
from adapters.slack import members
from adapters.slack.members import SlackMembers
from adapters.storage import open_storage
from bot.accounts import Account
from tests.adapters.slack.far_end import BOT_USER, TOKEN, FarEnd, far_end


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is no slow Slack."""
    monkeypatch.setattr(members, "PATIENCE_S", 30.0)


def asking(end: FarEnd) -> SlackMembers:
    return SlackMembers(SlackSettings(bot_token=TOKEN, base_url=end.url))


async def test_everybody_in_a_channel_is_named_but_the_bot_itself() -> None:
    async with far_end() as end:
        end.page = 2
        end.channels = {"C1": ["U1", BOT_USER, "U2", "UPROGRAM", "U3"], "C2": [BOT_USER, "U4"]}
        asked = asking(end)
        assert await asked.members("C1") == {"U1", "U2", "UPROGRAM", "U3"}
        assert await asked.members("C2") == {"U4"}


async def test_a_channel_of_which_slack_would_tell_a_part_is_not_known() -> None:
    async with far_end() as end:
        end.page, end.channels = 1, {"C1": [f"U{n}" for n in range(MOST_PAGES + 1)]}
        asked = asking(end)
        assert await asked.members("C1") is None
        end.channels["C1"].pop()
        assert await asked.members("C1") == {f"U{n}" for n in range(MOST_PAGES)}


async def test_everybody_of_a_user_group_is_named_or_nobody() -> None:
    async with far_end() as end:
        end.groups = {"S0614TZR7": ["U1", "U2"]}
        asked = asking(end)
        assert await asked.group("S0614TZR7") == {"U1", "U2"}
        for strange in STRANGE:
            end.answers.append(strange)
            assert await asked.group("S0614TZR7") is None
        end.refused["usergroups.users.list"] = "no_such_subteam"
        assert await asked.group("S0614TZR7") is None


STRANGE = [
    JSONResponse({"ok": False, "error": "missing_scope"}),
    JSONResponse({"ok": True}),
    JSONResponse({"ok": True, "members": None}),
    JSONResponse({"ok": True, "members": "U1"}),
    JSONResponse({"ok": True, "members": ["U1"], "response_metadata": "x"}),
    JSONResponse(["U1"]),
    JSONResponse({"ok": False, "error": "ratelimited"}, 429, {"retry-after": "30"}),
    HTMLResponse("<h1>Bad gateway</h1>", 502),
    Response("", 200),
]


@pytest.mark.parametrize("first", [True, False], ids=["at once", "at the second page"])
@pytest.mark.parametrize("strange", STRANGE, ids=range(len(STRANGE)))
async def test_nobody_is_known_to_be_in_a_channel_where_slack_says_something_else(
    strange: Response, first: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with far_end() as end:
        end.page, end.channels = 1, {"C1": ["U1", "U2"]}
        asked = asking(end)
        assert await asked.members("C1") == {"U1", "U2"}
        carried_out = FarEnd.conversations_members

        def once(end: FarEnd, body: dict[str, str]) -> dict[str, object]:
            end.answers.append(strange)
            return carried_out(end, body)

        if first:
            end.answers.append(strange)
        else:
            monkeypatch.setattr(FarEnd, "conversations_members", once)
        assert await asked.members("C1") is None


async def test_nobody_is_known_to_be_in_a_channel_while_slack_is_slow_or_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with far_end() as end:
        end.channels = {"C1": ["U1"]}
        asked = asking(end)
        with monkeypatch.context() as slow:
            slow.setattr(members, "PATIENCE_S", 0.0)
            assert await asked.members("C1") is None
        assert await asked.members("C1") == {"U1"}
    assert await asked.members("C1") is None


async def test_the_page_is_open_to_all_accounts(tmp_path: object) -> None:
    storage = await open_storage(f"sqlite:///{tmp_path}/pestle.db")
    asked = PageMembers(storage.accounts)
    assert await asked.members("archive") is None
    for name in ("anna", "bea"):
        await storage.accounts.add(Account(name, "no password"))
    assert await asked.members("archive") == {"anna", "bea"}
    await storage.close()
