"""Where a message enters: it is understood, written down once, and handed on. Nothing slow happens here, but
that the files are read which somebody gives to a section.
"""

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from agents.errors import AgentError, WrongOrder
from agents.kinds import AnyKind
from agents.ports import Ledger
from agents.runs.pipeline import new_run
from agents.runs.records import Budget, RunRecord
from bot import cards
from bot.access import Access
from bot.changed_messages import LOOKED_THROUGH, ChangedMessages
from bot.commands import language_note, understand
from bot.digests.orders import ORDERS, DigestOrders
from bot.errors import BadRequest, BotError, NotAllowed
from bot.guidance import guided
from bot.hand_on import NewRuns
from bot.offers import offer_card
from bot.ports import Conversations, FileReader, JobQueue, Outbox
from bot.private import Sharing
from bot.reactions import Reactions
from bot.replies import ExportPlace, Replies, export_by_command
from bot.routing import Chooser, Routed
from bot.small_talk import small_talk
from bot.steps import label
from bot.threads import DOUBTFUL, Thread, Threads
from bot.values import Card, Command, CommandName, Incoming, ThreadRef
from bot.views import Views

logger = logging.getLogger(__name__)

LOOKS = frozenset(
    {CommandName.SOURCES, CommandName.HISTORY, CommandName.CHANGES, CommandName.STATUS, CommandName.GUIDANCE}
)
"""Commands that change nothing, so that their reply may be shown without a trace."""
OF_CHANNEL = LOOKS | {CommandName.REMEMBER, CommandName.FORGET}
"""Commands that make sense where nothing was asked yet, about the channel's last report."""
NOT_UNDERSTOOD = "I do not know what to do with this message. Write `help` to see what can be asked."

NOBODY_NAMED: Mapping[str, Access] = {}
"""Who may ask, by platform, where nothing is set: see `Access`."""

BudgetOf = Callable[[AnyKind], Budget]


def approvals_note(kind: AnyKind) -> str:
    """Which of its steps a run will ask a person about; "" if none."""
    named = sorted(label(step, kind.labels) for step in kind.approvals)
    return f"It will ask before: {', '.join(named)}." if named else ""


def kind_budget(kind: AnyKind) -> Budget:
    """The budget that a kind gives its runs."""
    return kind.limits.budget


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a message; everything that is shown goes through the outbox.

    `command` is None for a message that was refused. `run_id` is the run it started or is about.
    `duplicate` is set when the same event had come before.
    """

    command: CommandName | None
    run_id: str = ""
    duplicate: bool = False


class Intake:
    """Receives messages and button presses of every platform.

    A question becomes a run, written together with its first progress card in one transaction keyed by the
    platform's event id, and is then enqueued. When the queue is down the run stays written, and a worker's
    sweeper finds it.
    """

    def __init__(
        self,
        ledger: Ledger,
        conversations: Conversations,
        outbox: Outbox,
        queue: JobQueue,
        views: Views,
        *,
        budget: BudgetOf = kind_budget,
        chooser: Chooser | None = None,
        export_place: ExportPlace = export_by_command,
        access: Mapping[str, Access] = NOBODY_NAMED,
        files: FileReader | None = None,
        orders: DigestOrders | None = None,
    ) -> None:
        self._access = access
        self._ledger = ledger
        self._conversations = conversations
        self._outbox = outbox
        self._new_runs = NewRuns(ledger, queue)
        self._views = views
        self._threads = Threads(ledger, conversations, views, chooser)
        self._budget = budget
        self._replies = Replies(ledger, conversations, outbox, queue, views, export_place, files, orders)
        self._reactions = Reactions(ledger, conversations, outbox, views, self._replies)
        self.changes = ChangedMessages(ledger, outbox, queue)
        self.sharing = Sharing(ledger, conversations, outbox, views)

    async def receive(self, incoming: Incoming) -> Receipt:
        """Take in a message. The same event again changes nothing."""
        if incoming.reaction:
            return await self._reacted(incoming)
        if refused := self._refusal(incoming):
            logger.warning("%s of %s was refused: %s", incoming.user, incoming.thread.thread_id, refused)
            return await self._refuse(incoming, NotAllowed(refused))
        if incoming.files and not incoming.action and await self._offered(incoming):
            return Receipt(None)
        try:
            command, run_id = understand(incoming)
        except BadRequest as error:
            return await self._refuse(incoming, error)
        if command.name in (CommandName.ASK, CommandName.ROUTE):
            thread = await self._threads.of(incoming)
            command, run_id = await self._threads.replied(incoming, command, thread) or (command, run_id)
            if command.name in (CommandName.ASK, CommandName.ROUTE):
                return await self._asked(incoming, command, run_id, thread)
        if await self._taken(incoming, command):
            return Receipt(command.name, run_id, duplicate=True)
        return await self._reply(incoming, command, run_id)

    async def _offered(self, incoming: Incoming) -> bool:
        """Ask what shall become of files, unless the words say it. True if there are no words besides."""
        try:
            if understand(incoming)[0].name is CommandName.GIVE:
                return False
        except BadRequest:
            if incoming.text.strip():
                return False
        if not await self._was_seen(incoming):
            record = await self._run_meant(incoming, "")
            card = offer_card(incoming.files, await self._views.whole(record) if record else None)
            await self._outbox.put(incoming.thread, f"files:{incoming.key}", card)
        if incoming.text.strip():
            return False
        await self._conversations.seen(incoming.key)
        return True

    async def _reacted(self, incoming: Incoming) -> Receipt:
        if await self._was_seen(incoming):
            return Receipt(None, duplicate=True)
        run_id = await self._reactions.take(incoming, self._refusal(incoming))
        await self._conversations.seen(incoming.key)
        return Receipt(None, run_id)

    async def _asked(self, incoming: Incoming, command: Command, run_id: str, thread: Thread) -> Receipt:
        """What asks for a run, or only talks. What a kind cannot take is told, and nothing is begun."""
        try:
            if command.name is CommandName.ROUTE:
                return await self._ask_of(incoming, thread, command.argument or run_id)
            if thread.runs and await self._was_seen(incoming):  # words that decided what a run asked
                return Receipt(None, duplicate=True)
            if said := _talk(incoming, command):
                return await self._chat(incoming, said)
            return await self._ask(incoming, thread, command.argument)
        except WrongOrder as error:
            return await self._refuse(incoming, error)

    async def order(self, incoming: Incoming, order: Routed) -> Receipt:
        """Start a run whose input is known already, as from the options of a command: no words are read."""
        if refused := self._refusal(incoming):
            return await self._refuse(incoming, NotAllowed(refused))
        return await self._start(incoming, await self._threads.of(incoming), order)

    async def _taken(self, incoming: Incoming, command: Command) -> bool:
        """Whether a message that starts no run was dealt with before.

        It is remembered after the work: one that a crash cut short is dealt with when it comes again.
        A decision is remembered before: what is lost of it stands open in the thread, and the words of one
        that was taken would be a question when they came again.
        """
        if command.name is CommandName.ANSWER:
            return await self._conversations.seen(incoming.key)
        return await self._was_seen(incoming)

    def admits(self, incoming: Incoming) -> bool:
        """Whether who wrote this may ask here."""
        return not self._refusal(incoming)

    def _refusal(self, incoming: Incoming) -> str:
        return self._access.get(incoming.thread.platform, Access()).refusal(incoming)

    async def takes_part(self, thread: ThreadRef) -> bool:
        """Whether somebody spoke to us in this thread before: then a reply there needs no mention."""
        return await self._threads.takes_part(thread)

    async def settle(self) -> None:
        """Wait for what goes on after a message was taken in."""
        await self._new_runs.settle()

    async def kind_of(self, incoming: Incoming) -> AnyKind | None:
        """The kind of run that a message would start; None for a command, a doubt or a refusal."""
        try:
            command, _ = understand(incoming)
        except BadRequest:
            return None
        if command.name not in (CommandName.ASK, CommandName.ROUTE):
            return None
        thread = await self._threads.of(incoming)
        command, _ = await self._threads.replied(incoming, command, thread) or (command, "")
        if command.name is CommandName.ROUTE:
            return self._views.kinds[command.argument]
        if command.name is not CommandName.ASK or _talk(incoming, command):
            return None
        try:
            routed = await self._threads.route(incoming, thread, command.argument)
        except WrongOrder:
            return None
        return routed.kind if isinstance(routed, Routed) else None

    async def _ask(self, incoming: Incoming, thread: Thread, text: str, named: str = "") -> Receipt:
        """Start a run of the kind that the message is for, or ask which kind that is."""
        routed = await self._threads.route(incoming, thread, text, named)
        if isinstance(routed, Routed):
            return await self._start(incoming, thread, routed)
        if await self._was_seen(incoming):
            return Receipt(CommandName.ASK, duplicate=True)
        if routed is None:
            card = cards.refusal_card(NOT_UNDERSTOOD, incoming.event_id)
        else:
            doubt = {"text": text, "kinds": [kind.name for kind in routed.kinds]}
            await self._conversations.remember(incoming.thread, DOUBTFUL, json.dumps(doubt))
            card = cards.doubt_card([(kind.name, kind.title) for kind in routed.kinds])
        await self._tell(incoming, card)
        return Receipt(CommandName.ASK)

    async def _chat(self, incoming: Incoming, said: str) -> Receipt:
        """Reply to thanks, a greeting or the like, without a run."""
        if await self._was_seen(incoming):
            return Receipt(CommandName.TALK, duplicate=True)
        await self._tell(incoming, cards.notice_card(said))
        return Receipt(CommandName.TALK)

    async def _ask_of(self, incoming: Incoming, thread: Thread, kind: str) -> Receipt:
        """The user said which kind the doubtful message was for."""
        if known := await self._ledger.run_of_request(incoming.key):
            return Receipt(CommandName.ASK, known.run_id, duplicate=True)
        text = thread.doubtful("text")
        if text is None or kind not in self._views.kinds:
            return await self._refuse(incoming, BadRequest("Please write your message once more."))
        return await self._ask(incoming, thread, text, kind)

    async def _start(self, incoming: Incoming, thread: Thread, routed: Routed) -> Receipt:
        """Write the run, then enqueue it."""
        kind = routed.kind
        inputs = await guided(self._conversations, incoming.thread, kind, routed.inputs)
        record = new_run(
            kind.name,
            inputs,
            incoming.key,
            thread_id=incoming.thread.thread_id,
            asked_by=incoming.user,
            budget=self._budget(kind),
            queue=kind.limits.queue,
        )
        asked = kind.asked(routed.inputs)
        notes = (kind.plan(routed.inputs), language_note(asked), approvals_note(kind))
        card = cards.started_card(record.run_id, asked, tuple(filter(None, notes)))
        if not await self._conversations.start(record, incoming.thread, card):
            known = await self._ledger.run_of_request(record.request_key)
            return Receipt(CommandName.ASK, known.run_id if known else "", duplicate=True)
        if thread.doubtful("text"):
            await self._conversations.remember(incoming.thread, DOUBTFUL, "")
        await self._new_runs.hand_on_or_leave(record)
        return Receipt(CommandName.ASK, record.run_id)

    async def _reply(self, incoming: Incoming, command: Command, run_id: str) -> Receipt:
        try:
            meant = await self._run_meant(incoming, "" if command.name in ORDERS else run_id)
            record = meant or await self._near(incoming, command)
            card = await self._replies.reply(incoming, command, record)
        except (BadRequest, NotAllowed, AgentError) as error:
            card = cards.refusal_card(str(error), incoming.event_id)
            record = None
        await self._tell(incoming, card)
        started = await self._ledger.run_of_request(incoming.key) if record else None
        record = started or record
        return Receipt(command.name, record.run_id if record else "")

    async def look(self, incoming: Incoming) -> Card | None:
        """The reply to a command that changes nothing, such as one for sources; nothing is posted.

        Raises `BotError`, `AgentError` with what to tell.
        """
        if refused := self._refusal(incoming):
            raise NotAllowed(refused)
        command, run_id = understand(incoming)
        if command.name not in LOOKS:
            raise BadRequest("This is no command that only looks.")
        record = await self._run_meant(incoming, run_id) or await self._near(incoming, command)
        return await self._replies.reply(incoming, command, record)

    async def _run_meant(self, incoming: Incoming, run_id: str) -> RunRecord | None:
        """The run a button names, or the last one of the thread."""
        if not run_id:
            runs = await self._ledger.runs(limit=1, thread_id=incoming.thread.thread_id)
            return runs[0] if runs else None
        record = await self._ledger.run(run_id)
        if record is None:
            raise BadRequest(f"The run {run_id} is not known here any more. Ask the question again.")
        if record.thread_id != incoming.thread.thread_id and not _may_see(record, incoming):
            raise NotAllowed("That answer belongs to another thread. Use the buttons there.")
        return record

    async def _near(self, incoming: Incoming, command: Command) -> RunRecord | None:
        """For a command about the channel in a private conversation that has no run yet: the last run of the
        channel that all may see.
        """
        thread = incoming.thread
        if not thread.only or command.name not in OF_CHANNEL:
            return None
        runs = [run for run in await self._ledger.runs(limit=LOOKED_THROUGH) if run.thread_id]
        found = ((run, ThreadRef.parse(run.thread_id)) for run in runs)
        place = (thread.platform, thread.channel)
        return next((run for run, at in found if (at.platform, at.channel) == place and not at.only), None)

    async def _refuse(self, incoming: Incoming, error: BotError | AgentError) -> Receipt:
        if await self._was_seen(incoming):
            return Receipt(None, duplicate=True)
        await self._tell(incoming, cards.refusal_card(str(error), incoming.event_id))
        return Receipt(None)

    async def _was_seen(self, incoming: Incoming) -> bool:
        return await self._conversations.was_seen(incoming.key)

    async def _tell(self, incoming: Incoming, card: Card | None) -> None:
        """Reply to a message that is dealt with, and remember it: one that a crash cut short comes again."""
        if card:
            await self._outbox.put(incoming.thread, f"reply:{incoming.key}", card)
        await self._conversations.seen(incoming.key)


def _may_see(record: RunRecord, incoming: Incoming) -> bool:
    """Whether somebody in a private conversation may be shown this run there: one of its channel that is
    everybody's, or their own.
    """
    at, thread = ThreadRef.parse(record.thread_id), incoming.thread
    same = (at.platform, at.channel) == (thread.platform, thread.channel)
    return same and bool(thread.only) and at.only in ("", incoming.user)


def _talk(incoming: Incoming, command: Command) -> str:
    """The reply to a written message that asks nothing; "" for any other."""
    return small_talk(command.argument) if command.name is CommandName.ASK and not incoming.action else ""
