"""Who is responsible is told by a mention; nothing else that Pestle shows mentions anybody."""

from typing import Any

import pytest

from adapters.teams.mentions import may_be_called
from bot.values import Button, Card, CardKind, ThreadRef
from tests.adapters.teams.conftest import Teams
from tests.adapters.teams.sender import BOT, CHANNEL, MENTION, PERSON
from tests.adapters.teams.test_render import found, messages

THREAD = ThreadRef("teams", CHANNEL, "100")
ASKED = Card(
    CardKind.REQUEST, text="Which way?", buttons=(Button("Up", "answer", "r1 x up"),), who="@Grace Hopper"
)


def mention(name: str, member: str) -> dict[str, Any]:
    return {"type": "mention", "mentioned": {"id": member, "name": name}, "text": f"<at>{name}</at>"}


async def named(teams: Teams, text: str, name: str = "Grace Hopper", **told: Any) -> list[dict[str, Any]]:
    """What a request shows after somebody wrote this."""
    entities = [mention("Pestle", BOT), mention(name, "29:grace")]
    await teams.send(teams.activity(text=f"{MENTION} {text}", entities=entities) | told)
    await teams.ear.platform.settle()
    message_id = await teams.ear.platform.post(THREAD, ASKED)
    card = teams.end.messages[f"{CHANNEL};messageid=100", message_id]["attachments"][0]["content"]
    assert len(found(card, "TextBlock")) == len(card["msteams"].get("entities", ()))
    entities = card["msteams"].get("entities", [])
    return [dict(one["mentioned"]) for one in entities]


async def test_who_was_named_responsible_by_a_mention_is_told_what_is_asked(teams: Teams) -> None:
    told = await named(teams, "responsible for everything: <at>Grace Hopper</at> within 2 hours")
    assert told == [{"id": "29:grace", "name": "Grace Hopper"}]
    kept = type(teams.ear.places)(teams.world.conversations)
    assert (await kept.named(THREAD))["Grace Hopper"].member == "29:grace"
    assert await kept.named(ThreadRef("teams", "19:other", "1")) == {}


async def test_a_mention_in_any_other_message_names_nobody(teams: Teams) -> None:
    assert await named(teams, "what was the NOAEL, <at>Grace Hopper</at>?") == []


async def test_who_may_not_ask_names_nobody(teams: Teams) -> None:
    foreign = {"channelData": {"tenant": {"id": "t2"}}}
    assert await named(teams, "responsible for everything: <at>Grace Hopper</at>", **foreign) == []


async def test_a_name_that_was_only_written_mentions_nobody(teams: Teams) -> None:
    await teams.say(f"{MENTION} responsible for everything: @Grace Hopper")
    await teams.ear.platform.settle()
    await teams.ear.platform.post(THREAD, ASKED)
    assert found(teams.end.shown(), "TextBlock") == []


@pytest.mark.parametrize(
    ("name", "may"),
    [
        ("Grace Hopper", True),
        ("O’Neil, Ann (Tox)", True),
        ("[x](https://e.com)", False),
        ("<at>all", False),
        ("", False),
        ("a*b_c", False),
    ],
)
def test_a_name_with_markup_is_none(name: str, may: bool) -> None:
    assert may_be_called(name) is may


def test_what_a_document_says_mentions_nobody() -> None:
    card = Card(CardKind.REQUEST, text="<at>Grace Hopper</at> @Grace Hopper", who="@Grace Hopper")
    told = messages(card)
    assert found(told, "TextBlock") == []
    assert PERSON not in str(told)


def test_the_label_of_sensitivity_is_on_everything_and_that_of_machines_where_one_wrote() -> None:
    for kind in CardKind:
        for made in messages(Card(kind, title="t", text="x"), "Confidential: for the team"):
            (entity,) = made["entities"]
            assert entity["usageInfo"]["name"] == "Confidential"
            assert ("additionalType" in entity) is (kind in (CardKind.ANSWER, CardKind.SECTION))
