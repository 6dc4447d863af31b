"""The list of threads: titles that differ, search, a new title, delete and undo."""

from adapters.web.threads import Item, Threads, short_title, with_distinct_titles
from agents.runs.pipeline import new_run
from bot.threads import ORDERED
from bot.values import Card, CardKind, ThreadRef
from bot.views import Views
from tests.support.archive import KINDS
from tests.support.memory import MemoryConversations, MemoryOutbox
from tests.support.memory.ledger import MemoryLedger
from tests.support.memory.revisions import MemoryRevisions

HERE = ThreadRef("web", "archive", "0" * 12)


class Desk:
    """A page's threads in memory."""

    def __init__(self) -> None:
        self.ledger = MemoryLedger()
        self.conversations = MemoryConversations(self.ledger, MemoryOutbox())
        self.threads = Threads(self.ledger, Views(KINDS, self.ledger, MemoryRevisions()), self.conversations)

    async def ask(self, thread: str, text: str, channel: str = "archive") -> ThreadRef:
        place = ThreadRef("web", channel, thread)
        run = new_run("archive", {"text": text}, f"{thread} {text}", thread_id=place.thread_id)
        await self.conversations.start(run, place, Card(CardKind.PROGRESS))
        return place

    async def titles(self, words: str = "") -> list[str]:
        return [item.title for item in (await self.threads.listed(HERE, words))["archive"]]


def test_a_title_leaves_out_what_most_questions_begin_with() -> None:
    assert short_title("What was the first-in-human dose of ZX-1?") == "First-in-human dose of ZX-1"
    assert short_title("Please tell me which is the highest dose?") == "Highest dose"
    assert short_title("Why was ZX-1 stopped?") == "Why was ZX-1 stopped"
    assert short_title("What was the?") == "What was the?"
    assert short_title("  ") == "Untitled"


def test_threads_of_one_title_are_told_apart_by_when_they_began() -> None:
    def item(thread: str, title: str, begun: str) -> Item:
        return Item(thread, title, title, f"2026-11-{begun}+00:00")

    apart = with_distinct_titles(
        [
            item("a", "Dose", "22T10:00:00"),
            item("b", "Dose", "22T10:00:30"),
            item("c", "Organs", "21T09:00:00"),
        ]
    )
    assert [one.when for one in apart] == ["22 Nov 10:00:00", "22 Nov 10:00:30", ""]
    days = with_distinct_titles([item("a", "Dose", "22T10:00:00"), item("b", "Dose", "21T10:00:00")])
    assert [one.when for one in days] == ["22 Nov", "21 Nov"]


async def test_a_thread_is_called_as_its_reader_says_until_the_title_is_taken_away() -> None:
    desk = Desk()
    thread = await desk.ask("a" * 12, "What was the highest dose of ZX-1?")
    await desk.threads.rename(thread, "  Doses  for Friday ")
    assert await desk.titles() == ["Doses for Friday"]
    await desk.threads.rename(thread, "")
    assert await desk.titles() == ["Highest dose of ZX-1"]


async def test_a_deleted_thread_is_gone_until_it_is_put_back_or_asked_in() -> None:
    desk = Desk()
    thread, _ = await desk.ask("a" * 12, "Why was ZX-1 stopped?"), await desk.ask("b" * 12, "Who signed?")
    await desk.threads.delete(thread)
    assert await desk.titles() == ["Who signed"]
    assert await desk.threads.is_deleted(thread)
    await desk.threads.restore(thread)
    assert await desk.titles() == ["Who signed", "Why was ZX-1 stopped"]
    await desk.threads.delete(thread)
    later = new_run("archive", {"text": "And in dogs?"}, "later", thread_id=thread.thread_id)
    await desk.ledger.create(later)
    assert "Why was ZX-1 stopped" in await desk.titles()
    assert not await desk.threads.is_deleted(thread)
    assert len(await desk.ledger.runs()) == 3


async def test_a_search_finds_threads_by_all_words_of_any_question_or_title() -> None:
    desk = Desk()
    first = await desk.ask("a" * 12, "Why was ZX-1 stopped?")
    await desk.ask("a" * 12, "And the liver of dogs?")
    await desk.ask("b" * 12, "Liver findings of ZX-2?")
    assert await desk.titles("LIVER") == ["Liver findings of ZX-2", "Why was ZX-1 stopped"]
    assert await desk.titles("liver dogs") == ["Why was ZX-1 stopped"]
    await desk.threads.rename(first, "Closure")
    assert await desk.titles("closure") == ["Closure"]
    assert await desk.titles("kidney") == []


async def test_threads_of_other_platforms_are_not_listed() -> None:
    desk = Desk()
    slack = ThreadRef("slack", "archive", "1.2")
    run = new_run("archive", {"text": "How much?"}, "k", thread_id=slack.thread_id)
    await desk.ledger.create(run)
    assert await desk.titles() == []


async def test_a_thread_in_which_only_a_digest_was_ordered_is_listed() -> None:
    desk = Desk()
    thread = ThreadRef("web", "archive", "d" * 12)
    await desk.conversations.remember(thread, ORDERED, "2026-11-22T10:00:00.000000+00:00")
    await desk.conversations.remember(ThreadRef("slack", "C1", "1"), ORDERED, "2026-11-22T10:00")
    assert await desk.titles() == ["Digests"]
    await desk.ask("d" * 12, "What was the highest dose of ZX-1?")
    assert await desk.titles() == ["Highest dose of ZX-1"]
    other = ThreadRef("web", "archive", "e" * 12)
    await desk.conversations.remember(other, ORDERED, "2026-11-22T10:00:00.000000+00:00")
    await desk.threads.delete(other)
    assert await desk.titles() == ["Highest dose of ZX-1"]
