"""Shows cards in Slack through its Web API."""

import logging
from hashlib import sha256
from itertools import zip_longest
from pathlib import PurePath
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.calls import BlocksRefused, MessageGone, answered
from adapters.slack.canvas import canvas_of, delete_canvas, linked
from adapters.slack.render import Message, render
from adapters.slack.sessions import Sessions
from bot.errors import DeliveryDelayed, DeliveryFailed
from bot.values import Card, CardKind, Export, OutgoingFile, ThreadRef

logger = logging.getLogger(__name__)

EVENT_TYPE = "pestle_card"
REPLIES_A_PAGE = 200
LONGEST_ALT = 1_000
"""Characters that Slack takes to say what a picture shows."""


class SlackPlatform:
    """A `ChatPlatform` that also `FindsPosted`, `ShowsFiles` and `ShowsPrivately`.

    A long card takes several messages; its message id is then their time stamps, separated by spaces. Every
    message carries the card's mark in its metadata (scope `metadata.message:read`), by which a lost post is
    found again; a file carries it in its name. A card whose blocks Slack does not take is shown once more
    with the oldest blocks alone.
    """

    name = "slack"

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client
        self._sessions = Sessions(client)

    async def post(self, thread: ThreadRef, card: Card) -> str:
        """Show a card in a thread; returns the message id."""
        return await self._show(thread, card, [])

    async def update(self, thread: ThreadRef, message_id: str, card: Card) -> str:
        """Replace a card; returns its id. Messages are added or deleted where it became longer or shorter."""
        return await self._show(thread, card, message_id.split())

    async def show_file(self, thread: ThreadRef, card: Card, file: OutgoingFile) -> str:
        """Put a file into a thread (scope `files:write`); returns Slack's id of it. A report that need not be
        a file becomes a canvas where the workspace has them, and a message that leads to it.
        """
        if isinstance(card.file, Export) and card.file.as_document:
            canvas, address = await canvas_of(self._client, thread, file)
            if canvas:
                message = Message(linked(file.title or file.name, address), ())
                try:
                    return await self._put(thread, card, 0, message, None)
                except DeliveryFailed:  # Slack refused it for now or for good, so nothing leads to the canvas
                    await delete_canvas(self._client, canvas)
                    raise
        uploading = self._client.files_upload_v2(
            channel=thread.channel,
            thread_ts=thread.thread or None,
            filename=_marked_name(file.name, card.mark),
            title=file.title or file.name,
            alt_txt=file.alt[:LONGEST_ALT] or None,
            content=file.content,
        )
        answer = await answered("the upload of a file", uploading)
        return str(answer["files"][0]["id"])

    async def show_privately(self, thread: ThreadRef, user: str, card: Card) -> None:
        """Show a card to one person in a channel; gone when they reload Slack."""
        for message in render(card):
            place = {"channel": thread.channel, "user": user, "text": message.text}
            if thread.thread:
                place["thread_ts"] = thread.thread
            await self._call("chat.postEphemeral", **place, blocks=list(message.blocks))

    async def find(self, thread: ThreadRef, card: Card) -> str:
        """The id of the messages that carry this card's mark, or "". Without the right to look: ""."""
        if not thread.thread:
            return ""
        try:
            return await self._found(thread, card)
        except DeliveryDelayed:
            raise
        except DeliveryFailed as error:
            logger.warning("a card may be shown twice after a crash: %s", error)
            return ""

    async def _found(self, thread: ThreadRef, card: Card) -> str:
        found: dict[int, str] = {}
        cursor = ""
        while True:
            page = await self._read(
                "conversations.replies",
                channel=thread.channel,
                ts=thread.thread,
                cursor=cursor,
                limit=str(REPLIES_A_PAGE),
                include_all_metadata="true",
            )
            messages = page.get("messages", ())
            found |= _marked(messages, card.mark) or (_files_of(messages, card.mark) if card.file else {})
            cursor = (page.get("response_metadata") or {}).get("next_cursor", "")
            if not cursor:
                return " ".join(found[part] for part in sorted(found))

    async def _show(self, thread: ThreadRef, card: Card, shown: list[str]) -> str:
        """Bring the messages of a card to what it says now; `shown` are the ones it has already."""
        posted: list[str] = []
        try:
            await self._show_as(thread, card, render(card), shown, posted)
        except BlocksRefused as error:
            logger.warning("a card is shown with plain blocks: %s", error)
            shown, posted = [*posted, *shown[len(posted) :]], []
            await self._show_as(thread, card, render(card, plain=True), shown, posted)
        if card.kind is CardKind.PROGRESS:
            await self._sessions.tell(thread, card)
        return " ".join(posted)

    async def _show_as(
        self,
        thread: ThreadRef,
        card: Card,
        messages: tuple[Message, ...],
        shown: list[str],
        posted: list[str],
    ) -> None:
        """Show messages in place of those that are `shown`; the new ones' time stamps go to `posted`."""
        for part, (message, stamp) in enumerate(zip_longest(messages, shown)):
            if message is None:
                await self._call("chat.delete", channel=thread.channel, ts=stamp)
            else:
                posted.append(await self._put(thread, card, part, message, stamp))

    async def _put(
        self, thread: ThreadRef, card: Card, part: int, message: Message, stamp: str | None
    ) -> str:
        payload = {"mark": card.mark, "part": part}
        common: dict[str, Any] = {
            "channel": thread.channel,
            "text": message.text,
            "blocks": list(message.blocks),
            "metadata": {"event_type": EVENT_TYPE, "event_payload": payload},
        }
        if stamp and (changed := await self._changed(ts=stamp, **common)):
            return changed
        place = {"thread_ts": thread.thread} if thread.thread else {}
        answer = await self._call(
            "chat.postMessage", **place, unfurl_links=False, unfurl_media=False, **common
        )
        return str(answer["ts"])

    async def _changed(self, **message: Any) -> str:
        """The time stamp of a message that says this now; "" if somebody deleted it meanwhile."""
        try:
            return str((await self._call("chat.update", **message))["ts"])
        except MessageGone:
            return ""

    async def _call(self, method: str, **arguments: Any) -> dict[str, Any]:
        """Call a method that writes."""
        return await answered(method, self._client.api_call(method, json=arguments))

    async def _read(self, method: str, **arguments: str) -> dict[str, Any]:
        """Call a method that reads; Slack wants its arguments as a form."""
        return await answered(method, self._client.api_call(method, data=arguments))


def _marked(messages: Any, mark: str) -> dict[int, str]:
    """Time stamps of the messages with this mark, by their part."""
    payloads = ((message["ts"], (message.get("metadata") or {})) for message in messages)
    return {
        int(metadata["event_payload"]["part"]): ts
        for ts, metadata in payloads
        if metadata.get("event_type") == EVENT_TYPE and metadata["event_payload"].get("mark") == mark
    }


def _files_of(messages: Any, mark: str) -> dict[int, str]:
    """The id of the file that was put there with this mark."""
    files = (file for message in messages for file in message.get("files") or ())
    ids = [str(file["id"]) for file in files if _tag(mark) in str(file.get("name", ""))]
    return dict(enumerate(ids[:1]))


def _marked_name(name: str, mark: str) -> str:
    """A file's name with what it is found by."""
    path = PurePath(name)
    return f"{path.stem}{_tag(mark)}{path.suffix}"


def _tag(mark: str) -> str:
    return f"-{sha256(mark.encode()).hexdigest()[:8]}"
