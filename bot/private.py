"""What one person alone is shown beside a thread, and how it comes before everybody.

A private conversation is a thread of its own (`ThreadRef.only`): its runs, follow-ups and commands work as in
any other. What it was shown cannot be changed on the platform, so progress is shown once and the end again.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot.cards import ending_cards, notice_card
from bot.errors import BadRequest, DeliveryFailed, NotAllowed
from bot.ports import ChatPlatform, ShowsPrivately
from bot.rights import Permits, allowed
from bot.services import Services
from bot.values import Button, Card, CardKind, Incoming, ThreadRef

SHOWN = "private"
"""The id of a message that cannot be changed."""
SHARED = "It stands in the channel now."
OpenThread = Callable[[str], Awaitable[ThreadRef]]
"""Begins a thread in the channel with a text, for what was asked beside no thread."""


async def show_privately(platform: ChatPlatform, thread: ThreadRef, card: Card, message_id: str) -> str:
    """Show a card of a private conversation; progress only once. Raises `DeliveryFailed`."""
    if not isinstance(platform, ShowsPrivately):
        raise DeliveryFailed(f"{platform.name} can show nothing to one person alone.")
    if not message_id or card.kind is not CardKind.PROGRESS:
        await platform.show_privately(thread.everybody, thread.only, _shareable(card))
    return SHOWN


class Sharing:
    """Brings a private answer before everybody: its run then belongs to the thread in the channel."""

    def __init__(self, rooms: Services, permits: Permits = allowed) -> None:
        self._permits = permits
        self._ledger, self._conversations = rooms.ledger, rooms.conversations
        self._outbox, self._views = rooms.outbox, rooms.views

    async def belonging(self, press: Incoming) -> Incoming:
        """A button pressed in a person's chat with the bot, as one in the private conversation whose run it
        names, if that is theirs: platforms without messages for one person show those cards there.
        """
        run_id = press.value.partition(" ")[0]
        record = await self._ledger.run(run_id) if press.origin.direct and run_id else None
        origin = ThreadRef.parse(record.thread_id) if record and record.thread_id else press.thread
        theirs = origin.only == press.user and origin.platform == press.thread.platform
        return replace(press, thread=origin) if theirs else press

    async def share(self, incoming: Incoming, run_id: str, opened: OpenThread) -> Card:
        """Show what a run ended with in the thread beside which it was asked. Raises `BadRequest`,
        `NotAllowed`.
        """
        record = await self._ledger.run(run_id)
        if record is None:
            raise BadRequest("This answer is not known here any more. Ask again.")
        origin = ThreadRef.parse(record.thread_id)
        if not origin.only:
            raise BadRequest("This is shared already.")
        if origin.only != incoming.user or origin.channel != incoming.thread.channel:
            raise NotAllowed("Only who asked for it can share it.")
        if not record.state.over:
            raise BadRequest("There is no answer to share yet.")
        if not await self._permits(origin.everybody, run_id):
            raise NotAllowed("Not everybody here may read what this answer rests on.")
        view = await self._views.of(record)
        thread = origin.everybody if origin.everybody.thread else await opened(view.asked)
        for slot, card in ending_cards(view, await self._conversations.feedback(run_id)):
            await self._outbox.put(thread, slot, card)
        await self._ledger.move(run_id, thread.thread_id)
        return notice_card(SHARED)


def _shareable(card: Card) -> Card:
    """The card with a button that shares it, if it is an answer of a run."""
    if card.kind is not CardKind.ANSWER or not card.run_id:
        return card
    return replace(card, buttons=(Button("Share", "share", card.run_id, "primary"), *card.buttons))
