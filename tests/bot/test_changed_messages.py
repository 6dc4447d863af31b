"""A deleted question stops its run, an edited one is asked about."""

from agents.runs.records import RunState
from bot.values import Incoming
from tests.bot.world import THREAD, World


def question(text: str = "", user: str = "ada", event_id: str = "e1") -> Incoming:
    return Incoming(event_id, THREAD, user, text)


async def test_a_deleted_question_stops_its_run_and_says_so() -> None:
    world = World()
    run_id = (await world.say("What was the NOAEL?")).run_id
    assert await world.intake.changes.deleted(question()) == run_id
    assert await world.ledger.stop_requested(run_id) == "the question was deleted"
    assert "was deleted" in (await world.shown())[-1].text


async def test_deleting_what_asked_nothing_or_is_over_changes_nothing() -> None:
    world = World()
    run_id = (await world.say("What was the NOAEL?")).run_id
    await world.ledger.set_state(run_id, RunState.DONE)
    shown = len(await world.shown())
    assert await world.intake.changes.deleted(question()) == ""
    assert await world.intake.changes.deleted(question(event_id="lunch")) == ""
    assert len(await world.shown()) == shown


async def test_a_waiting_run_whose_question_is_deleted_gets_a_worker_to_end_it() -> None:
    world = World()
    run_id = (await world.say("What was the NOAEL?")).run_id
    await world.ledger.set_state(run_id, RunState.WAITING)
    world.queue.run_ids.clear()
    await world.intake.changes.deleted(question())
    assert world.queue.run_ids == [run_id]


async def test_an_edited_question_is_asked_again_only_when_somebody_wants_that() -> None:
    world = World()
    run_id = (await world.say("What was the NOAEL?")).run_id
    assert await world.intake.changes.edited(question("What was the NOAEL in dogs?")) == run_id
    card = (await world.shown())[-1]
    assert [button.label for button in card.buttons] == ["Ask it as it reads now", "Stop the first"]
    assert len(await world.ledger.runs()) == 1
    await world.press(card.buttons[0].action, card.buttons[0].value)
    assert len(await world.ledger.runs()) == 2


async def test_an_edit_by_another_person_or_of_other_words_is_no_question() -> None:
    world = World()
    await world.say("What was the NOAEL?")
    assert await world.intake.changes.edited(question("Why?", user="bob")) == ""
    assert await world.intake.changes.edited(question("Lunch?", event_id="e9")) == ""


async def test_a_long_edit_is_told_to_be_sent_again() -> None:
    world = World()
    await world.say("What was the NOAEL?")
    await world.intake.changes.edited(question("why " * 600))
    card = (await world.shown())[-1]
    assert "once more" in card.text
    assert [button.action for button in card.buttons] == ["stop"]
