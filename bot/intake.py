"""Where a message enters: it is understood, written down once, and handed on. Nothing slow happens here, but
that the files are read which somebody gives to a section.
"""

import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from agents.errors import AgentError, WrongOrder
from agents.kinds import AnyKind, Kinds
from agents.runs.records import RunRecord
from bot import cards, offers
from bot.access import NOBODY_NAMED, Access, was_told_lately
from bot.additions import Additions
from bot.changed_messages import ChangedMessages
from bot.commands import understand
from bot.digests.orders import ORDERS, DigestOrders
from bot.errors import BadRequest, BotError, NoPoll, NotAllowed
from bot.given import with_words
from bot.listening import Listening
from bot.offers import Offers
from bot.ports import FileReader, Names, NoFiles
from bot.private import Sharing
from bot.reactions import Reactions
from bot.receipts import Receipt
from bot.record_cards import Listing
from bot.replies import ExportPlace, Replies, export_by_command
from bot.rights import Permits, allowed
from bot.routing import Chooser, Misspelt, Routed
from bot.run_meant import LOOKS, RunsMeant
from bot.services import Services
from bot.small_talk import opens_a_talk, small_talk
from bot.starting import BudgetOf, Starting, kind_budget
from bot.threads import DOUBTFUL, Thread, Threads
from bot.values import Button, Card, Command, CommandName, Incoming, ThreadRef
from bot.waits import Waits

logger = logging.getLogger(__name__)

Starters = Callable[[], Awaitable[tuple[str, ...]]]
"""Questions to begin with, each of which can be answered."""
Reading = Callable[[Incoming], Awaitable["Intake | None"]]
"""The intake of who reads the reply to a message, where that is not everybody who reads everything."""
ASKING = (CommandName.ASK, CommandName.ROUTE, CommandName.RECORDS)
TWICE_S = 3.0
"""Seconds within which the same question twice is one: a second click, or Enter twice."""
SAY = "say"
"""The press that says something in the reader's stead, such as a command that was misspelt."""
NOT_UNDERSTOOD = "I do not know what to do with this message. Write `help` to see what can be asked."


class Intake:
    """Receives messages and button presses of every platform.

    A question becomes a run, written together with its first progress card in one transaction keyed by the
    platform's event id; then it is acknowledged, and enqueued. When the queue is down the run stays written,
    and a worker's sweeper finds it.
    """

    def __init__(
        self,
        rooms: Services,
        *,
        budget: BudgetOf = kind_budget,
        chooser: Chooser | None = None,
        export_place: ExportPlace = export_by_command,
        access: Mapping[str, Access] = NOBODY_NAMED,
        files: FileReader | None = None,
        orders: DigestOrders | None = None,
        additions: Additions | None = None,
        names: Names | None = None,
        starters: Starters | None = None,
        reading: Reading | None = None,
        permits: Permits = allowed,
        listing: Listing | None = None,
        waits: Waits | None = None,
    ) -> None:
        self._reading = reading
        self._lately: dict[str, tuple[float, Incoming]] = {}
        self._starters = starters
        self._listing = listing
        self._files = files or NoFiles()
        self._access = access
        self._ledger, self._conversations = rooms.ledger, rooms.conversations
        self._outbox, self._views = rooms.outbox, rooms.views
        self._starting = Starting(rooms, budget, waits)
        self._runs_meant = RunsMeant(rooms)
        kept = (rooms.conversations, rooms.outbox, rooms.views)
        self._offers = Offers(*kept, self._runs_meant, additions, rooms.may_change)
        self.additions = additions
        self._threads = Threads(rooms, chooser, names)
        self._replies = Replies(rooms, export_place, files, orders)
        self._listening = Listening(rooms.ledger, rooms.outbox, rooms.views.kinds)
        self._reactions = Reactions(rooms, self._replies, self._listening)
        self.changes = ChangedMessages(rooms)
        self.sharing = Sharing(rooms, permits)

    async def _other(self, incoming: Incoming) -> "Intake | None":
        return await self._reading(incoming) if self._reading else None

    async def receive(self, incoming: Incoming) -> Receipt:
        """Take in a message. The same event again changes nothing."""
        other = await self._other(incoming)
        return await (other or self)._received(incoming)

    async def _received(self, incoming: Incoming) -> Receipt:
        again = self._said_again(incoming)
        if incoming.reaction:
            return await self._reacted(incoming)
        if refused := self.refusal(incoming):
            logger.warning("%s of %s was refused: %s", incoming.user, incoming.thread.thread_id, refused)
            if await was_told_lately(self._conversations, incoming):
                return Receipt(None, duplicate=await self._conversations.seen(incoming.key))
            return await self._refuse(incoming, NotAllowed(refused))
        try:
            incoming = await with_words(incoming, self._views.kinds, self._files)
        except (BadRequest, WrongOrder) as error:
            return await self._refuse(incoming, error)
        return await self._understood(incoming, again)

    async def _understood(self, incoming: Incoming, again: bool) -> Receipt:
        """Do what a message says that may be said here."""
        if incoming.files and not incoming.action and await self._offers.offered(incoming):
            return Receipt(None)
        if incoming.action in offers.PRESSED:
            return Receipt(None, duplicate=not await self._offers.take(incoming))
        incoming = offers.as_given(incoming)
        if incoming.action == SAY:
            incoming = replace(incoming, text=incoming.value, action="", value="")
        try:
            command, run_id = understand(incoming)
        except BadRequest as error:
            return await self._refuse(incoming, error)
        if command.name in ASKING:
            if again:
                return Receipt(command.name, duplicate=True)
            thread = await self._threads.of(incoming)
            command, run_id = await self._threads.replied(incoming, command, thread) or (command, run_id)
            if command.name in ASKING:
                return await self._asked(incoming, command, run_id, thread)
        if await self._taken(incoming, command):
            return Receipt(command.name, run_id, duplicate=True)
        return await self._reply(incoming, command, run_id)

    async def _reacted(self, incoming: Incoming) -> Receipt:
        if await self._was_seen(incoming):
            return Receipt(None, duplicate=True)
        run_id = await self._reactions.take(incoming, self.refusal(incoming))
        await self._conversations.seen(incoming.key)
        return Receipt(None, run_id)

    async def _asked(self, incoming: Incoming, command: Command, run_id: str, thread: Thread) -> Receipt:
        """What asks for a run, or only talks. What a kind cannot take is told, and nothing is begun."""
        try:
            if command.name is CommandName.ROUTE:
                return await self._ask_of(incoming, thread, command.argument or run_id)
            if command.name is CommandName.RECORDS:
                if self._listing and (card := await self._listing(command.argument)):
                    return await self._told(incoming, command.name, card)
                command = Command(CommandName.ASK, incoming.text.strip())  # documents may tell more
            if thread.runs and await self._was_seen(incoming):  # words that decided what a run asked
                return Receipt(None, duplicate=True)
            if not incoming.action and (listener := self._listener(command, thread)):
                return await self._said(incoming, command.argument, listener)
            if said := _talk(incoming, command, self._views.kinds):
                return await self._chat(incoming, said)
            return await self._ask(incoming, thread, command.argument)
        except WrongOrder as error:
            return await self._refuse(incoming, error)

    async def order(self, incoming: Incoming, order: Routed) -> Receipt:
        """Start a run whose input is known already, as from the options of a command: no words are read."""
        if other := await self._other(incoming):
            return await other.order(incoming, order)
        if refused := self.refusal(incoming):
            return await self._refuse(incoming, NotAllowed(refused))
        try:
            return await self._starting.start(incoming, await self._threads.of(incoming), order)
        except WrongOrder as error:
            return await self._refuse(incoming, error)

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
        return not self.refusal(incoming)

    def refusal(self, incoming: Incoming) -> str:
        """Why who wrote this may not ask here; "" if they may."""
        return self._access.get(incoming.thread.platform, Access()).refusal(incoming)

    async def takes_part(self, thread: ThreadRef) -> bool:
        """Whether a reply in this thread needs no mention: see `Threads`."""
        return await self._threads.takes_part(thread)

    async def settle(self) -> None:
        """Wait for what goes on after a message was taken in."""
        await self._starting.settle()

    async def read_as(self, incoming: Incoming, kind: str) -> Routed | None:
        """A message as an order of this kind, by what its thread knows; None for one that is none.

        Raises `WrongOrder`.
        """
        if other := await self._other(incoming):
            return await other.read_as(incoming, kind)
        thread = await self._threads.of(incoming)
        routed = await self._threads.route(incoming, thread, incoming.text, kind)
        return routed if isinstance(routed, Routed) else None

    async def kind_of(self, incoming: Incoming) -> AnyKind | None:
        """The kind of run that a message would start; None for a command, a doubt or a refusal."""
        if other := await self._other(incoming):
            return await other.kind_of(incoming)
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
        if command.name is not CommandName.ASK or _talk(incoming, command, self._views.kinds):
            return None
        if self._listener(command, thread):
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
            return await self._starting.start(incoming, thread, routed)
        if await self._was_seen(incoming):
            return Receipt(CommandName.ASK, duplicate=True)
        if routed is None:
            card = cards.refusal_card(NOT_UNDERSTOOD, incoming.event_id)
        elif isinstance(routed, Misspelt):
            card = cards.misspelt_card(text, routed.word, routed.meant)
        else:
            doubt = {"text": text, "kinds": [kind.name for kind in routed.kinds]}
            await self._conversations.remember(incoming.thread, DOUBTFUL, json.dumps(doubt))
            card = cards.doubt_card([(kind.name, kind.title) for kind in routed.kinds])
        await self._tell(incoming, card)
        return Receipt(CommandName.ASK, refused=routed is None)

    async def _told(self, incoming: Incoming, name: CommandName, card: Card) -> Receipt:
        """Reply with a card, once."""
        if await self._was_seen(incoming):
            return Receipt(name, duplicate=True)
        await self._tell(incoming, card)
        return Receipt(name)

    def _said_again(self, incoming: Incoming) -> bool:
        """Whether the last that the same person did, a moment ago, was to say the same here."""
        now = time.monotonic()
        self._lately = {user: said for user, said in self._lately.items() if now - said[0] < TWICE_S}
        _, last = self._lately.get(incoming.user, (now, incoming))
        self._lately[incoming.user] = (now, incoming)
        return bool(incoming.text) and incoming == replace(last, event_id=incoming.event_id) != last

    async def _chat(self, incoming: Incoming, said: str) -> Receipt:
        """Reply to thanks, a greeting or the like, without a run."""
        questions = await self._starters() if self._starters and opens_a_talk(said) else ()
        buttons = tuple(Button(question, "ask", f" {question}") for question in questions)
        return await self._told(incoming, CommandName.TALK, cards.notice_card(said, buttons=buttons))

    def _listener(self, command: Command, thread: Thread) -> RunRecord | None:
        """The run that a message is said to; None for an order of its own, or where none listens."""
        return None if self._threads.orders(command.argument) else self._listening.listener(thread.runs)

    async def _said(self, incoming: Incoming, text: str, listener: RunRecord) -> Receipt:
        """Keep a message for a run that listens."""
        if await self._was_seen(incoming):
            return Receipt(CommandName.TALK, listener.run_id, duplicate=True)
        await self._listening.take(incoming, listener, text)
        await self._conversations.seen(incoming.key)
        return Receipt(CommandName.TALK, listener.run_id)

    async def _ask_of(self, incoming: Incoming, thread: Thread, kind: str) -> Receipt:
        """The user said which kind the doubtful message was for."""
        if known := await self._ledger.run_of_request(incoming.key):
            return Receipt(CommandName.ASK, known.run_id, duplicate=True)
        text = thread.doubtful("text")
        if text is None or kind not in self._views.kinds:
            return await self._refuse(incoming, BadRequest("Please write your message once more."))
        return await self._ask(incoming, thread, text, kind)

    async def _reply(self, incoming: Incoming, command: Command, run_id: str) -> Receipt:
        try:
            named = "" if command.name in ORDERS else run_id
            record = await self._runs_meant.about(incoming, command, named)
            card = await self._replies.reply(incoming, command, record)
        except (BadRequest, NotAllowed, AgentError) as error:
            if isinstance(error, NoPoll) and command.argument and not incoming.action:
                thread = await self._threads.of(incoming)
                if listener := self._listening.listener(thread.runs):  # between polls it counts votes itself
                    return await self._said(incoming, incoming.text, listener)
            await self._tell(incoming, cards.refusal_card(str(error), incoming.event_id))
            return Receipt(command.name, refused=True)
        await self._tell(incoming, card)
        started = await self._ledger.run_of_request(incoming.key) if record else None
        record = started or record
        return Receipt(command.name, record.run_id if record else "")

    async def look(self, incoming: Incoming) -> Card | None:
        """The reply to a command that changes nothing, such as one for sources; nothing is posted.

        Raises `BotError`, `AgentError` with what to tell.
        """
        if other := await self._other(incoming):
            return await other.look(incoming)
        if refused := self.refusal(incoming):
            raise NotAllowed(refused)
        command, run_id = understand(incoming)
        if command.name not in LOOKS:
            raise BadRequest("This is no command that only looks.")
        record = await self._runs_meant.about(incoming, command, run_id)
        return await self._replies.reply(incoming, command, record)

    async def _refuse(self, incoming: Incoming, error: BotError | AgentError) -> Receipt:
        if await self._was_seen(incoming):
            return Receipt(None, duplicate=True)
        await self._tell(incoming, cards.refusal_card(str(error), incoming.event_id))
        return Receipt(None, refused=True)

    async def _was_seen(self, incoming: Incoming) -> bool:
        return await self._conversations.was_seen(incoming.key)

    async def _tell(self, incoming: Incoming, card: Card | None) -> None:
        """Reply to a message that is dealt with, and remember it: one that a crash cut short comes again."""
        if card:
            await self._outbox.put(incoming.thread, f"reply:{incoming.key}", card)
        await self._conversations.seen(incoming.key)


def _talk(incoming: Incoming, command: Command, kinds: Kinds) -> str:
    """The reply to a written message that asks nothing; "" for any other."""
    if command.name is not CommandName.ASK or incoming.action:
        return ""
    return small_talk(command.argument, [kind.about for kind in kinds if kind.about])
