"""What a worker does with a run id: execute the run, show its progress, hand its answer over once."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext

from agents.ports import Artefacts, Ledger
from agents.runs.artefacts import MemoryArtefacts
from agents.runs.execute import LEASE_SECONDS, execute
from agents.runs.lease import Heartbeat, Locks, no_locks
from agents.runs.pipeline import Pipeline
from agents.runs.records import RunRecord, RunState
from bot.cards import ending_cards
from bot.editor import Editor
from bot.listening import Listening
from bot.ports import Conversations, Outbox
from bot.progress import EVERY_S, Progress
from bot.turns import Turns
from bot.values import Card, ThreadRef, answer_slot
from bot.views import Views

logger = logging.getLogger(__name__)

PipelinesOf = Callable[[RunRecord], Awaitable[Mapping[str, Pipeline]]]
"""How a run is executed that may read a part of the archive."""
KEPT_DAYS = 30
"""How long the outbox keeps cards that were shown."""


class Executor:
    """Executes runs. Every method is safe to repeat, on this worker or another.

    `pipelines_of` gives the pipelines of a run that may read a part of the archive alone; `ended` is told of
    each run once it is over and handed over.
    """

    def __init__(
        self,
        ledger: Ledger,
        conversations: Conversations,
        outbox: Outbox,
        pipelines: Mapping[str, Pipeline],
        views: Views,
        *,
        pipelines_of: PipelinesOf | None = None,
        owner: str,
        artefacts: Artefacts | None = None,
        lease_seconds: float = LEASE_SECONDS,
        locks: Locks = no_locks,
        heartbeat: Heartbeat | None = None,
        progress_every_s: float = EVERY_S,
        turns: Turns | None = None,
        ended: Callable[[RunRecord], Awaitable[None]] | None = None,
    ) -> None:
        self._ledger = ledger
        self._conversations = conversations
        self._outbox = outbox
        self._pipelines = pipelines
        self._pipelines_of = pipelines_of
        self._owner = owner
        self._artefacts = artefacts or MemoryArtefacts()
        self._lease_seconds = lease_seconds
        self._locks = locks
        self._heartbeat = heartbeat
        self._handing_over = asyncio.Lock()
        self._views = views
        self._editor = Editor(views, conversations, outbox)
        self._listening = Listening(ledger, outbox, views.kinds)
        self._in_hand: dict[str, bool] = {}
        """Whether each is to be looked at again."""
        self._turns = turns or Turns()
        self._ended = ended
        self._rooms: dict[str, AbstractAsyncContextManager[None]] = {}
        self._progress = Progress(ledger, outbox, views, self._artefacts, every_s=progress_every_s)

    async def execute_next(self, named: str) -> None:
        """Execute the run whose turn it is among those that wait in the queue of the run named; that run, if
        none waits. Raises `UnknownRun`.
        """
        record, tried = await self._ledger.run(named), set[str]()
        while record:
            turn = self._turns.next(await self._ledger.line(record.queue), {*tried, *self._in_hand})
            if not turn:
                break
            if await self.execute(turn):
                return
            tried.add(turn)  # another worker was quicker
        await self.execute(named)

    async def execute(self, run_id: str) -> bool:
        """Execute a run to its end, when there is room for its kind, and hand over what it ended with.

        Does nothing for a run that is over and handed over, waits for a person, or is executed by somebody.
        Whether it was executed here. Raises `UnknownRun`.
        """
        busy = run_id in self._in_hand
        self._in_hand[run_id] = True
        if busy:
            return False
        executed = False
        try:
            record = await self._ledger.run(run_id)
            async with self._room(record.pipeline if record else ""):
                while self._in_hand[run_id]:
                    self._in_hand[run_id] = False
                    here = await self._execute_and_show(run_id, record)
                    executed |= here
                    record = await self._ledger.run(run_id)
                    if here and record and record.state is RunState.QUEUED:
                        self._in_hand[run_id] = True  # decided before it was let go: others had to refuse it
                return executed
        finally:
            del self._in_hand[run_id]

    def _room(self, kind: str) -> AbstractAsyncContextManager[None]:
        """Where runs of a kind wait till fewer than its limit are executed. Its first run loads it."""
        if kind not in self._rooms:
            limit = self._pipelines[kind].concurrency if kind in self._pipelines else None
            self._rooms[kind] = asyncio.Semaphore(limit) if limit else nullcontext()
        return self._rooms[kind]

    async def hand_over(self, run_id: str) -> None:
        """Put the last progress card and the report of a run that is over into the outbox.

        The thread then keeps what the run's kind wants to be remembered.
        """
        async with self._handing_over:
            record = await self._ledger.run(run_id)
            if record is None or not record.thread_id:
                return
            if record.state is RunState.WAITING:
                await self._progress.ended(record)
            if record.state.over and not record.handed_over:
                await self._hand_over(record)

    async def tidy(self) -> None:
        """Forget cards that were shown long ago; what they said stands in the ledger."""
        if forgotten := await self._outbox.forget(KEPT_DAYS):
            logger.info("%d cards shown more than %d days ago are forgotten", forgotten, KEPT_DAYS)

    async def _hand_over(self, record: RunRecord) -> None:
        thread = ThreadRef.parse(record.thread_id)
        await self._remember(record, thread)
        await self._progress.ended(record)
        for slot, card in await self._cards(record):
            await self._outbox.put(thread, slot, card)
        if missed := await self._listening.missed(record):
            await self._outbox.put(thread, f"missed:{record.run_id}", missed)
        # If a worker dies before this line, the same rows are written once more.
        if await self._ledger.handed_over(record) and self._ended:
            await self._ended(record)

    async def _execute_and_show(self, run_id: str, record: RunRecord | None) -> bool:
        if record is None or not record.thread_id:
            return await self._execute(run_id, record)
        executed = False
        if not record.state.over:
            async with self._progress.shown(record):
                executed = await self._execute(run_id, record)
        await self.hand_over(run_id)
        return executed

    async def _execute(self, run_id: str, record: RunRecord | None) -> bool:
        narrowed = self._pipelines_of if record and record.reads else None
        return await execute(
            run_id,
            self._ledger,
            await narrowed(record) if narrowed and record else self._pipelines,
            self._owner,
            artefacts=self._artefacts,
            lease_seconds=self._lease_seconds,
            locks=self._locks,
            heartbeat=self._heartbeat,
        )

    async def _cards(self, record: RunRecord) -> Iterable[tuple[str, Card]]:
        """What the run shows: its report, or what it changed in another run's report."""
        if record.revises:
            return ((answer_slot(record.run_id), await self._editor.take_in(record)),)
        feedback = await self._conversations.feedback(record.run_id)
        return ending_cards(await self._views.of(record), feedback)

    async def _remember(self, record: RunRecord, thread: ThreadRef) -> None:
        if record.revises:  # it belongs to the earlier run, which the thread remembers already
            return
        before = (await self._conversations.remembered(thread)).get(record.pipeline, "")
        if value := self._views.kinds.remembered(record, before):
            await self._conversations.remember(thread, record.pipeline, value)
