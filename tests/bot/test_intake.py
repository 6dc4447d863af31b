"""A message is understood, written once, and handed on; every one of them ends in something shown."""

import asyncio
from dataclasses import replace

from agents.archive.answer import Answer, AnswerOutcome
from agents.archive.kind import KIND
from agents.evidence.values import Citation
from agents.kinds import KindLimits, Kinds, Named
from agents.runs.records import RunRecord, RunState
from bot.intake import Intake
from bot.values import Card, CardKind, CommandName, Incoming, ThreadRef, answer_slot
from tests.bot.world import THREAD, World
from tests.support.archive import answer_in, question_in, said
from tests.support.memory.ledger import unheld

ANSWER = Answer(
    question="What was the NOAEL?",
    short="5 mg/kg",
    blocks=said("5 mg/kg [1]"),
    outcome=AnswerOutcome.ANSWERED,
    molecules=("AB-123",),
    citations=(Citation(1, "E1", "tox-1", "Study", "NOAEL 5 mg/kg", 0, 13),),
)
ASKED = Incoming("e-asked", THREAD, "ada", "What was the NOAEL?")


async def test_a_question_becomes_a_run_a_progress_card_and_a_job() -> None:
    world = World()
    receipt = await world.intake.receive(ASKED)
    record = await world.ledger.run(receipt.run_id)
    assert record is not None
    assert (record.state, record.asked_by, record.thread_id) == (RunState.QUEUED, "ada", "wall:general:1")
    assert question_in(record).text == "What was the NOAEL?"
    await world.intake.settle()
    assert world.queue.run_ids == [receipt.run_id]
    (card,) = await world.shown()
    assert (card.kind, card.run_id) == (CardKind.PROGRESS, receipt.run_id)


async def test_the_same_event_three_times_at_once_is_one_run() -> None:
    world = World()
    receipts = await asyncio.gather(*(world.intake.receive(ASKED) for _ in range(3)))
    assert len({receipt.run_id for receipt in receipts}) == 1
    assert sorted(receipt.duplicate for receipt in receipts) == [False, True, True]
    assert len(await world.ledger.runs()) == 1
    assert len(world.queue.run_ids) == 1
    assert len(await world.shown()) == 1


async def test_the_same_event_id_on_another_platform_is_another_event() -> None:
    world = World()
    await world.intake.receive(ASKED)
    await world.intake.receive(replace(ASKED, thread=ThreadRef("web", "general", "1")))
    assert len(await world.ledger.runs()) == 2


async def test_a_question_is_kept_when_the_queue_is_down() -> None:
    world = World()
    world.queue.down = True
    receipt = await world.intake.receive(ASKED)
    assert await unheld(world.ledger) == [receipt.run_id]


async def test_a_follow_up_knows_the_molecule_of_its_thread_only() -> None:
    world = World()
    await world.conversations.remember(THREAD, "archive", '{"molecules":["AB-123"]}')
    here = await world.ledger.run((await world.say("And in dogs?")).run_id)
    elsewhere = ThreadRef("wall", "general", "2")
    there = await world.ledger.run((await world.say("And in dogs?", thread=elsewhere)).run_id)
    assert here is not None
    assert there is not None
    assert question_in(here).thread_molecules == ("AB-123",)
    assert question_in(there).thread_molecules == ()


async def test_stop_reaches_every_unfinished_run_of_the_thread() -> None:
    world = World()
    first, second = (await world.say(f"question {n}?") for n in "ab"), await world.say("question c?")
    runs = [receipt.run_id async for receipt in first] + [second.run_id]
    other = await world.say("elsewhere?", thread=ThreadRef("wall", "general", "2"))
    await world.say("please stop")
    assert [bool(await world.ledger.stop_requested(run_id)) for run_id in runs] == [True, True, True]
    assert await world.ledger.stop_requested(other.run_id) == ""
    assert "Stopping" in (await world.shown())[-1].text


async def test_the_stop_button_stops_its_run_alone() -> None:
    world = World()
    first, second = await world.say("one?"), await world.say("two?")
    await world.press("stop", first.run_id)
    assert await world.ledger.stop_requested(first.run_id) == "stopped on request"
    (event,) = await world.ledger.events(first.run_id)
    assert (event.kind, event.detail) == ("run.stop_asked", '{"by": "ada"}')
    assert await world.ledger.stop_requested(second.run_id) == ""


async def test_stop_with_nothing_running_says_so() -> None:
    world = World()
    receipt = await world.say("one?")
    await world.finish(receipt.run_id, ANSWER)
    await world.say("stop")
    assert "Nothing is running" in (await world.shown())[-1].text


async def test_resume_takes_a_stopped_run_up_again() -> None:
    world = World()
    receipt = await world.say("one?")
    await world.ledger.request_stop(receipt.run_id, "stopped by ada")
    await world.finish(receipt.run_id, replace(ANSWER, partial="stopped by ada"), RunState.STOPPED)
    await world.press("resume", receipt.run_id)
    record = await world.ledger.run(receipt.run_id)
    assert record is not None
    assert record.state is RunState.QUEUED
    assert await world.ledger.stop_requested(receipt.run_id) == ""
    assert world.queue.run_ids == [receipt.run_id, receipt.run_id]


async def test_there_is_nothing_to_resume_in_a_complete_answer() -> None:
    world = World()
    receipt = await world.say("one?")
    await world.finish(receipt.run_id, ANSWER)
    await world.say("resume")
    assert "nothing to resume" in (await world.shown())[-1].text
    record = await world.ledger.run(receipt.run_id)
    assert record is not None
    assert answer_in(record) == ANSWER


async def test_status_sources_and_export_are_about_the_last_answer() -> None:
    world = World()
    receipt = await world.say("one?")
    await world.finish(receipt.run_id, ANSWER)
    for command in ("status", "sources", "export pdf"):
        await world.say(command)
    status, sources, export = (await world.shown())[-3:]
    assert (status.kind, status.title) == (CardKind.PROGRESS, "Done")
    assert [source.quote for source in sources.sources] == ["NOAEL 5 mg/kg"]
    assert f"pestle run export {receipt.run_id} pdf" in export.text


async def test_feedback_is_kept_and_shown_with_the_answer() -> None:
    world = World()
    receipt = await world.say("one?")
    await world.finish(receipt.run_id, ANSWER)
    await world.press("feedback", f"{receipt.run_id} up")
    await world.say("feedback down wrong species", user="bob")
    kept = await world.conversations.feedback(receipt.run_id)
    assert {(item.user, item.verdict, item.comment) for item in kept} == {
        ("ada", "up", ""),
        ("bob", "down", "wrong species"),
    }
    answers = [card for card in await world.shown() if card.mark == answer_slot(receipt.run_id)]
    assert answers[0].footer.endswith("👍 1 · 👎 1")


async def test_a_repeated_command_does_nothing() -> None:
    world = World()
    receipt = await world.say("one?")
    stop = Incoming("e-stop", THREAD, "ada", "stop")
    await world.intake.receive(stop)
    await world.ledger.request_stop(receipt.run_id, "")
    again = await world.intake.receive(stop)
    assert (again.command, again.duplicate) == (CommandName.STOP, True)
    assert await world.ledger.stop_requested(receipt.run_id) == ""


async def test_what_cannot_be_acted_on_is_answered_with_a_reason_once() -> None:
    world = World()
    for _ in range(2):
        await world.intake.receive(Incoming("e-empty", THREAD, "ada", "  "))
    (card,) = await world.shown()
    assert card.kind is CardKind.ERROR
    assert "empty" in card.text
    assert "e-empty" in card.footer


async def test_a_command_without_a_question_before_it_says_what_to_do() -> None:
    world = World()
    await world.say("sources")
    assert "No question was asked" in (await world.shown())[0].text


async def test_sources_before_the_answer_is_there_points_to_status() -> None:
    world = World()
    await world.say("one?")
    await world.say("sources")
    assert "status" in (await world.shown())[-1].text


async def test_a_button_of_another_thread_is_refused() -> None:
    world = World()
    receipt = await world.say("one?")
    await world.press("stop", receipt.run_id, thread=ThreadRef("wall", "general", "2"))
    assert await world.ledger.stop_requested(receipt.run_id) == ""
    assert "another thread" in (await world.shown())[-1].text


async def test_a_button_of_an_unknown_run_is_refused() -> None:
    world = World()
    await world.press("stop", "gone")
    assert "not known" in (await world.shown())[-1].text


async def test_help_needs_no_run() -> None:
    world = World()
    await world.say("help")
    assert (await world.shown())[0].kind is CardKind.HELP


async def test_a_choice_button_asks_the_completed_question() -> None:
    world = World()
    receipt = await world.say("What is the NOAEL of AB-132?")
    back = Answer("q", "", (), AnswerOutcome.NOTHING, ask_back="Which one?", options=("AB-123", "CD-9"))
    await world.finish(receipt.run_id, back)
    again = await world.press("ask", f"{receipt.run_id} AB-123")
    record = await world.ledger.run(again.run_id)
    assert record is not None
    assert question_in(record).text == "What is the NOAEL of AB-123?"


async def test_a_question_in_another_language_goes_on() -> None:
    world = World()
    await world.say("Was ist die höchste Dosis für Ratten?")
    assert len(world.queue.run_ids) == 1


async def test_every_way_to_start_a_run_uses_the_queue_of_its_kind() -> None:
    world = World(kinds=Kinds([replace(KIND, limits=KindLimits(queue="slow"))]))
    run_id = (await world.say("What was the NOAEL?")).run_id
    await world.finish(run_id, ANSWER)
    await world.say("revise: shorter")
    stopped = (await world.say("And in dogs?")).run_id
    await world.finish(stopped, ANSWER, RunState.STOPPED)
    await world.say("resume")
    assert world.queue.queues == ["slow"] * 4


async def test_the_first_message_of_a_thread_is_taken_in_without_looking_for_earlier_ones() -> None:
    world = World()

    async def looked(**asked: object) -> list[RunRecord]:
        raise AssertionError("nothing was said in this thread before")

    world.ledger.runs = looked  # type: ignore[assignment, method-assign]
    first = Incoming("e1", THREAD, "ada", "What was the NOAEL of KP-100?", opens=True)
    receipt, again = await world.intake.receive(first), await world.intake.receive(first)
    assert receipt.run_id
    assert (again.run_id, again.duplicate) == (receipt.run_id, True)
    await world.intake.settle()


async def test_the_same_question_twice_in_a_moment_is_one_unless_something_came_between() -> None:
    world = World()
    first, second = await world.say("What was the NOAEL?"), await world.say("What was the NOAEL?")
    assert first.run_id
    assert (second.run_id, second.duplicate) == ("", True)
    assert (await world.say("What was the NOAEL?", user="bob")).run_id
    await world.say("status")
    assert (await world.say("What was the NOAEL?")).run_id
    assert len(world.queue.run_ids) == 3


async def test_what_has_to_be_put_right_first_is_told_from_what_was_taken() -> None:
    world = World()
    for text, refused in (("x" * 4_001, True), ("sources", True), ("one?", False), ("status", False)):
        assert (await world.say(text)).refused is refused


async def test_a_command_with_a_slip_in_it_is_offered_and_runs_when_pressed() -> None:
    world = World()
    for text, meant in (
        ("hlep", "help"),
        ("digset add 9:00", "digest add 9:00"),
        ("questoin Why?", "question Why?"),
    ):
        assert not (await world.say(text)).run_id
        card = (await world.shown())[-1]
        assert [(one.action, one.label) for one in card.buttons] == [
            ("say", meant),
            ("ask", "Ask it as it is"),
        ]
    assert (await world.press("say", "help")).command is CommandName.HELP
    record = await world.ledger.run((await world.press("ask", " hlep")).run_id)
    assert record is not None
    assert question_in(record).text == "hlep"


async def test_a_word_of_english_a_name_or_a_sentence_is_no_slip() -> None:
    class Molecules:
        async def named(self, text: str) -> Named:
            return Named(frozenset({"digesta"} & {text}))

    world = World()
    world.intake = Intake(world.rooms, names=Molecules())
    long = f"questoin {'why? ' * 400}"
    for text in (long, "helm", "hlep me find the NOAEL", "digesta", "HELZ", "stats", "safely given?"):
        assert (await world.say(text)).run_id, text


async def test_records_are_listed_and_what_no_record_tells_is_asked_of_the_documents() -> None:
    async def listing(asked: str) -> Card | None:
        return None if "unheard" in asked else Card(CardKind.NOTICE, text=asked)

    world = World()
    world.intake = Intake(world.rooms, listing=listing)
    assert (await world.say("which studies are there?")).command is CommandName.RECORDS
    assert (await world.shown())[-1].text == "studies are there"
    assert (await world.say("which studies do you have on unheard-of things?")).run_id
