"""The bot's voice in Teams: cards shown as messages of a thread, replaced in place."""

import asyncio
import logging
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from adapters.markup import MarkupLine, Run
from adapters.teams.activities import activity
from adapters.teams.connector import Answered, Away, Connector
from adapters.teams.exports import Exports
from adapters.teams.pictures import small_enough
from adapters.teams.places import PLATFORM, Places, alone
from adapters.teams.render import SUMMARY, Page, download, picture, render
from adapters.teams.text import message_text
from adapters.teams.troubles import gone, translated
from adapters.teams.where import TYPING, Place, Where, by_us
from bot.errors import DeliveryFailed
from bot.values import Attachment, Card, Export, OutgoingFile, ThreadRef

logger = logging.getLogger(__name__)

PNG = "image/png"
ALONE = "Only you see this here."
GO_ON = "Go on by the buttons: what you write in this chat is another conversation."
NOT_SHOWN = "-"
"""In place of a message's id, for a file that has none in Teams."""


class TeamsPlatform:
    """A `ChatPlatform` that also `ShowsFiles` and `ShowsPrivately`.

    A long card takes several messages; its message id is then theirs, separated by spaces.

    Teams does not tell a bot what stands in a thread, so a card whose post was not answered is posted again.
    """

    name = PLATFORM

    def __init__(
        self, connector: Connector, places: Places, exports: Exports, *, sensitivity: str = ""
    ) -> None:
        self._connector = connector
        self.where = Where(connector, places)
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

        Teams lets a bot put no other files into a thread: an export is linked to, so is what is attached, and
        a table stands whole in its card already. Where there is no link, the card says where the report is.
        """
        png = await asyncio.to_thread(small_enough, file.content) if file.media_type == PNG else b""
        if png:
            made = activity(picture(file, png), self._sensitivity)
            return await self._put(await self.where.of(thread), made, None)
        address = self._exports.link(card.file) if isinstance(card.file, Export | Attachment) else ""
        if address:
            made = activity(download(file.title, file.name, address), self._sensitivity)
            return await self._put(await self.where.of(thread), made, None)
        return await self.post(thread, card) if isinstance(card.file, Export) else NOT_SHOWN

    async def show_privately(self, thread: ThreadRef, user: str, card: Card) -> None:
        """Show a card to one person in their chat with the bot: in a thread Teams shows all to everybody.
        Raises `DeliveryHindered` where there is no such chat and none can be opened.
        """
        place = await self.where.of(alone(user))
        address = self._exports.link(card.file) if isinstance(card.file, Export) else ""
        if address and isinstance(card.file, Export):
            pages: tuple[Page, ...] = (download("", f"report.{card.file.format}", address),)
        else:
            told = (card.footer, ALONE, GO_ON if card.buttons else "")
            pages = render(replace(card, footer="\n".join(filter(None, told))))
        for page in pages:
            made = activity(replace(page, judged=False), self._sensitivity)  # its buttons judge
            await self._put(place, made, None)

    async def begin(self, channel: str, text: str) -> ThreadRef:
        """Begin a thread in a channel with a line of text. Raises as `post`."""
        whole = ThreadRef(PLATFORM, channel, "")
        made = activity(Page(message_text((MarkupLine((Run(text),)),)), (), text[:SUMMARY]))
        return ThreadRef(PLATFORM, channel, await self._put(await self.where.of(whole), made, None))

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
        try:
            place = await self.where.of(thread)
            await self._connector.send(place.service_url, place.conversation, by_us(place, TYPING))
        except (Answered, Away, DeliveryFailed) as error:
            logger.info("Teams was not told that an answer is under way: %s", error)

    async def _show(self, thread: ThreadRef, card: Card, shown: list[str]) -> str:
        """Bring the messages of a card to what it says now; `shown` are the ones it has already."""
        place = await self.where.of(thread)
        mentioned = await self.where.responsible(thread, card.who) if card.who else None
        stamps = []
        for page, message_id in zip_longest(render(card, mentioned), shown):
            if page is None:
                await self._taken_back(place, message_id)
            else:
                stamps.append(await self._put(place, activity(page, self._sensitivity), message_id))
        return " ".join(stamps)

    async def _put(self, place: Place, told: dict[str, Any], message_id: str | None) -> str:
        """Replace a message, or post one where there is none or somebody deleted it."""
        service, conversation, made = place.service_url, place.conversation, by_us(place, told)
        if message_id:
            try:
                await self._connector.update(service, conversation, message_id, made)
                return message_id
            except (Answered, Away) as error:
                if not gone(error):
                    raise translated(error) from error
        try:
            return await self._connector.send(service, conversation, made)
        except (Answered, Away) as error:
            raise translated(error) from error

    async def _taken_back(self, place: Place, message_id: str) -> None:
        """Delete a message; one that cannot be deleted says that it is empty now."""
        try:
            await self._connector.delete(place.service_url, place.conversation, message_id)
        except Answered as error:
            if error.status != 501 and not gone(error):
                raise translated(error) from error
            if error.status == 501:
                await self._put(place, {"type": "message", "text": "(Nothing more.)"}, message_id)
        except Away as error:
            raise translated(error) from error
