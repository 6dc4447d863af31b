"""Digests in the conversation: ordered, listed, changed; told once for each time, with what is new alone."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest

from agents.archive.answer import Answer, AnswerOutcome, Question
from agents.errors import ToolFailed
from agents.evidence.values import Citation
from agents.kinds import Watch
from agents.reports.marked import bracketed
from agents.reports.values import Points, Statement
from agents.runs.pipeline import Pipeline
from agents.runs.records import Request
from agents.runs.run import Run
from bot.digests.contents import Gatherer
from bot.digests.orders import DigestOrders
from bot.digests.ports import Document
from bot.digests.service import LONGEST, Telling
from bot.intake import Intake
from bot.values import Card, CardKind, CommandName, ThreadRef
from tests.bot.test_requests import executor
from tests.bot.world import THREAD, World
from tests.support.memory.digests import MemoryDigests

MORNING = datetime(2026, 3, 26, 12, tzinfo=UTC)
"""A Thursday; the clocks of Zurich are changed on the Sunday."""
ORDER = 'digest "every weekday 08:30 Europe/Zurich"'


@dataclass
class Shelf:
    """Implements `News`: documents that tests put there. A subject is in a document whose title says it."""

    held: dict[str, Document] = field(default_factory=dict)
    damaged: bool = False

    def put(self, doc_id: str, title: str, sha256: str = "1") -> None:
        self.held[doc_id] = Document(doc_id, title, sha256)

    async def documents(self) -> Mapping[str, Document]:
        if self.damaged:
            raise ToolFailed("the index is damaged")
        return dict(self.held)

    async def about(self, doc_ids: Collection[str], subject: str) -> list[str]:
        return [one for one in sorted(doc_ids) if subject.casefold() in self.held[one].title.casefold()]


class Desk(World):
    """A world with digests, whose clock tests move."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.now = MORNING
        self.news, self.label = Shelf(), "v1"
        self.digests = MemoryDigests(self.outbox)
        self.finds, self.study = "5 mg/kg", "tox-1"
        watch = Watch(lambda words: words if " for " in words else "", self._look, _differ)
        watches = {"archive": watch}
        gatherer = Gatherer(self.ledger, self.conversations, self.views, self.news, watches)
        orders = DigestOrders(
            self.digests, self.conversations, self.views, gatherer, watches, lambda: self.now
        )
        self.intake = Intake(self.rooms, orders=orders)
        self.telling = self.scheduler(gatherer)
        self.other = self.scheduler(gatherer)
        self.worker = executor(self, Pipeline(self._answer, Question, Answer))

    def scheduler(self, gatherer: Gatherer) -> Telling:
        return Telling(self.digests, self.rooms, gatherer, lambda: self.now)

    async def _look(self, key: str) -> str:
        return self.label

    async def _answer(self, run: Run, question: Question) -> Answer:
        quote = f"NOAEL {self.finds}"
        cited = Citation(1, "E1", self.study, "Study", quote, 0, len(quote))
        blocks = (Points((Statement(f"It is {self.finds}.", (1,)),)),)
        return Answer(question.text, self.finds, blocks, AnswerOutcome.ANSWERED, citations=(cited,))

    async def last(self) -> Card:
        return (await self.shown())[-1]

    async def told(self) -> list[Card]:
        """The digests that were shown."""
        return [card for card in await self.shown() if card.mark.startswith("digest:")]

    async def later(self, **time: float) -> list[Card]:
        """Both schedulers make rounds after a while, and a worker does what they ask; all digests then."""
        self.now += timedelta(**time)
        for _ in range(2):
            await self.telling.round()
            await self.other.round()
            for run_id in self.queue.run_ids:
                await self.worker.execute(run_id)
        return await self.told()

    async def ask(self) -> str:
        receipt = await self.say("What was the NOAEL?")
        await self.worker.execute(receipt.run_id)
        return receipt.run_id


def _differ(before: str, now: str) -> tuple[str, ...]:
    return () if before == now else (f"The label changed from {before} to {now}.",)


async def test_an_order_is_answered_with_when_it_comes_first() -> None:
    desk = Desk()
    receipt = await desk.say(f"{ORDER} about QX-201")
    assert receipt.command is CommandName.DIGEST
    assert "Digest 1 about QX-201 comes every weekday 08:30 Europe/Zurich" in (await desk.last()).text
    assert "first on Fri 27 Mar 2026, 08:30 Europe/Zurich" in (await desk.last()).text
    await desk.say("digests")
    assert (
        "- **1** every weekday 08:30 Europe/Zurich about QX-201: next Fri 27 Mar" in (await desk.last()).text
    )
    assert await desk.ledger.runs() == [], "no run is begun"


async def test_a_thread_with_a_digest_needs_no_mention() -> None:
    desk = Desk()
    assert not await desk.intake.takes_part(THREAD)
    await desk.say(ORDER)
    assert await desk.intake.takes_part(THREAD)
    assert not await desk.intake.takes_part(ThreadRef("wall", "general", "2"))


async def test_new_and_changed_documents_on_the_subject_are_told_once() -> None:
    desk = Desk()
    desk.news.put("old", "QX-201 in rats")
    desk.news.put("kept", "QX-201 in mice")
    await desk.say(f"{ORDER} about QX-201")
    desk.news.put("new", "QX-201 in dogs")
    desk.news.put("old", "QX-201 in rats", "2")
    desk.news.put("other", "RV-77 in dogs")
    (card,) = await desk.later(hours=20)
    assert card.title == "Digest 1: QX-201"
    assert "**New documents (2)**\n- QX-201 in dogs (new)\n- QX-201 in rats (old, changed)" in card.text
    assert card.footer == "Fri 27 Mar 2026, 09:00 Europe/Zurich · every weekday 08:30 Europe/Zurich"
    assert len(await desk.later(days=3)) == 1, "nothing is new on Monday"


async def test_where_nothing_is_new_nothing_is_shown_unless_a_line_is_wanted() -> None:
    desk = Desk()
    await desk.say(f"{ORDER} heartbeat")
    (card,) = await desk.later(hours=20)
    assert card.text.startswith("Nothing is new since Thu 26 Mar 2026")
    await desk.say("digest heartbeat 1 off")
    assert len(await desk.later(days=3)) == 1


async def test_a_pinned_question_is_asked_again_and_told_only_when_its_evidence_changed() -> None:
    desk = Desk()
    run_id = await desk.ask()
    await desk.say(ORDER)
    await desk.say("pin")
    assert "1. What was the NOAEL? (ada" in (await desk.last()).text
    assert await desk.later(hours=20) == []
    assert len(await desk.ledger.runs()) == 2, "both schedulers ask once"
    desk.finds = "9 mg/kg"
    (card,) = await desk.later(days=3)
    text = bracketed(card.text)
    assert "What was the NOAEL? **Now:** 9 mg/kg [1] Before: 5 mg/kg" in text
    assert [(source.doc_id, source.quote) for source in card.sources] == [("tox-1", "NOAEL 9 mg/kg")]
    assert len(await desk.later(days=1)) == 1, "it is told once"
    desk.study = "tox-2"
    card = (await desk.later(days=1))[-1]
    assert "What was the NOAEL? **Other passages now** [1] (run" in bracketed(card.text), (
        "words alike are not"
    )
    await desk.say("unpin 1")
    before = len(await desk.ledger.runs())
    await desk.later(days=1)
    assert len(await desk.ledger.runs()) == before
    assert run_id in [run.run_id for run in await desk.ledger.runs()]


async def test_a_digest_waits_for_its_questions_but_not_for_ever() -> None:
    desk = Desk()
    await desk.ask()
    await desk.say("pin")
    await desk.say(ORDER)
    desk.now += timedelta(hours=20)
    await desk.telling.round()
    assert await desk.told() == []
    desk.now += LONGEST
    await desk.telling.round()
    (card,) = await desk.told()
    assert "“What was the NOAEL?” could not be asked again" in card.text


async def test_what_is_watched_is_told_when_it_changes() -> None:
    desk = Desk()
    await desk.say("tell this channel when a label changes for ACE inhibitors for angioedema")
    assert "It had none, so digest 1 comes every day 07:00 UTC" in (await desk.last()).text
    assert await desk.later(hours=20) == []
    desk.label = "v2"
    (card,) = await desk.later(days=1)
    assert "**Watched labels**\n- The label changed from v1 to v2." in card.text
    assert len(await desk.later(days=1)) == 1
    await desk.say("unwatch 1")
    desk.label = "v3"
    assert len(await desk.later(days=1)) == 1


async def test_what_waits_for_people_is_told_and_nothing_private() -> None:
    desk = Desk()
    await desk.say(ORDER)
    desk.now += timedelta(hours=1)

    async def asking(run: Run, question: Question) -> Answer:
        await run.wait_for("approve", Request("Shall the program run?", ("approve", "reject")))
        return await desk._answer(run, question)

    waiting = await desk.say("May I?")
    await executor(desk, Pipeline(asking, Question, Answer)).execute(waiting.run_id)
    for thread in (ThreadRef("wall", "other", "9"), THREAD.seen_only_by("bob")):
        elsewhere = await desk.say("And I?", thread=thread)
        await executor(desk, Pipeline(asking, Question, Answer)).execute(elsewhere.run_id)
    (card,) = await desk.later(hours=20)
    assert card.text == "**Waiting for people**\n- “May I?” waits: Shall the program run?"


async def test_a_digest_on_a_subject_leaves_out_what_waits_on_another_one() -> None:
    desk = Desk()
    await desk.say(f"{ORDER} about KP-100")
    desk.now += timedelta(hours=1)

    async def asking(run: Run, question: Question) -> Answer:
        await run.wait_for("approve", Request("Shall it run?", ("approve", "reject")))
        return await desk._answer(run, question)

    for number, name in enumerate(("KP-100", "ZB-417")):
        thread = ThreadRef(THREAD.platform, THREAD.channel, f"t{number}")
        waiting = await desk.say(f"May {name} go on?", thread=thread)
        await executor(desk, Pipeline(asking, Question, Answer)).execute(waiting.run_id)
    (card,) = await desk.later(hours=20)
    assert card.text == "**Waiting for people**\n- “May KP-100 go on?” waits: Shall it run?"


async def test_what_cannot_be_looked_at_is_said_and_told_later() -> None:
    desk = Desk()
    await desk.say(ORDER)
    desk.news.put("new", "A title")
    desk.news.damaged = True
    (card,) = await desk.later(hours=20)
    assert "New documents could not be looked up: the index is damaged" in card.text
    desk.news.damaged = False
    assert "- A title (new)" in (await desk.later(days=3))[-1].text


async def test_a_muted_digest_is_silent_and_tells_all_when_it_is_heard_again() -> None:
    desk = Desk()
    await desk.say(ORDER)
    await desk.say("digest mute 1")
    desk.news.put("new", "A title")
    assert await desk.later(hours=20) == []
    await desk.say("digest unmute")
    (card,) = await desk.later(days=3)
    assert "- A title (new)" in card.text


async def test_a_digest_is_edited_previewed_and_deleted() -> None:
    desk = Desk()
    await desk.say(ORDER)
    await desk.say('digest edit 1 "every monday 9:00" about RV-77')
    assert "every monday 9:00 about RV-77: next Mon 30 Mar 2026, 09:00 UTC" in (await desk.last()).text
    desk.news.put("new", "RV-77 in dogs")
    await desk.say("digest preview 1")
    assert "- RV-77 in dogs (new)" in (await desk.last()).text
    (card,) = await desk.later(days=4)
    assert "- RV-77 in dogs (new)" in card.text, "a preview takes nothing away"
    await desk.press("digest", "- delete 1")
    assert "Digest 1 is deleted." in (await desk.last()).text
    assert len(await desk.later(days=14)) == 1


async def test_days_without_a_scheduler_are_told_in_one_digest() -> None:
    desk = Desk()
    await desk.say(ORDER)
    desk.news.put("new", "A title")
    assert len(await desk.later(days=10)) == 1
    digest = await desk.digests.get(1)
    assert digest is not None
    assert digest.due.startswith("2026-04-06")


async def test_what_was_ordered_in_private_is_told_before_everybody() -> None:
    desk = Desk()
    await desk.say(ORDER, thread=ThreadRef("wall", "general", "").seen_only_by("ada"))
    digest = await desk.digests.get(1)
    assert digest is not None
    assert digest.thread == ThreadRef("wall", "general", "")
    await desk.say("digest mute 1")
    assert "muted" in (await desk.last()).text


async def test_a_reply_below_a_digest_of_the_channel_needs_no_mention() -> None:
    desk = Desk()
    await desk.say(ORDER, thread=ThreadRef("wall", "general", "").seen_only_by("ada"))
    desk.news.put("new", "A title")
    (told,) = await desk.later(days=1)
    (posted,) = (key for key, card in desk.wall.messages.items() if card == told)
    assert await desk.intake.takes_part(ThreadRef("wall", "general", posted))
    assert not await desk.intake.takes_part(ThreadRef("wall", "other", posted))
    assert not await desk.intake.takes_part(ThreadRef("wall", "general", "2"))


async def test_another_channel_sees_and_changes_none_of_it() -> None:
    desk, elsewhere = Desk(), ThreadRef("wall", "other", "9")
    await desk.say(ORDER)
    await desk.say("digest delete 1", thread=elsewhere)
    assert "Name a digest of this channel by its number: none." in (await desk.last()).text
    assert await desk.digests.get(1) is not None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('digest "sometimes"', "names no time"),
        ("digest mute", "by its number: none"),
        ("pin", "where it was answered"),
        ("unpin 3", "no number 3"),
        ("watch nothing and all", "Say what to watch"),
    ],
)
async def test_what_cannot_be_done_is_said(text: str, told: str) -> None:
    desk = Desk()
    await desk.say(text)
    card = await desk.last()
    assert card.kind is CardKind.ERROR
    assert told in card.text


async def test_an_order_that_comes_again_is_one_digest() -> None:
    desk = Desk()
    for _ in range(2):
        desk._numbers = iter([7])  # type: ignore[assignment]
        await desk.say(ORDER)
    assert len(await desk.digests.of(THREAD)) == 1


async def test_a_scheduler_that_dies_before_it_tells_is_taken_over() -> None:
    desk = Desk()
    await desk.say(ORDER)
    desk.news.put("new", "A title")
    desk.now += timedelta(hours=20)
    await desk.telling.begin_due()  # and dies
    assert len(await desk.later(seconds=5)) == 1


@pytest.mark.parametrize("text", ["digest of the tox studies?", "Pin the dose of AB-1", "watch this"])
async def test_a_question_that_begins_so_is_a_question(text: str) -> None:
    desk = Desk()
    assert (await desk.say(text)).run_id


async def below_the_digest(desk: Desk, text: str) -> Question:
    """What is asked by a reply to the digest, in a thread that its message begins."""
    told = next(key for key, card in desk.wall.messages.items() if card.mark.startswith("digest:"))
    receipt = await desk.say(text, thread=replace(THREAD, thread=told))
    record = await desk.ledger.run(receipt.run_id)
    assert record is not None
    question: Question = desk.kinds.inputs(record)
    return question


async def test_a_reply_below_a_digest_is_on_its_subject() -> None:
    desk = Desk()
    await desk.say(f"{ORDER} about QX-201")
    desk.news.put("new", "A study of QX-201")
    await desk.later(hours=20)
    asked = await below_the_digest(desk, "And in dogs?")
    assert (asked.thread_molecules, asked.previous) == (("QX-201",), ())


async def test_a_reply_below_a_digest_goes_on_from_the_answer_that_changed() -> None:
    desk = Desk()
    await desk.ask()
    await desk.say("pin")
    await desk.say(f"{ORDER} about QX-201")
    desk.finds = "9 mg/kg"
    (card,) = await desk.later(hours=20)
    assert "**Now:**" in card.text
    asked = await below_the_digest(desk, "And in dogs?")
    assert asked.previous == ("What was the NOAEL?",)
