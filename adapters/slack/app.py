"""The bot's door for Slack over HTTP: signed events, interactions and slash commands.

What is not Slack's is refused at the door (`adapters.slack.inbound`). A request is acknowledged once the
intake has written it down, which is one short transaction. If that fails the answer is 500, and Slack sends
an event again.
"""

import logging

from slack_bolt.adapter.starlette.async_handler import to_starlette_response
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from adapters.door import Refused, read_body
from adapters.slack.ear import Ear
from adapters.slack.inbound import check_signature, payload_of

logger = logging.getLogger(__name__)

EVENTS_PATH = "/slack/events"
PATHS = (EVENTS_PATH, "/slack/commands", "/slack/interactive")
"""Where Slack may be told to send to; all of them take all that Slack sends."""


def slack_routes(ear: Ear, signing_secret: str) -> list[Route]:
    """`POST` on each of `PATHS`, if there is a secret to check by what comes there."""

    async def heard(request: Request) -> Response:
        try:
            body = await read_body(request)
            check_signature(signing_secret, request.headers, body)
            payload = payload_of(body)
        except Refused as refused:
            logger.warning("a request to %s is refused: %s", request.url.path, refused)
            return PlainTextResponse(str(refused), refused.status)
        return to_starlette_response(await ear.hear(payload, request.headers))

    return [Route(path, heard, methods=["POST"]) for path in PATHS if signing_secret]
