"""Exports as files: put into a person's OneDrive once they agree, linked to where others read along."""

from typing import Any

import httpx
import pytest

from adapters.teams.consent import Consents
from adapters.teams.exports import DOWNLOAD, GOOD_S, UPLOAD, Exports, Permits
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


def offer(teams: Teams) -> dict[str, Any]:
    """The card by which Teams asks."""
    (card,) = [
        one
        for told in teams.end.shown("a:1")
        for one in told.get("attachments", ())
        if one["contentType"].endswith("file.consent")
    ]
    return dict(card)


async def decide(teams: Teams, action: str = "accept", **told: Any) -> httpx.Response:
    card = offer(teams)
    address = f"{teams.end.url}/upload"
    place = {"uploadUrl": address, "contentUrl": address, "name": card["name"], "uniqueId": "7"}
    value = {
        "type": "fileUpload",
        "action": action,
        "context": card["content"][f"{action}Context"],
        "uploadInfo": place | {"fileType": "md"} if action == "accept" else None,
    }
    ids = [name for (_, name), one in teams.end.messages.items() if card in one.get("attachments", ())]
    about = {"conversation": ALONE, "replyToId": ids[0], "name": "fileConsent/invoke"}
    answer = await teams.send(teams.activity("invoke", value=value, **about) | told)
    await teams.ear.consents.settle()
    await teams.pump.drain()
    return answer


async def test_who_agrees_has_the_file_in_their_onedrive_and_a_card_that_opens_it(teams: Teams) -> None:
    await exported(teams, ALONE)
    card = offer(teams)
    assert card["name"].endswith(".md")
    assert (await decide(teams)).status_code == 200
    (content,) = teams.end.uploads
    assert b"NOAEL" in content
    shown = [one for told in teams.end.shown("a:1") for one in told.get("attachments", ())]
    assert card not in shown
    (info,) = [one for one in shown if one["contentType"].endswith("file.info")]
    assert info["content"] == {"uniqueId": "7", "fileType": "md"}


async def test_the_same_answer_again_uploads_nothing(teams: Teams) -> None:
    await exported(teams, ALONE)
    card = offer(teams)
    await decide(teams, id="d1")
    value = {"action": "accept", "context": card["content"]["acceptContext"]}
    again = teams.activity("invoke", name="fileConsent/invoke", value=value, conversation=ALONE, id="d1")
    assert (await teams.send(again)).status_code == 200
    await teams.ear.consents.settle()
    assert len(teams.end.uploads) == 1


async def test_who_declines_is_told_and_nothing_leaves(teams: Teams) -> None:
    await exported(teams, ALONE)
    await decide(teams, "decline")
    assert teams.end.uploads == []
    assert "was not put into your OneDrive" in words(teams.end.shown("a:1"))


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/upload",
        "http://contoso.sharepoint.com/x",
        "https://sharepoint.com.evil.example/",
        "http://169.254.169.254/latest",
    ],
)
async def test_an_address_that_is_none_of_microsofts_gets_nothing_and_that_is_told(
    teams: Teams, address: str
) -> None:
    def asked(request: httpx.Request) -> httpx.Response:
        raise AssertionError(request.url)

    async with httpx.AsyncClient(transport=httpx.MockTransport(asked)) as client:
        teams.ear.consents._client = client
        await exported(teams, ALONE)
        place = {"uploadUrl": address, "contentUrl": address, "name": "a.md", "uniqueId": "7"}
        context = offer(teams)["content"]["acceptContext"]
        value = {"action": "accept", "context": context, "uploadInfo": place}
        await decide(teams, value=value)
    assert "none of Microsoft" in words(teams.end.shown("a:1"))


async def test_a_file_that_onedrive_does_not_take_is_told_of(teams: Teams) -> None:
    await exported(teams, ALONE)
    teams.end.refuses_uploads = 507
    await decide(teams)
    assert "did not get into your OneDrive (OneDrive refused it, 507)" in words(teams.end.shown("a:1"))


async def test_an_offer_of_another_chat_or_of_a_link_is_none(teams: Teams) -> None:
    run_id = await exported(teams, ALONE)
    permits = teams.ear.consents.permits
    for permit in (
        permits.given(Export(run_id, "md"), UPLOAD, "a:2"),
        permits.given(Export(run_id, "md"), DOWNLOAD),
        "made.up.by-somebody",
    ):
        place = {
            "uploadUrl": f"{teams.end.url}/upload",
            "contentUrl": "https://x",
            "name": "a",
            "uniqueId": "7",
        }
        value = {"action": "accept", "context": {"permit": permit}, "uploadInfo": place}
        told = teams.activity("invoke", name="fileConsent/invoke", value=value, conversation=ALONE)
        assert (await teams.send(told)).status_code == 200
    await teams.ear.consents.settle()
    await teams.pump.drain()
    assert teams.end.uploads == []
    assert words(teams.end.shown("a:1")).count("This offer of a file is over") == 3


@pytest.mark.parametrize("conversation", [place(), chat("19:g@thread.v2", "groupChat")])
async def test_where_others_read_along_a_card_links_to_a_download(
    teams: Teams, conversation: dict[str, Any]
) -> None:
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
    permits = teams.ear.consents.permits
    good = permits.given(Export(run_id, "md"), DOWNLOAD)
    foreign = Permits("another secret").given(Export(run_id, "md"), DOWNLOAD)
    old = Permits(permits.secret, lambda: 1_000.0).given(Export(run_id, "md"), DOWNLOAD)
    upload = permits.given(Export(run_id, "md"), UPLOAD, "a:1")
    asked = [
        await teams.client.get(f"/exports/{one}") for one in (good, foreign, old, upload, good[:-3], "x")
    ]
    assert [one.status_code for one in asked] == [200, 403, 403, 403, 403, 403]
    assert "Ask for the file once more" in asked[1].text
    unknown = permits.given(Export("r-none", "md"), DOWNLOAD)
    assert (await teams.client.get(f"/exports/{unknown}")).status_code == 404


def test_a_permission_ends_when_its_day_is_over() -> None:
    now = [0.0]
    permits = Permits("s", lambda: now[0])
    permit = permits.given(Export("r1", "pdf"), DOWNLOAD)
    now[0] = GOOD_S - 1.0
    assert permits.read(permit, DOWNLOAD) == Export("r1", "pdf")
    now[0] = GOOD_S + 1.0
    assert permits.read(permit, DOWNLOAD) is None


async def test_without_an_address_of_the_bot_the_card_says_how_to_take_the_file(teams: Teams) -> None:
    platform = TeamsPlatform(teams.ear.platform._connector, teams.ear.places, Exports(Permits("s")))
    teams.pump._platforms["teams"] = platform
    await exported(teams, place())
    assert "pestle run export" in words(teams.end.shown())


async def test_what_is_no_answer_to_an_offer_is_refused(teams: Teams) -> None:
    told = teams.activity("invoke", name="fileConsent/invoke", value={"action": "maybe"}, conversation=ALONE)
    assert (await teams.send(told)).status_code == 501
    assert isinstance(teams.ear.consents, Consents)
