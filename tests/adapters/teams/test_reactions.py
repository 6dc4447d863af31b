"""Emoji on messages of Pestle, as Teams tells of them: obeyed, answered once, undone when taken off."""

import pytest

from bot.cards import ending_cards
from bot.values import ThreadRef
from tests.adapters.teams.conftest import Teams
from tests.adapters.teams.sender import CHANNEL
from tests.adapters.teams.test_render import words
from tests.bot.test_intake import ANSWER

THREAD = ThreadRef("teams", CHANNEL, "100")


async def answer(teams: Teams) -> tuple[str, str]:
    """A run with its answer shown, and the answer's message."""
    await teams.say()
    (record,) = await teams.world.ledger.runs()
    await teams.world.finish(record.run_id, ANSWER)
    for slot, card in ending_cards(await teams.world.views.by_id(record.run_id)):
        await teams.world.outbox.put(THREAD, slot, card)
    await teams.pump.drain()
    shown = await teams.world.outbox.message_id(THREAD, f"answer:{record.run_id}")
    return record.run_id, shown.split()[0]


async def react(teams: Teams, message: str, emoji: str, *, off: bool = False, event: str = "") -> None:
    told = {"reactionsRemoved" if off else "reactionsAdded": [{"type": emoji}]}
    activity = teams.activity("messageReaction", replyToId=message, **told)
    assert (await teams.send(activity | ({"id": event} if event else {}))).status_code == 200
    await teams.pump.drain()


@pytest.mark.parametrize(
    ("emoji", "verdict"), [("like", "up"), ("heart", "up"), ("1f44e_thumbsdown", "down"), ("274c_x", "down")]
)
async def test_a_judgement_by_emoji_is_kept_and_forgotten_when_it_is_taken_off(
    teams: Teams, emoji: str, verdict: str
) -> None:
    run_id, message = await answer(teams)
    await react(teams, message, emoji)
    (given,) = await teams.world.conversations.feedback(run_id)
    assert (given.user, given.verdict) == ("ada-1", verdict)
    await react(teams, message, emoji, off=True)
    assert await teams.world.conversations.feedback(run_id) == []


async def test_a_section_is_signed_off_by_emoji_and_the_signature_taken_back(teams: Teams) -> None:
    run_id, message = await answer(teams)
    await react(teams, message, "2705_whiteheavycheckmark")
    lines = await teams.world.revisions.of(run_id)
    assert [line.by for line in lines] == ["ada-1"]
    await react(teams, message, "2705_whiteheavycheckmark", off=True)
    assert len(await teams.world.revisions.of(run_id)) == 2


async def test_the_same_event_again_is_answered_once(teams: Teams) -> None:
    _, message = await answer(teams)
    before = len(teams.end.shown())
    for _ in range(3):
        await react(teams, message, "2705_whiteheavycheckmark", event="e1")
    assert len(teams.end.shown()) == before + 1


@pytest.mark.parametrize("emoji", ["laugh", "1f355_pizza", "zzzz_x"])
async def test_an_emoji_without_a_meaning_changes_and_says_nothing(teams: Teams, emoji: str) -> None:
    run_id, message = await answer(teams)
    before = words(teams.end.shown())
    await react(teams, message, emoji)
    assert words(teams.end.shown()) == before
    assert await teams.world.conversations.feedback(run_id) == []


async def test_an_emoji_on_somebody_elses_message_is_none_of_ours(teams: Teams) -> None:
    run_id, _ = await answer(teams)
    await react(teams, "1699999", "like")
    assert await teams.world.conversations.feedback(run_id) == []
