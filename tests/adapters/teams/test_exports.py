"""Exports as files: a card links to a download, which is good for a day."""

from typing import Any

import pytest

from adapters.teams.exports import GOOD_S, Exports, Permits
from adapters.teams.platform import TeamsPlatform
from bot.values import Export
from tests.adapters.teams.conftest import Teams
from tests.adapters.teams.sender import QUESTION, chat, place
from tests.adapters.teams.test_render import found, words
from tests.bot.test_intake import ANSWER

ALONE = chat()


async def exported(teams: Teams, conversation: dict[str, Any], form: str = "md") -> str:
    """A question that was answered, and its export asked for; returns the run."""
    await teams.say(QUESTION, conversation=conversation)
    (record,) = await teams.world.ledger.runs()
    await teams.world.finish(record.run_id, ANSWER)
    await teams.say(f"<at>Pestle</at> export {form}", conversation=conversation)
    await teams.pump.drain()
    return record.run_id


@pytest.mark.parametrize("conversation", [ALONE, place(), chat("19:g@thread.v2", "groupChat")])
async def test_a_card_links_to_a_download(teams: Teams, conversation: dict[str, Any]) -> None:
    await exported(teams, conversation, "docx")
    (opened,) = [
        one
        for one in found(teams.end.shown(conversation["id"]), "Action.OpenUrl")
        if "/exports/" in one["url"]
    ]
    assert opened["url"].startswith("https://pestle.lab/exports/")
    answer = await teams.client.get(opened["url"].removeprefix("https://pestle.lab"))
    assert answer.status_code == 200
    assert answer.content.startswith(b"PK")
    assert answer.headers["content-disposition"].startswith("attachment; filename*=UTF-8''")
    assert answer.headers["cache-control"] == "private, no-store"


async def test_a_link_is_good_for_a_day_for_one_report_and_cannot_be_made_up(teams: Teams) -> None:
    run_id = await exported(teams, place())
    permits, export = teams.ear.platform._exports.permits, Export(run_id, "md")
    good = permits.given(export)
    foreign = Permits("another secret").given(export)
    old = Permits(permits.secret, lambda: 1_000.0).given(export)
    asked = [await teams.client.get(f"/exports/{one}") for one in (good, foreign, old, good[:-3], "x")]
    assert [one.status_code for one in asked] == [200, 403, 403, 403, 403]
    assert "Ask for the file once more" in asked[1].text
    unknown = permits.given(Export("r-none", "md"))
    assert (await teams.client.get(f"/exports/{unknown}")).status_code == 404


def test_a_permission_ends_when_its_day_is_over() -> None:
    now = [0.0]
    permits = Permits("s", lambda: now[0])
    permit = permits.given(Export("r1", "pdf"))
    now[0] = GOOD_S - 1.0
    assert permits.read(permit) == Export("r1", "pdf")
    now[0] = GOOD_S + 1.0
    assert permits.read(permit) is None


async def test_without_an_address_of_the_bot_the_card_says_how_to_take_the_file(teams: Teams) -> None:
    platform = TeamsPlatform(teams.ear.platform._connector, teams.ear.places, Exports(Permits("s")))
    teams.pump._platforms["teams"] = platform
    await exported(teams, place())
    assert "pestle run export" in words(teams.end.shown())
