"""Socket Mode: Slack's requests through a connection that the bot opens, where nothing can reach it.

What comes is checked as what comes over HTTP is, and goes the same way. What is not acknowledged here Slack
sends again.
"""

import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.async_client import AsyncBaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse
from slack_sdk.web.async_client import AsyncWebClient

from adapters.door import Refused
from adapters.slack.ear import Ear
from adapters.slack.inbound import known

logger = logging.getLogger(__name__)

KINDS = ("events_api", "interactive", "slash_commands")


@asynccontextmanager
async def listening(ear: Ear, client: AsyncWebClient, app_token: str) -> AsyncIterator[SocketModeClient]:
    """Keep a connection to Slack open while the context is; it is opened anew when it breaks.

    Raises `slack_sdk.errors.SlackApiError` where Slack refuses the token.
    """
    web = AsyncWebClient(base_url=client.base_url, timeout=client.timeout)
    socket = SocketModeClient(app_token=app_token, web_client=web)

    async def heard(sender: AsyncBaseSocketModeClient, request: SocketModeRequest) -> None:
        if request.type in KINDS and (answer := await answered(ear, request)) is not None:
            await sender.send_socket_mode_response(answer)

    socket.socket_mode_request_listeners.append(heard)
    await socket.connect()  # type: ignore[no-untyped-call]
    try:
        yield socket
    finally:
        await socket.close()  # type: ignore[no-untyped-call]


async def answered(ear: Ear, request: SocketModeRequest) -> SocketModeResponse | None:
    """What to answer a request; None for one that Slack shall send again."""
    try:
        payload = known(request.payload)
    except Refused as refused:
        logger.warning("a request through the socket is refused: %s", refused)
        return SocketModeResponse(envelope_id=request.envelope_id)  # it would be the same again
    answer = await ear.hear(payload, _retries(request))
    if answer.status != 200:
        return None
    return SocketModeResponse(envelope_id=request.envelope_id, payload=_said(answer.body))


def _retries(request: SocketModeRequest) -> dict[str, str]:
    return {"x-slack-retry-num": str(request.retry_attempt)} if request.retry_attempt else {}


def _said(body: str) -> Any:
    """What Bolt answers, as the object that a socket takes."""
    return json.loads(body) if body.startswith("{") else ({"text": body} if body else None)
