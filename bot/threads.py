"""What is known of a thread when a message comes: its latest runs, what it keeps, and what words reply to."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.kinds import chosen
from agents.runs.records import RunRecord, RunState
from bot.polls import Polls
from bot.ports import Names
from bot.routing import Chooser, Doubt, Misspelt, Routed, Router
from bot.services import Services
from bot.values import Command, CommandName, Incoming, ThreadRef

DOUBTFUL = "?"
"""Under which a thread keeps the message of which it is not clear what it is for."""
ORDERED = "?digest"
"""Under which a thread keeps when a digest was ordered in it (ISO 8601, UTC)."""
DIGEST = "digest"
"""The kind of slot that digests have."""
RUNS_READ = 10
"""Latest runs of a thread that a message is understood by."""


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread's latest runs, newest first, and what it keeps of each kind of run.

    Where nothing was asked in it yet, `runs` and `remembered` are those of the digest above, and `subject` is
    what that is about, in words.
    """

    runs: Sequence[RunRecord]
    remembered: Mapping[str, str]
    subject: str = ""

    def doubtful(self, key: str) -> Any:
        """A part of the message that is not clear yet; None without one."""
        kept = self.remembered.get(DOUBTFUL)
        return json.loads(kept)[key] if kept else None


class Threads:
    """Reads threads, and messages by what their threads know."""

    def __init__(self, rooms: Services, chooser: Chooser | None, names: Names | None = None) -> None:
        self._ledger, self._conversations = rooms.ledger, rooms.conversations
        self._outbox, self._views = rooms.outbox, rooms.views
        self._router = Router(rooms.views.kinds, chooser, names)
        self._polls = Polls(rooms)

    async def of(self, incoming: Incoming) -> Thread:
        """The thread of a message."""
        if incoming.opens:
            return Thread((), {})
        thread = incoming.thread
        runs = await self._ledger.runs(limit=RUNS_READ, thread_id=thread.thread_id)
        kept = await self._conversations.remembered(thread)
        return Thread(runs, kept) if runs else await self._below(thread, kept)

    async def _below(self, thread: ThreadRef, kept: Mapping[str, str]) -> Thread:
        """A thread in which nothing was asked yet: what the digest that it stands below told goes on."""
        above = await self._outbox.showing(thread, thread.thread) if thread.thread else None
        told = await self._outbox.shown(above.thread if above else thread, DIGEST)
        found = [card for slot, card in told if above is None or slot == above.slot]
        if not found:
            return Thread((), kept)
        card = found[-1]
        run = await self._ledger.run(card.goes_on) if card.goes_on else None
        if run is None or run.pipeline not in self._views.kinds:
            return Thread((), kept, card.about)
        return Thread((run,), {run.pipeline: self._views.kinds.remembered(run, ""), **kept}, card.about)

    async def takes_part(self, thread: ThreadRef) -> bool:
        """Whether somebody spoke to us in this thread before, or it stands below a message of ours, such as a
        digest of the channel: then a reply there needs no mention.
        """
        if await self._ledger.runs(limit=1, thread_id=thread.thread_id):
            return True
        kept = await self._conversations.remembered(thread)
        if any(kept.get(key) for key in (DOUBTFUL, ORDERED)):
            return True
        return bool(thread.thread and await self._outbox.showing(thread, thread.thread))

    async def route(
        self, incoming: Incoming, thread: Thread, text: str, named: str = ""
    ) -> Routed | Doubt | Misspelt | None:
        """The kind of run that a text is for; `named` is the one that the user picked."""
        told = (thread.remembered, thread.runs, thread.subject)
        pressed = bool(incoming.action)
        return await self._router.route(text, incoming.user, *told, named=named, as_it_is=pressed)

    def orders(self, text: str) -> bool:
        """Whether a text begins with the command word of a kind."""
        return self._router.command(text) is not None

    async def replied(
        self, incoming: Incoming, command: Command, thread: Thread
    ) -> tuple[Command, str] | None:
        """Words that reply to what was asked last in the thread, as a press of its button would."""
        if command.name is not CommandName.ASK or incoming.action:
            return None
        if decided := await self._decided(command.argument, thread):
            return decided
        kinds = [self._views.kinds[name] for name in thread.doubtful("kinds") or ()]
        titles = [kind.title for kind in kinds]
        title = chosen(command.argument, titles)
        if not title:
            return None
        return Command(CommandName.ROUTE, kinds[titles.index(title)].name), ""

    async def _decided(self, text: str, thread: Thread) -> tuple[Command, str] | None:
        """The text as a vote in a poll that is open, or as a decision, if the thread's last run waits for one
        and offers it.
        """
        for run in thread.runs:
            if number := await self._polls.meant(text, run):
                return Command(CommandName.VOTE, number), run.run_id
        if not thread.runs or thread.runs[0].state is not RunState.WAITING:
            return None
        run_id = thread.runs[0].run_id
        for asked in await self._ledger.open_requests(run_id):
            if not asked.request.poll and (option := chosen(text, asked.request.options)):
                return Command(CommandName.ANSWER, option), run_id
        return None
