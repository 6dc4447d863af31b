"""Experts' emoji: each does what its command would, is answered once, and is undone when it is taken off."""

import pytest

from agents.archive.answer import Answer, Question
from agents.runs.pipeline import Pipeline
from agents.runs.records import RunState
from agents.runs.run import Run
from bot.emoji import GRAMMAR, Meaning, meaning_of, named
from bot.reactions import COMMANDS
from bot.values import Card, CardKind, Incoming, Reaction, ThreadRef, answer_slot
from tests.bot.test_editor import answer, answered, shown
from tests.bot.test_requests import executor
from tests.bot.world import THREAD, World
from workers.executor import Executor


async def reacting() -> tuple[World, Executor, str, str]:
    """A world with an answer, its worker, the run and the answer's message."""
    world, worker, run_id = await answered()
    await world.shown()
    return world, worker, run_id, world.message_of(answer_slot(run_id))


async def told(world: World, meaning: Meaning, run_id: str) -> list[Card]:
    """The cards that answer reactions of this meaning."""
    mark = f"reaction:{answer_slot(run_id)}:ada:{meaning}"
    return [card for card in await world.shown() if card.mark == mark]


@pytest.mark.parametrize(
    ("emoji", "meaning"),
    [
        ("white_check_mark", Meaning.ACCEPT),
        (":white_check_mark:", Meaning.ACCEPT),
        ("2705_whiteheavycheckmark", Meaning.ACCEPT),
        ("✔️", Meaning.ACCEPT),
        ("like", Meaning.HELPFUL),
        ("+1::skin-tone-3", Meaning.HELPFUL),
        ("👎🏽", Meaning.REJECT),
        ("1f44e_thumbsdown", Meaning.REJECT),
        ("mag", Meaning.DEEPER),
        ("✂️", Meaning.SHORTER),
        ("books", Meaning.MORE_SOURCES),
        ("warning", Meaning.DISPUTE),
        ("arrows_counterclockwise", Meaning.AGAIN),
        ("octagonal_sign", Meaning.STOP),
        ("tada", None),
        ("ffffffff", None),
        ("", None),
    ],
)
def test_platforms_names_of_an_emoji_mean_the_same(emoji: str, meaning: Meaning | None) -> None:
    assert meaning_of(emoji) is meaning


def test_every_meaning_has_an_emoji_of_its_own_and_does_something() -> None:
    assert set(GRAMMAR) == set(Meaning)
    assert all(meaning_of(shown) is meaning for meaning, (shown, _, _) in GRAMMAR.items())
    assert {*COMMANDS, Meaning.DISPUTE} == set(Meaning)


@pytest.mark.parametrize(
    ("emoji", "heard"), [("2️⃣", "2"), (":two:", "2"), ("keycap_ten", "10"), (":tada:", "tada")]
)
def test_a_run_hears_the_number_of_an_emoji(emoji: str, heard: str) -> None:
    assert named(emoji) == heard


async def test_an_accepted_section_is_a_draft_again_when_the_mark_is_taken_off() -> None:
    world, _, run_id, message = await reacting()
    await world.react("white_check_mark", message)
    assert "accepted (ada" in (await shown(world)).footer
    (card,) = await told(world, Meaning.ACCEPT, run_id)
    assert card.text == "Answer is accepted."
    assert card.notes == ("✅ by ada. Take it off to undo this.",)
    await world.react("white_check_mark", message, removed=True)
    assert "accepted" not in (await shown(world)).footer
    (card,) = await told(world, Meaning.ACCEPT, run_id)
    assert card.text == "The sign-off is taken back."


async def test_who_reacted_and_when_is_kept() -> None:
    world, _, run_id, message = await reacting()
    await world.react("+1", message, event="e-up")
    found = await world.outbox.showing(THREAD, message)
    assert found is not None
    (one,) = await world.conversations.reactions(found)
    assert (one.user, one.meaning, one.emoji, one.event) == ("ada", "helpful", "+1", "wall:e-up")
    assert one.at.startswith(f"{world.now:%Y}")
    (given,) = await world.conversations.feedback(run_id)
    assert (given.user, given.verdict) == ("ada", "up")


async def test_a_judgement_taken_off_gives_back_the_one_before_it() -> None:
    world, _, run_id, message = await reacting()
    await world.say("feedback up: well put")
    await world.react("x", message)
    assert [one.verdict for one in await world.conversations.feedback(run_id)] == ["down"]
    await world.react("x", message, removed=True)
    (given,) = await world.conversations.feedback(run_id)
    assert (given.verdict, given.comment) == ("up", "well put")


async def test_a_judgement_taken_off_leaves_none_where_there_was_none() -> None:
    world, _, run_id, message = await reacting()
    await world.react("x", message)
    assert "👎 1" in (await shown(world)).footer
    await world.react("x", message, removed=True)
    assert await world.conversations.feedback(run_id) == []
    assert "👎" not in (await shown(world)).footer


@pytest.mark.parametrize("emoji", ["microscope", "scissors", "books", "repeat"])
async def test_a_section_is_written_anew_and_what_was_there_comes_back(emoji: str) -> None:
    world, worker, run_id, message = await reacting()
    await world.react(emoji, message)
    anew = await world.ledger.run(world.queue.run_ids[-1])
    assert anew is not None
    assert anew.revises == run_id
    await worker.execute(anew.run_id)
    assert len(await world.revisions.of(run_id)) == 1
    await world.react(emoji, message, removed=True)
    lines = await world.revisions.of(run_id)
    assert [line.action for line in lines] == ["revised", "undone"]


async def test_a_run_that_is_still_writing_anew_is_stopped_when_the_emoji_goes() -> None:
    world, _, run_id, message = await reacting()
    await world.react("scissors", message)
    anew = world.queue.run_ids[-1]
    await world.react("scissors", message, removed=True)
    assert await world.ledger.stop_requested(anew)
    await executor(world, Pipeline(looking, Question, Answer)).execute(anew)
    assert await world.revisions.of(run_id) == ()


async def test_what_others_changed_since_is_not_undone() -> None:
    world, worker, run_id, message = await reacting()
    await world.react("scissors", message)
    await worker.execute(world.queue.run_ids[-1])
    await world.say("edit: My own words.", user="bob")
    await world.react("scissors", message, removed=True)
    assert (await shown(world)).text == "My own words."
    (card,) = await told(world, Meaning.SHORTER, run_id)
    assert "stands as it is" in card.text


async def test_stop_stops_the_run_whose_card_it_is_under() -> None:
    world = World()
    first, second = await world.say("one?"), await world.say("two?")
    await world.shown()
    await world.react("octagonal_sign", world.message_of(f"progress:{first.run_id}"))
    assert await world.ledger.stop_requested(first.run_id)
    assert not await world.ledger.stop_requested(second.run_id)


async def test_a_reaction_that_comes_three_times_is_one() -> None:
    world, _, run_id, message = await reacting()
    for _ in range(3):
        await world.react("repeat", message, event="e-again")
    assert len([one for one in await world.ledger.runs() if one.revises == run_id]) == 1
    assert len(await told(world, Meaning.AGAIN, run_id)) == 1


async def test_a_second_emoji_of_the_same_meaning_changes_nothing() -> None:
    world, _, run_id, message = await reacting()
    await world.react("+1", message)
    await world.react("heart", message)
    await world.react("heart", message, removed=True)
    assert [one.verdict for one in await world.conversations.feedback(run_id)] == ["up"]


@pytest.mark.parametrize(("emoji", "message"), [("tada", ""), ("white_check_mark", "m99")])
async def test_an_emoji_that_means_nothing_here_is_passed_over(emoji: str, message: str) -> None:
    world, _, _, answer = await reacting()
    before = await world.shown()
    receipt = await world.react(emoji, message or answer)
    assert (receipt.run_id, await world.shown()) == ("", before)


async def test_what_cannot_be_done_is_told() -> None:
    world, _, run_id, message = await reacting()
    await world.say("lock")
    await world.react("white_check_mark", message)
    (card,) = await told(world, Meaning.ACCEPT, run_id)
    assert card.kind is CardKind.ERROR
    assert "locked" in card.text


async def test_a_disputed_citation_is_given_to_later_runs_of_the_channel_only() -> None:
    world, _, run_id, message = await reacting()
    await world.react("warning", message)
    (card,) = await told(world, Meaning.DISPUTE, run_id)
    assert "Source 1 is disputed: Study, “NOAEL 5 mg/kg” (disputed by ada" in card.text
    assert await disputed_in(world, THREAD) == [("tox-1", 0, 13)]
    assert await disputed_in(world, ThreadRef("wall", "general", "2")) == [("tox-1", 0, 13)]
    assert await disputed_in(world, ThreadRef("wall", "other", "3")) == []
    await world.react("warning", message, removed=True)
    assert await disputed_in(world, THREAD) == []


async def test_a_dispute_stands_in_the_guidance_and_is_dropped_there() -> None:
    world, _, _, _ = await reacting()
    await world.say("dispute 1: the assay was faulty")
    await world.say("guidance")
    listed = (await world.shown())[-1].text
    assert "1. Ranked lower: Study, “NOAEL 5 mg/kg” (disputed by ada" in listed
    assert "the assay was faulty" in listed
    await world.say("forget 1")
    assert await disputed_in(world, THREAD) == []


async def test_a_source_that_is_not_there_cannot_be_disputed() -> None:
    world, _, _, _ = await reacting()
    await world.say("dispute 7")
    assert "no source 7" in (await world.shown())[-1].text


async def test_who_may_not_ask_here_may_not_react(monkeypatch: pytest.MonkeyPatch) -> None:
    world, _, run_id, message = await reacting()
    monkeypatch.setattr(world.intake, "refusal", lambda incoming: "You are not among them.")
    reaction = Reaction("x", message)
    await world.intake.receive(Incoming("e-x", THREAD, "eve", "", reaction=reaction))
    assert await world.conversations.feedback(run_id) == []
    assert "not among them" in (await world.shown())[-1].text


async def looking(run: Run, question: Question) -> Answer:
    """A pipeline that looks whether it is to stop, as every step does."""
    await run.check()
    return await answer(run, question)


async def disputed_in(world: World, thread: ThreadRef) -> list[tuple[str, int, int]]:
    """What a question asked in a thread is told to be disputed."""
    record = await world.ledger.run((await world.say("And in dogs?", thread=thread)).run_id)
    assert record is not None
    assert record.state is RunState.QUEUED
    inputs = world.kinds.inputs(record)
    return [(one.doc_id, one.start, one.end) for one in inputs.disputed]
