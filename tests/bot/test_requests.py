"""A run that asks a person: the question with its choices, the decision by button or word, and its record."""

from datetime import timedelta

from agents.archive.answer import Answer, AnswerOutcome, Question
from agents.runs.pipeline import Pipeline
from agents.runs.records import Request, RunState
from agents.runs.requests import settle_overdue
from agents.runs.run import Run
from bot.values import Button, Card, CardKind, Incoming
from tests.bot.world import THREAD, World
from tests.support.archive import said
from workers.executor import Executor


def asking(request: Request) -> Pipeline:
    async def work(run: Run, question: Question) -> Answer:
        decision = await run.wait_for("approve", request)
        text = f"{decision.choice} by {decision.by or 'nobody'}"
        return Answer(question.text, text, said(text), AnswerOutcome.ANSWERED)

    return Pipeline(work, Question, Answer)


def executor(world: World, pipeline: Pipeline) -> Executor:
    return Executor(
        world.ledger, world.conversations, world.outbox, {"archive": pipeline}, world.views, owner="w1"
    )


async def waiting(request: Request) -> tuple[World, Executor, str, Card]:
    """A run that waits, and the card that asks."""
    world = World()
    worker = executor(world, asking(request))
    receipt = await world.say("May I?")
    await worker.execute(receipt.run_id)
    (asked,) = [card for card in await world.shown() if card.kind is CardKind.REQUEST]
    return world, worker, receipt.run_id, asked


YES_NO = Request("Shall the program run?", ("approve", "reject"), seconds=60, otherwise="reject")


async def test_a_waiting_run_shows_its_question_with_a_button_for_each_choice() -> None:
    _, _, run_id, asked = await waiting(YES_NO)
    assert (asked.title, asked.text) == ("A decision is needed", "Shall the program run?")
    assert [(button.label, button.action) for button in asked.buttons] == [
        ("approve", "answer"),
        ("reject", "answer"),
    ]
    assert all(button.value.startswith(f"{run_id} ") for button in asked.buttons)
    assert "it goes on with “reject”" in asked.notes[0]


async def test_a_press_decides_and_the_card_says_who_decided() -> None:
    world, worker, run_id, asked = await waiting(YES_NO)
    button: Button = asked.buttons[0]
    await world.press(button.action, button.value)
    assert world.queue.run_ids == [run_id, run_id]
    await worker.execute(run_id)
    shown = {card.kind: card for card in await world.shown()}
    assert shown[CardKind.ANSWER].text == "approve by ada"
    assert (shown[CardKind.REQUEST].title, shown[CardKind.REQUEST].buttons) == ("Decided", ())
    assert "Decided by ada: **approve**" in shown[CardKind.REQUEST].text


async def test_a_choice_can_be_typed_while_the_run_waits() -> None:
    world, worker, run_id, _ = await waiting(YES_NO)
    await world.say("Approve.")
    await worker.execute(run_id)
    assert [card.text for card in await world.shown() if card.kind is CardKind.ANSWER] == ["approve by ada"]


async def test_a_typed_choice_that_is_delivered_again_is_no_question() -> None:
    world, _, run_id, _ = await waiting(YES_NO)
    typed = Incoming("e-typed", THREAD, "ada", "Approve.")
    await world.intake.receive(typed)
    again = await world.intake.receive(typed)
    assert again.duplicate
    assert [run.run_id for run in await world.ledger.runs()] == [run_id]


async def test_any_other_message_is_a_question_of_its_own() -> None:
    world, _, run_id, _ = await waiting(YES_NO)
    receipt = await world.say("What was the dose?")
    assert receipt.run_id not in ("", run_id)


async def test_free_words_are_an_answer_only_when_they_say_so() -> None:
    world, worker, run_id, asked = await waiting(Request("Which species?"))
    assert "answer: …" in asked.notes[0]
    await world.say("answer: the dog")
    await worker.execute(run_id)
    assert [card.text for card in await world.shown() if card.kind is CardKind.ANSWER] == ["the dog by ada"]


async def test_the_first_decision_stands() -> None:
    world, _, run_id, asked = await waiting(YES_NO)
    await world.press("answer", asked.buttons[1].value)
    await world.press("answer", asked.buttons[0].value)
    last = (await world.shown())[-1]
    assert last.kind is CardKind.ERROR
    record = await world.ledger.run(run_id)
    assert record is not None
    assert record.state is RunState.QUEUED


async def test_a_choice_that_is_not_offered_is_refused() -> None:
    world, _, _, _ = await waiting(YES_NO)
    await world.say("answer: perhaps")
    assert "approve, reject" in (await world.shown())[-1].text


async def test_without_a_decision_in_time_the_card_says_what_happened() -> None:
    world, worker, run_id, _ = await waiting(YES_NO)
    world.now += timedelta(seconds=61)
    await settle_overdue(world.ledger)
    await worker.execute(run_id)
    shown = {card.kind: card for card in await world.shown()}
    assert "Nobody decided in time: **reject**" in shown[CardKind.REQUEST].text
    assert shown[CardKind.ANSWER].text == "reject by nobody"
