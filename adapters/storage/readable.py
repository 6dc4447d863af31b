"""Runs and conversations as somebody sees them who may read a part of the archive.

A run that may have read more than they may, or that speaks of a document that they may not read now, is not
there for them: not in lists, not by its id, not in what a thread remembers. What they start is marked with
what it may read.
"""

import json
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select

from adapters.storage.conversations import SqlConversations
from adapters.storage.ledger import SqlLedger
from adapters.storage.outbox import SqlOutbox
from adapters.storage.storage import Storage
from adapters.storage.tables import REVISIONS, RUNS
from agents.runs.records import RunRecord, RunState, StepRecord
from bot.rights import marked, within
from bot.values import Card, ThreadRef

DOCUMENTS = {"doc_id", "doc_ids", "chunk_id", "document", "documents", "newest_version", "copy_of", "id"}
"""Under which documents and their chunks stand in JSON. Elsewhere anybody's words may stand: if the words of
who writes a name vanished, that would tell that there is such a document.
"""
MOST_LOOKED_AT = 4
"""Runs that are looked at for each one that a list shows at most."""

Hidden = Callable[[], Awaitable[frozenset[str]]]
"""The ids of the documents that may not be read."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What may be read, and the ids of what may not."""

    mine: frozenset[str]
    hidden: Hidden

    async def clear(self, *texts: str) -> bool:
        """Whether texts in JSON name no document that may not be read, nor a chunk of one."""
        if not (hidden := await self.hidden()):
            return True
        return not any(_names(text, hidden) for text in texts)


class ReadableLedger(SqlLedger):
    """The runs that may be seen."""

    def __init__(self, whole: Storage, sight: Sight) -> None:
        super().__init__(whole.database)
        self._sight = sight

    async def create(self, record: RunRecord) -> bool:
        """See the port."""
        return await super().create(replace(record, reads=marked(self._sight.mine)))

    async def run(self, run_id: str) -> RunRecord | None:
        """See the port."""
        return await self._seen(await super().run(run_id))

    async def run_of_request(self, request_key: str) -> RunRecord | None:
        """See the port."""
        return await self._seen(await super().run_of_request(request_key))

    async def runs(
        self, *, limit: int = 50, thread_id: str = "", state: RunState | None = None
    ) -> list[RunRecord]:
        """See the port."""
        found = await super().runs(limit=MOST_LOOKED_AT * limit, thread_id=thread_id, state=state)
        return (await self.seen(found))[:limit]

    async def steps(self, run_id: str) -> list[StepRecord]:
        """See the port; a step that speaks of what may not be read is left out."""
        steps = await super().steps(run_id) if await self.run(run_id) else []
        return [one for one in steps if await self._sight.clear(one.output)]

    async def seen(self, records: Collection[RunRecord]) -> list[RunRecord]:
        """Those of some runs that may be seen."""
        return [one for one in records if await self._seen(one)]

    async def _seen(self, record: RunRecord | None) -> RunRecord | None:
        if record is None or not within(record.reads, self._sight.mine):
            return None
        lines = await self._revisions(record.run_id) if record.result else []
        if not all(within(reads, self._sight.mine) for _, reads in lines if reads is not None):
            return None
        texts = (record.inputs, record.result, *(section for section, _ in lines))
        return record if await self._sight.clear(*texts) else None

    async def _revisions(self, run_id: str) -> Sequence[Any]:
        """Section of each revision, and what the run read that wrote it; None where a person did."""
        query = select(REVISIONS.c.section, RUNS.c.reads).where(REVISIONS.c.report_id == run_id)
        by_run = REVISIONS.outerjoin(RUNS, RUNS.c.run_id == REVISIONS.c.run_id)
        return await self._database.rows(query.select_from(by_run))


class ReadableConversations(SqlConversations):
    """What is kept of threads, without what came of runs that may not be seen. `kinds` are those of runs."""

    def __init__(self, whole: Storage, ledger: ReadableLedger, sight: Sight, kinds: Collection[str]) -> None:
        super().__init__(whole.database)
        self._ledger, self._sight, self._kinds = ledger, sight, kinds
        self._whole = whole.ledger

    async def start(self, record: RunRecord, thread: ThreadRef, card: Card) -> bool:
        """See the port."""
        return await super().start(replace(record, reads=marked(self._sight.mine)), thread, card)

    async def runs(
        self, channel: ThreadRef, *, since: str = "", limit: int = 50, state: RunState | None = None
    ) -> list[RunRecord]:
        """See the port."""
        found = await super().runs(channel, since=since, limit=MOST_LOOKED_AT * limit, state=state)
        return (await self._ledger.seen(found))[:limit]

    async def remembered(self, thread: ThreadRef) -> Mapping[str, str]:
        """See the port. A thread with a run that may not be seen has forgotten what its runs left behind, and
        a channel the items of its lists that came of one or name a document that may not be read.
        """
        kept = await super().remembered(thread)
        if any(name in self._kinds for name in kept):
            there, seen = await self._runs(thread.thread_id)
            if seen < there:
                kept = {name: value for name, value in kept.items() if name not in self._kinds}
        told = {name: await self._told(value) for name, value in kept.items()}
        return {name: value for name, value in told.items() if value is not None}

    async def remember(self, thread: ThreadRef, kind: str, value: str) -> None:
        """See the port. Items of a list that are not told stay in it."""
        before = _items((await super().remembered(thread)).get(kind, ""))
        untold = [one for one in before or () if not await self._tells(one)]
        if untold and (items := _items(value)) is not None:
            value = json.dumps([*untold, *items], ensure_ascii=False)
        await super().remember(thread, kind, value)

    async def remembered_as(self, kind: str) -> Mapping[str, str]:
        """See the port; without threads in which there is nothing but runs that may not be seen."""
        kept = {}
        for thread_id, value in (await super().remembered_as(kind)).items():
            there, seen = await self._runs(thread_id)
            if (seen or not there) and (told := await self._told(value)) is not None:
                kept[thread_id] = told
        return kept

    async def _told(self, text: str) -> str | None:
        """What is told of a kept text: of a list the items that may be, of any other all or nothing."""
        clear, items = await self._sight.clear(text), _items(text)
        if items is None or (clear and '"run_id"' not in text):
            return text if clear else None
        told = [one for one in items if await self._tells(one)]
        return text if len(told) == len(items) else json.dumps(told, ensure_ascii=False)

    async def _tells(self, item: Any) -> bool:
        run_id = item.get("run_id") if isinstance(item, dict) else ""
        if run_id and await self._whole.run(run_id) and not await self._ledger.run(run_id):
            return False
        return await self._sight.clear(json.dumps(item))

    async def _runs(self, thread_id: str) -> tuple[int, int]:
        """How many runs a thread has, and how many of these may be seen."""
        there = await self._whole.runs(limit=MOST_LOOKED_AT * 50, thread_id=thread_id)
        return len(there), len(await self._ledger.seen(there))


class ReadableOutbox(SqlOutbox):
    """Cards on their way, marked with what their maker may read."""

    def __init__(self, whole: Storage, mine: frozenset[str]) -> None:
        super().__init__(whole.database)
        self._mark = marked(mine)

    async def put(self, thread: ThreadRef, slot: str, card: Card, after: float = 0.0) -> None:
        """See the port."""
        await super().put(thread, slot, replace(card, reads=self._mark), after)


def readable_storage(whole: Storage, mine: frozenset[str], hidden: Hidden, kinds: Collection[str]) -> Storage:
    """A database as somebody sees it who may read the collections `mine`."""
    sight = Sight(mine, hidden)
    ledger = ReadableLedger(whole, sight)
    conversations = ReadableConversations(whole, ledger, sight, kinds)
    return replace(whole, ledger=ledger, conversations=conversations, outbox=ReadableOutbox(whole, mine))


def _items(text: str) -> list[Any] | None:
    """The items of a list in JSON; None for any other text."""
    found = _read(text)
    return found if isinstance(found, list) else None


def _read(text: str) -> Any:
    """The value of a text in JSON; None for any other."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def _names(text: str, hidden: frozenset[str]) -> bool:
    waiting = [("", _read(text))]
    while waiting:
        under, value = waiting.pop()
        if isinstance(value, dict):
            waiting += value.items()
        if isinstance(value, dict | list):
            waiting += [(under, one) for one in value]
        elif under in DOCUMENTS and hidden & {value, str(value).rpartition("#")[0]}:
            return True
    return False
