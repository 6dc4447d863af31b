"""The bot's ear: `/slack/events` takes Slack's signed events and button presses.

What is not Slack's is refused at the door (`adapters.slack.inbound`). A request is acknowledged once the
intake has written it down, which is one short transaction. If that fails the answer is 500, and Slack sends
the event again.
"""

import json
import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from slack_bolt.adapter.starlette.async_handler import to_starlette_response
from slack_bolt.async_app import AsyncApp, AsyncBoltRequest
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.async_authorize import AsyncAuthorize
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from adapters.door import Refused, read_body
from adapters.slack.inbound import check_signature, payload_of
from adapters.slack.incoming import from_event, from_press
from adapters.slack.origin import home, origin_of_event, origin_of_press
from bot.intake import Intake

logger = logging.getLogger(__name__)

EVENTS_PATH = "/slack/events"


def slack_app(client: AsyncWebClient, signing_secret: str, intake: Intake) -> Starlette:
    """An ASGI app with `POST /slack/events` and `GET /health`."""
    bolt = _bolt(client, intake)

    async def events(request: Request) -> Response:
        try:
            body = await read_body(request)
            check_signature(signing_secret, request.headers, body)
            payload = payload_of(body)
        except Refused as refused:
            logger.warning("a request to %s is refused: %s", EVENTS_PATH, refused)
            return PlainTextResponse(str(refused), refused.status)
        asked = AsyncBoltRequest(body=json.dumps(payload), headers=_passed_on(request))
        return to_starlette_response(await bolt.async_dispatch(asked))

    async def health(request: Request) -> Response:
        return PlainTextResponse("ok")

    return Starlette(routes=[Route(EVENTS_PATH, events, methods=["POST"]), Route("/health", health)])


class NotKnown(Exception):
    """Slack could not be asked who the bot is; the token may be wrong, or Slack be away."""


class Identity(AsyncAuthorize):
    """Who the bot is, asked of Slack once.

    Bolt by itself acknowledges an event when this cannot be asked, and the question would be lost. Here such
    a request fails, and Slack sends it again.
    """

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client
        self._known: AuthorizeResult | None = None

    async def __call__(self, **_: object) -> AuthorizeResult:
        """What Bolt asks for with every request. Raises `NotKnown`."""
        if self._known is None:
            self._known = AuthorizeResult.from_auth_test_response(
                auth_test_response=await self._ask(), bot_token=self._client.token
            )
        return self._known

    async def _ask(self) -> AsyncSlackResponse:
        try:
            return await self._client.auth_test()
        except SlackApiError as error:
            reason = error.response.get("error")
            raise NotKnown(f"Slack does not say who the bot is: {reason}. Check the bot token.") from error


def _passed_on(request: Request) -> dict[str, str | Sequence[str]]:
    """Headers for Bolt, which gets what Slack says as JSON whatever it came as."""
    passed: dict[str, str | Sequence[str]] = {"content-type": "application/json"}
    return passed | {name: text for name, text in request.headers.items() if name.startswith("x-slack-retry")}


def _bolt(client: AsyncWebClient, intake: Intake) -> AsyncApp:
    """Bolt answers url_verification and leaves out what the bot itself wrote."""
    bolt = AsyncApp(
        client=AsyncWebClient(base_url=client.base_url),
        authorize=Identity(client),
        request_verification_enabled=False,
        process_before_response=True,
    )

    @bolt.event("app_mention")
    @bolt.event("message")
    async def heard(body: dict[str, Any], context: dict[str, Any]) -> None:
        message = from_event(body, context["bot_user_id"])
        if message is None:
            return
        incoming = replace(message.incoming, origin=origin_of_event(body, home(context)))
        # Who may not ask is told so when they speak to the bot, not when they talk in a thread.
        if message.addressed or (intake.admits(incoming) and await intake.takes_part(incoming.thread)):
            await intake.receive(incoming)

    @bolt.action(re.compile(".*"))
    async def pressed(ack: Any, body: dict[str, Any], context: dict[str, Any]) -> None:
        if press := from_press(body):
            await intake.receive(replace(press, origin=origin_of_press(body, home(context))))
        await ack()

    @bolt.event(re.compile(".*"))
    async def other(body: dict[str, Any]) -> None:
        """Subscribed to by the workspace, and of no concern here."""

    return bolt
