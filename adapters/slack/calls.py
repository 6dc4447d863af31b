"""Calls of Slack's Web API: never repeated by themselves, with errors that say what to do next."""

from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import ClientSession, ClientTimeout
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.door import asked_to_wait
from bot.errors import DeliveryDelayed, DeliveryFailed, DeliveryHindered

UNNAMED_DELAY_S = 30.0
"""How long to wait where Slack asks for it and does not say how long."""
_PASSING = {"fatal_error", "internal_error", "request_timeout", "service_unavailable", "team_added_to_org"}
"""Errors of Slack's own that go away."""
_OF_THE_BLOCKS = {"invalid_arguments", "invalid_blocks", "invalid_blocks_format"}
_OF_THE_CARD = {
    "cant_update_message",
    "edit_window_closed",
    "invalid_array_arg",
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


def slack_client(token: str, base_url: str = "https://slack.com/api/") -> AsyncWebClient:
    """A client that never repeats a call by itself: a repeated post would be shown twice."""
    return AsyncWebClient(token=token, base_url=base_url, timeout=5, retry_handlers=[])


@asynccontextmanager
async def connected(client: AsyncWebClient) -> AsyncIterator[AsyncWebClient]:
    """Keep connections to Slack open between calls: by itself the client makes one for each call."""
    async with ClientSession(timeout=ClientTimeout(total=client.timeout)) as client.session:
        yield client


class BlocksRefused(DeliveryFailed):
    """Slack does not know, or not take, the blocks of a message."""


class MessageGone(DeliveryFailed):
    """The message to be changed is not there any more."""


async def answered(method: str, call: Awaitable[AsyncSlackResponse]) -> dict[str, Any]:
    """What Slack answered. Raises `DeliveryDelayed`, `DeliveryFailed`; passing failures stay the client's."""
    try:
        response = await call
    except SlackApiError as error:
        raise _translated(method, error) from error
    return dict(response.data) if isinstance(response.data, dict) else {}


def _translated(method: str, error: SlackApiError) -> Exception:
    response: Any = error.response
    data = getattr(response, "data", None)
    name = str(data.get("error", "")) if isinstance(data, dict) else ""
    status = getattr(response, "status_code", 0) or getattr(response, "status", 0)
    if status == 429 or name in ("ratelimited", "rate_limited"):
        seconds = asked_to_wait(response.headers.get("Retry-After", ""), UNNAMED_DELAY_S)
        return DeliveryDelayed(f"Slack asks to wait {seconds:.0f} s before {method}.", seconds)
    if status >= 500 or name in _PASSING:
        return error
    return _kind(name)(f"Slack refused {method}: {name or status}.")


def _kind(name: str) -> type[DeliveryFailed]:
    if name in _OF_THE_BLOCKS:
        return BlocksRefused
    if name in _OF_THE_CARD:
        return DeliveryFailed
    return MessageGone if name == "message_not_found" else DeliveryHindered


def reason_of(error: SlackApiError) -> str:
    """Why Slack refused a call, in its word."""
    data = error.response.data
    return str(data.get("error")) if isinstance(data, dict) else "no answer of Slack's"
