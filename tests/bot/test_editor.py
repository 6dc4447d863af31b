"""Experts change a report in the conversation: by hand, by a run, and back."""

from dataclasses import replace
from typing import Any

import pytest

from agents.archive.answer import Answer, AnswerOutcome, Question
from agents.evidence.values import Citation
from agents.reports.marked import CITED, bracketed
from agents.reports.values import Points, Statement
from agents.runs.pipeline import Pipeline
from agents.runs.run import Run
from bot.intake import Intake
from bot.services import Services
from bot.values import Card, CardKind, Incoming
from bot.views import Views
from tests.bot.world import THREAD, World
from workers.executor import Executor


class Died(Exception):
    """What a killed process leaves of a call: nothing."""


class Deadly:
    """The process dies at its so many-th write, before it."""

    def __init__(self, writes: int) -> None:
        self._left = writes

    def around(self, store: Any, write: str) -> Any:
        """The store, with one method counted as a write."""
        return Counted(store, write, self)

    def write(self) -> None:
        """Another write begins."""
        self._left -= 1
        if self._left == 0:
            raise Died


class Counted:
    """A store that says when a method begins."""

    def __init__(self, store: Any, method: str, deadly: Deadly) -> None:
        self._store, self._method, self._deadly = store, method, deadly

    def __getattr__(self, name: str) -> Any:
        if name == self._method:
            self._deadly.write()
        return getattr(self._store, name)


NOAEL = Citation(1, "E1", "tox-1", "Study", "NOAEL 5 mg/kg", 0, 13)
LIVER = Citation(1, "E1", "tox-2", "Study", "liver 9 mg/kg", 7, 20)


async def answer(run: Run, question: Question) -> Answer:
    """A second question is answered from another document, under the same number."""
    cited, text = (
        (LIVER, "The liver is affected.") if "liver" in question.instruction else (NOAEL, "It is 5 mg/kg.")
    )
    blocks = (Points((Statement(text, (1,)),)),)
    return Answer(question.text, text, blocks, AnswerOutcome.ANSWERED, citations=(cited,))


async def answered() -> tuple[World, Executor, str]:
    world = World()
    pipelines = {"archive": Pipeline(answer, Question, Answer)}
    worker = Executor(world.ledger, world.conversations, world.outbox, pipelines, world.views, owner="w1")
    receipt = await world.say("What was the NOAEL?")
    await worker.execute(receipt.run_id)
    return world, worker, receipt.run_id


async def shown(world: World) -> Card:
    """The answer as it stands."""
    return next(card for card in await world.shown() if card.kind is CardKind.ANSWER)


async def revise(world: World, worker: Executor, text: str) -> None:
    await world.say(text)
    await worker.execute(world.queue.run_ids[-1])


async def test_a_revision_replaces_the_section_and_gives_its_citations_new_numbers() -> None:
    world, worker, run_id = await answered()
    await revise(world, worker, "revise: tell of the liver")
    card = await shown(world)
    assert (bracketed(card.text), card.run_id) == ("- The liver is affected. [2]", run_id)
    assert [(source.number, source.doc_id) for source in card.sources] == [(2, "tox-2")]
    told = (await world.shown())[-1]
    assert told.title == "Written anew: Answer"
    assert "**−** It is 5 mg/kg. [1]" in told.text
    assert "**+** The liver is affected. [2]" in told.text
    assert told.notes == ("Asked for: tell of the liver",)


async def test_undo_after_a_revision_is_about_the_report_and_restores_it() -> None:
    world, worker, _ = await answered()
    before = await shown(world)
    await revise(world, worker, "revise: tell of the liver")
    await world.say("undo")
    assert replace(await shown(world), buttons=()) == replace(before, buttons=())
    await world.say("history")
    told = (await world.shown())[-1].text
    assert "1. Written anew: Answer, by ada" in told
    assert "2. Undone: Answer, by ada" in told


async def test_words_of_ones_own_keep_the_citations_that_they_mark() -> None:
    world, _, _ = await answered()
    await world.say("edit: The NOAEL was 5 mg/kg in rats [1].")
    await world.say("append: To be confirmed.")
    card = await shown(world)
    assert bracketed(card.text) == "The NOAEL was 5 mg/kg in rats [1].\n\nTo be confirmed."
    assert CITED.findall(card.text) == ["1"]
    assert [source.number for source in card.sources] == [1]


async def test_a_source_that_the_report_does_not_have_cannot_be_marked() -> None:
    world, _, _ = await answered()
    before = await shown(world)
    await world.say("edit: It is 7 mg/kg [3].")
    assert "no source 3" in (await world.shown())[-1].text
    assert await shown(world) == before


async def test_a_locked_section_takes_no_change_until_it_is_unlocked() -> None:
    world, _, _ = await answered()
    await world.say("lock")
    for text in ("edit: other", "revise: other", "undo"):
        await world.say(text)
        assert "locked" in (await world.shown())[-1].text
    await world.say("unlock")
    await world.say("edit: other")
    assert (await shown(world)).text == "other"


async def test_a_sign_off_names_who_and_when_and_ends_with_the_next_change() -> None:
    world, _, _ = await answered()
    await world.say("accept")
    assert f"accepted (ada, {world.now:%Y}" in (await shown(world)).footer
    await world.say("edit: other")
    assert "accepted" not in (await shown(world)).footer


async def test_a_failed_revision_leaves_the_section_and_offers_to_go_on() -> None:
    world, _, _ = await answered()
    before = await shown(world)

    async def failing(run: Run, question: Question) -> Answer:
        raise RuntimeError("a bug")

    pipelines = {"archive": Pipeline(failing, Question, Answer)}
    broken = Executor(world.ledger, world.conversations, world.outbox, pipelines, world.views, owner="w2")
    await revise(world, broken, "revise: tell of the liver")
    assert await shown(world) == before
    told = (await world.shown())[-1]
    assert "stands as it was" in told.text
    assert [button.action for button in told.buttons] == ["resume"]


@pytest.mark.parametrize("text", ["edit: other", "append: more", "undo", "accept"])
@pytest.mark.parametrize("writes", range(1, 4))
async def test_a_command_that_a_crash_cuts_short_is_carried_out_once_when_it_comes_again(
    text: str, writes: int
) -> None:
    """It dies at each of its writes: of the line, of the cards, of the reply."""
    whole, _, _ = await answered()
    await whole.say("edit: It was 5 mg/kg [1].")
    await whole.say(text)
    world, _, run_id = await answered()
    await world.say("edit: It was 5 mg/kg [1].")
    deadly, event = Deadly(writes), Incoming("e-cut-short", THREAD, "ada", text)
    conversations = deadly.around(world.conversations, "seen")
    views = Views(world.kinds, world.ledger, deadly.around(world.revisions, "append"))
    outbox = deadly.around(world.outbox, "put")
    dying = Intake(Services(world.ledger, conversations, outbox, world.queue, views))
    with pytest.raises(Died):
        await dying.receive(event)
    assert not (await world.intake.receive(event)).duplicate
    assert (await world.intake.receive(event)).duplicate
    assert len(await world.revisions.of(run_id)) == 2
    shown, expected = await world.shown(), await whole.shown()
    assert [card.text for card in shown] == [card.text for card in expected]


async def test_there_is_nothing_to_undo_in_a_fresh_report() -> None:
    world, _, _ = await answered()
    await world.say("undo")
    assert "nothing to undo" in (await world.shown())[-1].text


async def test_a_question_that_begins_with_compare_is_a_question() -> None:
    world, _, run_id = await answered()
    receipt = await world.say("Compare 5 mg and 10 mg of AB-123.")
    assert receipt.run_id not in ("", run_id)
