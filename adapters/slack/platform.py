"""Shows cards in Slack through its Web API."""

import logging
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from itertools import zip_longest
from typing import Any

from aiohttp import ClientSession, ClientTimeout
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.render import Message, render
from bot.errors import DeliveryDelayed, DeliveryFailed, DeliveryHindered
from bot.values import Card, ThreadRef

logger = logging.getLogger(__name__)

EVENT_TYPE = "pestle_card"
REPLIES_A_PAGE = 200
LONGEST_DELAY_S = 3_600.0
UNNAMED_DELAY_S = 30.0
"""How long to wait where Slack asks for it and does not say how long."""
_PASSING = {"fatal_error", "internal_error", "request_timeout", "service_unavailable", "team_added_to_org"}
"""Errors of Slack's own that go away."""
_OF_THE_CARD = {
    "cant_update_message",
    "edit_window_closed",
    "invalid_arguments",
    "invalid_array_arg",
    "invalid_blocks",
    "invalid_blocks_format",
    "invalid_form_data",
    "invalid_json",
    "invalid_metadata_format",
    "invalid_metadata_schema",
    "json_not_object",
    "markdown_text_conflict",
    "metadata_too_large",
    "msg_blocks_too_long",
    "msg_too_long",
    "no_text",
    "too_many_attachments",
}
"""Errors of the card itself: it will never be taken as it is. Any other, such as a revoked token, a missing
right, a channel that the bot was taken out of or a quota, somebody may put right, so the card waits.
"""


def slack_client(token: str, base_url: str = "https://slack.com/api/", timeout_s: int = 5) -> AsyncWebClient:
    """A client that never repeats a call by itself: a repeated post would be shown twice."""
    return AsyncWebClient(token=token, base_url=base_url, timeout=timeout_s, retry_handlers=[])


@asynccontextmanager
async def connected(client: AsyncWebClient) -> AsyncIterator[AsyncWebClient]:
    """Keep connections to Slack open between calls: by itself the client makes one for each call."""
    async with ClientSession(timeout=ClientTimeout(total=client.timeout)) as client.session:
        yield client


class MessageGone(DeliveryFailed):
    """The message to be changed is not there any more."""


class SlackPlatform:
    """A `ChatPlatform` that also `FindsPosted`.

    A long card takes several messages; its message id is then their time stamps, separated by spaces. Every
    message carries the card's mark in its metadata (scope `metadata.message:read`), by which a lost post is
    found again.
    """

    name = "slack"

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client

    async def post(self, thread: ThreadRef, card: Card) -> str:
        """Show a card in a thread; returns the message id."""
        return await self._show(thread, card, [])

    async def update(self, thread: ThreadRef, message_id: str, card: Card) -> str:
        """Replace a card; returns its id. Messages are added or deleted where it became longer or shorter."""
        return await self._show(thread, card, message_id.split())

    async def find(self, thread: ThreadRef, card: Card) -> str:
        """The id of the messages that carry this card's mark, or "". Without the right to look: ""."""
        try:
            return await self._found(thread, card.mark)
        except DeliveryDelayed:
            raise
        except DeliveryFailed as error:
            logger.warning("a card may be shown twice after a crash: %s", error)
            return ""

    async def _found(self, thread: ThreadRef, mark: str) -> str:
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
            found |= _marked(page.get("messages", ()), mark)
            cursor = (page.get("response_metadata") or {}).get("next_cursor", "")
            if not cursor:
                return " ".join(found[part] for part in sorted(found))

    async def _show(self, thread: ThreadRef, card: Card, shown: list[str]) -> str:
        """Bring the messages of a card to what it says now; `shown` are the ones it has already."""
        stamps = []
        for part, (message, stamp) in enumerate(zip_longest(render(card), shown)):
            if message is None:
                await self._call("chat.delete", channel=thread.channel, ts=stamp)
            else:
                stamps.append(await self._put(thread, card, part, message, stamp))
        return " ".join(stamps)

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
        answer = await self._call(
            "chat.postMessage", thread_ts=thread.thread, unfurl_links=False, unfurl_media=False, **common
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
        return await _answer(method, self._client.api_call(method, json=arguments))

    async def _read(self, method: str, **arguments: str) -> dict[str, Any]:
        """Call a method that reads; Slack wants its arguments as a form."""
        return await _answer(method, self._client.api_call(method, data=arguments))


async def _answer(method: str, call: Awaitable[AsyncSlackResponse]) -> dict[str, Any]:
    """What Slack answered. Raises `DeliveryDelayed`, `DeliveryFailed`; passing failures stay the client's."""
    try:
        response = await call
    except SlackApiError as error:
        raise _translated(method, error) from error
    return dict(response.data) if isinstance(response.data, dict) else {}


def _marked(messages: Any, mark: str) -> dict[int, str]:
    """Time stamps of the messages with this mark, by their part."""
    payloads = ((message["ts"], (message.get("metadata") or {})) for message in messages)
    return {
        int(metadata["event_payload"]["part"]): ts
        for ts, metadata in payloads
        if metadata.get("event_type") == EVENT_TYPE and metadata["event_payload"].get("mark") == mark
    }


def _translated(method: str, error: SlackApiError) -> Exception:
    response: Any = error.response
    data = getattr(response, "data", None)
    name = str(data.get("error", "")) if isinstance(data, dict) else ""
    status = getattr(response, "status_code", 0) or getattr(response, "status", 0)
    if status == 429 or name in ("ratelimited", "rate_limited"):
        seconds = _seconds(response.headers.get("Retry-After", ""))
        return DeliveryDelayed(f"Slack asks to wait {seconds:.0f} s before {method}.", seconds)
    if status >= 500 or name in _PASSING:
        return error
    kind = MessageGone if name == "message_not_found" else DeliveryHindered
    return (DeliveryFailed if name in _OF_THE_CARD else kind)(f"Slack refused {method}: {name or status}.")


def _seconds(text: str) -> float:
    """How long Slack asks to wait, within reason."""
    try:
        asked = float(text)
    except ValueError:
        return UNNAMED_DELAY_S
    return min(max(asked, 1.0), LONGEST_DELAY_S) if asked == asked else UNNAMED_DELAY_S
