"""The bot's voice in Teams: cards shown as messages of a thread, replaced in place."""

import asyncio
import logging
import random
from itertools import zip_longest
from typing import Any

from adapters.teams.activities import activity, consent
from adapters.teams.connector import Answered, Away, Connector
from adapters.teams.exports import UPLOAD, Exports
from adapters.teams.pictures import small_enough
from adapters.teams.places import PLATFORM, Places, Reference, conversation_of
from adapters.teams.render import download, picture, render
from bot.errors import DeliveryDelayed, DeliveryFailed, DeliveryHindered
from bot.values import Card, Export, OutgoingFile, ThreadRef

logger = logging.getLogger(__name__)

PNG = "image/png"
LARGEST_UPLOAD = 60 * 1024 * 1024
"""Bytes that OneDrive takes at once."""
NOT_SHOWN = "-"
"""In place of a message's id, for a file that has none in Teams."""
LONGEST_DELAY_S = 3_600.0
UNNAMED_DELAY_S = 5.0
"""How long to wait where Teams asks for it and does not say how long."""
JITTER = 0.5
"""By which part of itself a delay is longer at the most, so that not all threads come again at once."""
_PASSING = (412, 429, 502, 504)
"""Answers that Teams asks to try again after."""
_OF_THE_CARD = (400, 413)
"""Answers to a message that will never be taken as it is. Any other, such as for a bot that was taken out of
a channel, or whose password ran out, somebody may put right, so the card waits.
"""


class TeamsPlatform:
    """A `ChatPlatform`. A long card takes several messages; its message id is then theirs, separated by
    spaces.

    Teams does not tell a bot what stands in a thread, so a card whose post was not answered is posted again.
    """

    name = PLATFORM

    def __init__(
        self, connector: Connector, places: Places, exports: Exports, *, sensitivity: str = ""
    ) -> None:
        self._connector = connector
        self._places = places
        self._exports = exports
        self._sensitivity = sensitivity
        self._saying: set[asyncio.Task[None]] = set()

    async def post(self, thread: ThreadRef, card: Card) -> str:
        """Show a card in a thread; returns the message id."""
        return await self._show(thread, card, [])

    async def update(self, thread: ThreadRef, message_id: str, card: Card) -> str:
        """Replace a card; returns its id. Messages are added or deleted where it became longer or shorter."""
        return await self._show(thread, card, message_id.split())

    async def show_file(self, thread: ThreadRef, card: Card, file: OutgoingFile) -> str:
        """Show a picture in a card of its own; returns the message id.

        Teams lets a bot put no other files into a thread: an export is offered to one person alone, or linked
        to, and a table stands whole in its card already.
        """
        png = await asyncio.to_thread(small_enough, file.content) if file.media_type == PNG else b""
        if png:
            reference = await self._reference(thread)
            made = self._from(reference, activity(picture(file, png), self._sensitivity))
            return await self._put(reference, thread, made, None)
        return (
            await self._hand_out(thread, card, card.file, file)
            if isinstance(card.file, Export)
            else NOT_SHOWN
        )

    async def _hand_out(self, thread: ThreadRef, card: Card, export: Export, file: OutgoingFile) -> str:
        """Offer a report as a file. In a chat with one person Teams asks whether it may go to their OneDrive;
        elsewhere a card links to it. Where there is no link, the card says where the report is.
        """
        reference = await self._reference(thread)
        if reference.personal and len(file.content) <= LARGEST_UPLOAD:
            made = consent(file, self._exports.permits.given(export, UPLOAD, thread.channel))
        elif address := self._exports.link(export):
            made = activity(download(file, address), self._sensitivity)
        else:
            return await self.post(thread, card)
        return await self._put(reference, thread, self._from(reference, made), None)

    async def show_made(self, thread: ThreadRef, made: dict[str, Any]) -> None:
        """Show a message as Teams has it. Raises as `post`."""
        reference = await self._reference(thread)
        await self._put(reference, thread, self._from(reference, made), None)

    async def take_back(self, thread: ThreadRef, message_id: str) -> None:
        """Take back a message that is of no use any more; where that fails, it stays."""
        reference = await self._places.find(thread)
        if reference and message_id:
            try:
                await self._connector.delete(reference.service_url, conversation_of(thread), message_id)
            except (Answered, Away) as error:
                logger.info("a message that is over stays: %s", error)

    def typing(self, thread: ThreadRef) -> None:
        """Say that an answer is under way; nobody waits for it."""
        saying = asyncio.create_task(self._typing(thread))
        self._saying.add(saying)
        saying.add_done_callback(self._saying.discard)

    async def settle(self) -> None:
        """Wait for what is being said."""
        await asyncio.gather(*self._saying)

    async def _typing(self, thread: ThreadRef) -> None:
        """That it could not be said is no matter."""
        reference = await self._places.find(thread)
        if reference is None:
            return
        try:
            told = self._from(reference, {"type": "typing"})
            await self._connector.send(reference.service_url, conversation_of(thread), told)
        except (Answered, Away) as error:
            logger.info("Teams was not told that an answer is under way: %s", error)

    async def _show(self, thread: ThreadRef, card: Card, shown: list[str]) -> str:
        """Bring the messages of a card to what it says now; `shown` are the ones it has already."""
        reference = await self._reference(thread)
        stamps = []
        for page, message_id in zip_longest(render(card), shown):
            if page is None:
                await self._taken_back(reference, thread, message_id)
            else:
                made = self._from(reference, activity(page, self._sensitivity))
                stamps.append(await self._put(reference, thread, made, message_id))
        return " ".join(stamps)

    async def _reference(self, thread: ThreadRef) -> Reference:
        """How to write to a thread. Raises `DeliveryHindered`."""
        reference = await self._places.find(thread)
        if reference is None:
            raise DeliveryHindered("Nobody of this conversation has spoken to Pestle in Teams yet.")
        return reference

    async def _put(
        self, reference: Reference, thread: ThreadRef, made: dict[str, Any], message_id: str | None
    ) -> str:
        """Replace a message, or post one where there is none or somebody deleted it."""
        service, conversation = reference.service_url, conversation_of(thread)
        if message_id:
            try:
                await self._connector.update(service, conversation, message_id, made)
                return message_id
            except (Answered, Away) as error:
                if not _gone(error):
                    raise _translated(error) from error
        try:
            return await self._connector.send(service, conversation, made)
        except (Answered, Away) as error:
            raise _translated(error) from error

    async def _taken_back(self, reference: Reference, thread: ThreadRef, message_id: str) -> None:
        """Delete a message; one that cannot be deleted says that it is empty now."""
        service, conversation = reference.service_url, conversation_of(thread)
        try:
            await self._connector.delete(service, conversation, message_id)
        except Answered as error:
            if error.status != 501 and not _gone(error):
                raise _translated(error) from error
            if error.status == 501:
                empty = self._from(reference, {"type": "message", "text": "(Nothing more.)"})
                await self._put(reference, thread, empty, message_id)
        except Away as error:
            raise _translated(error) from error

    def _from(self, reference: Reference, made: dict[str, Any]) -> dict[str, Any]:
        return {"from": {"id": reference.bot}, **made}


def _gone(error: Exception) -> bool:
    return isinstance(error, Answered) and error.status == 404


def _translated(error: Answered | Away) -> Exception:
    """An error of the connector as one of the house."""
    if isinstance(error, Away):
        return error
    if error.status in _PASSING:
        seconds = _seconds(error.again) * (1 + JITTER * random.random())
        return DeliveryDelayed(f"Teams asks to wait {seconds:.0f} s: {error}", seconds)
    if error.status >= 500:
        return error
    kind = DeliveryFailed if error.status in _OF_THE_CARD else DeliveryHindered
    return kind(f"Teams refused the message: {error}.")


def _seconds(text: str) -> float:
    """How long Teams asks to wait, within reason."""
    try:
        asked = float(text)
    except ValueError:
        return UNNAMED_DELAY_S
    return min(max(asked, 1.0), LONGEST_DELAY_S) if asked == asked else UNNAMED_DELAY_S
