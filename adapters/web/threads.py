"""The page's threads: their list, under titles that differ; search; a new title; delete and undo.

What is deleted leaves the list. Its runs stay in the ledger, which forgets nothing, and a new question in the
thread brings it back.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from adapters.web.board import Board
from agents.ports import Ledger
from agents.runs.clock import stamp, utc_now
from agents.runs.records import RunRecord
from bot.ports import Conversations
from bot.threads import ORDERED
from bot.values import ThreadRef
from bot.views import Views

CHANNEL = "archive"
"""The channel that is always there."""
SHOWN = 30
"""Threads of a channel in the list."""
RUNS_READ, RUNS_SEARCHED = 500, 3_000
TITLE, DELETED = "?title", "?deleted"
"""Under which a thread keeps its title, and when it was deleted. No kind of run has such a name."""
SHORTEST_TITLE, LONGEST_TITLE = 8, 120
OPENING = re.compile(
    r"(?:(?:please|(?:can|could) you(?: please)?|(?:tell|show|give) me|i want to know)[,:]?\s+)*"
    r"(?:(?:what|which) (?:is|are|was|were)\s+)?(?:the\s+)?",
    re.IGNORECASE,
)
"""How many questions begin: in a narrow list all of them would look the same."""
DATES = ("%-d %b", "%-d %b %H:%M", "%-d %b %H:%M:%S")


@dataclass(frozen=True, slots=True)
class Item:
    """A thread in the list. `begun` is ISO 8601, UTC; `asked` is its first question.

    `when` is set where others have the same title, and tells it from them.
    """

    thread: str
    title: str
    asked: str
    begun: str
    when: str = ""


@dataclass(frozen=True, slots=True)
class Threads:
    """What is known of the page's threads."""

    ledger: Ledger
    views: Views
    conversations: Conversations

    async def listed(self, place: ThreadRef, words: str = "") -> dict[str, list[Item]]:
        """Channels and their threads, newest first, those with nothing but digests above; with `words` only
        threads that hold all of them.
        """
        runs = await self.ledger.runs(limit=RUNS_SEARCHED if words else RUNS_READ)
        titles = await self.conversations.remembered_as(TITLE)
        deleted = await self.conversations.remembered_as(DELETED)
        channels: dict[str, list[Item]] = {CHANNEL: [], place.channel: []}
        for thread_id, records in _by_thread(runs).items():
            thread = ThreadRef.parse(thread_id)
            if thread.platform != Board.name or records[0].created <= deleted.get(thread_id, ""):
                continue
            if item := self._item(thread, records, titles.get(thread_id, ""), words.casefold().split()):
                channels.setdefault(thread.channel, []).append(item)
        if not words:
            known = {ThreadRef.parse(thread_id) for thread_id in _by_thread(runs)}
            for thread, item in await self._with_digests(titles, deleted):
                if thread not in known:
                    channels.setdefault(thread.channel, []).insert(0, item)
        return {channel: with_distinct_titles(items[:SHOWN]) for channel, items in channels.items()}

    async def _with_digests(
        self, titles: Mapping[str, str], deleted: Mapping[str, str]
    ) -> list[tuple[ThreadRef, Item]]:
        """The page's threads in which a digest was ordered: nothing may have been asked there."""
        ordered = (await self.conversations.remembered_as(ORDERED)).items()
        found = [(ThreadRef.parse(thread_id), thread_id, at) for thread_id, at in ordered]
        return [
            (thread, Item(thread.thread, titles.get(thread_id) or "Digests", "", at))
            for thread, thread_id, at in found
            if thread.platform == Board.name and thread.thread and at > deleted.get(thread_id, "")
        ]

    def _item(
        self, thread: ThreadRef, records: Sequence[RunRecord], title: str, words: Sequence[str]
    ) -> Item | None:
        """A thread by its runs, newest first; None if it holds not all of the words."""
        asked = [self._asked(record) for record in records]
        first, begun = asked[-1], records[-1].created
        text = " ".join((title, *asked)).casefold()
        if not all(word in text or any(self._answered(one, word) for one in records) for word in words):
            return None
        return Item(thread.thread, title or short_title(first), first, begun)

    def _asked(self, record: RunRecord) -> str:
        """The question of a run; its result is not read for that."""
        if record.pipeline not in self.views.kinds:
            return "A question of another version"
        return self.views.kinds.view(replace(record, result="")).asked

    def _answered(self, record: RunRecord, word: str) -> bool:
        """Whether the short answer of a run holds a word."""
        if word not in record.result.casefold() or record.pipeline not in self.views.kinds:
            return False
        report = self.views.kinds.view(record).report
        return report is not None and word in report.short.casefold()

    async def is_deleted(self, thread: ThreadRef) -> bool:
        """Whether a thread was deleted, and nothing asked in it since."""
        at = (await self.conversations.remembered(thread)).get(DELETED, "")
        newest = await self.ledger.runs(limit=1, thread_id=thread.thread_id) if at else []
        return bool(newest) and newest[0].created <= at

    async def rename(self, thread: ThreadRef, title: str) -> None:
        """Give a thread a title; without one it is named after its first question again."""
        await self.conversations.remember(thread, TITLE, " ".join(title.split())[:LONGEST_TITLE])

    async def delete(self, thread: ThreadRef) -> None:
        """Take a thread off the list."""
        await self.conversations.remember(thread, DELETED, stamp(utc_now()))

    async def restore(self, thread: ThreadRef) -> None:
        """Put a deleted thread back."""
        await self.conversations.remember(thread, DELETED, "")


def _by_thread(runs: Sequence[RunRecord]) -> Mapping[str, list[RunRecord]]:
    threads: dict[str, list[RunRecord]] = {}
    for record in runs:
        if record.thread_id:
            threads.setdefault(record.thread_id, []).append(record)
    return threads


def short_title(question: str) -> str:
    """A question without the words that most of them begin with."""
    whole = " ".join(question.split())
    kept = OPENING.sub("", whole, count=1).rstrip("?!. ")
    shown = kept if len(kept) >= SHORTEST_TITLE else whole
    return f"{shown[:1].upper()}{shown[1:]}"[:LONGEST_TITLE] or "Untitled"


def with_distinct_titles(items: Sequence[Item]) -> list[Item]:
    """The same threads; those of one title get the time when they began."""
    times = Counter(item.title for item in items)
    return [replace(item, when=_when(item, items)) if times[item.title] > 1 else item for item in items]


def _when(item: Item, items: Sequence[Item]) -> str:
    """When a thread began, exact enough to tell it from those that are called the same."""
    if not item.begun:
        return ""
    alike = [datetime.fromisoformat(one.begun) for one in items if one.title == item.title and one.begun]
    for form in DATES:
        dates = [begun.strftime(form) for begun in alike]
        if len(set(dates)) == len(dates):
            break
    return datetime.fromisoformat(item.begun).strftime(form)
