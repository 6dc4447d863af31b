"""Slack's requests on one path, whether they came over HTTP or through a socket.

Bolt answers url_verification and leaves out what the bot itself wrote. What comes here was let in
(`adapters.slack.inbound`): signed, or through the app's own socket, and of a known form.
"""

import json
import logging
import re
from collections.abc import Mapping, Sequence
from typing import Any

from slack_bolt.async_app import AsyncApp, AsyncBoltRequest
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.async_authorize import AsyncAuthorize
from slack_bolt.response import BoltResponse
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.events import Events
from adapters.slack.interactions import Interactions
from adapters.slack.people import People
from bot.desk import PersonalPage
from bot.intake import Intake
from bot.ports import Outbox

logger = logging.getLogger(__name__)

SORRY = "Something went wrong on my side, and nothing was done. Please try once more."


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


class Ear:
    """Takes what Slack says and answers it. A status of 500 asks Slack to send an event again."""

    def __init__(self, client: AsyncWebClient, intake: Intake, outbox: Outbox, desk: PersonalPage) -> None:
        self._bolt = AsyncApp(
            client=AsyncWebClient(base_url=client.base_url),
            authorize=Identity(client),
            request_verification_enabled=False,
            process_before_response=True,
        )
        people = People(client)
        _listen_to_events(self._bolt, Events(client, intake, desk, people))
        _listen_to_people(self._bolt, Interactions(client, intake, outbox, people))

    async def hear(self, payload: Mapping[str, Any], headers: Mapping[str, str]) -> BoltResponse:
        """Answer one payload of a known form; of the `headers` only Slack's count of retries matters."""
        passed: dict[str, str | Sequence[str]] = {"content-type": "application/json"}
        passed |= {name: text for name, text in headers.items() if name.startswith("x-slack-retry")}
        asked = AsyncBoltRequest(body=json.dumps(payload), headers=passed)
        return await self._bolt.async_dispatch(asked)


def _listen_to_events(bolt: AsyncApp, events: Events) -> None:
    @bolt.event("app_mention")
    @bolt.event("message")
    async def message(body: dict[str, Any], context: dict[str, Any]) -> None:
        await events.message(body, context)

    @bolt.event(re.compile("reaction_(?:added|removed)"))
    async def reaction(body: dict[str, Any], context: dict[str, Any]) -> None:
        await events.reaction(body, context)

    @bolt.event("agent_session_stopped")
    async def stopped(body: dict[str, Any], context: dict[str, Any]) -> None:
        await events.stopped(body, context)

    @bolt.event("app_home_opened")
    async def opened(body: dict[str, Any], context: dict[str, Any]) -> None:
        await events.opened(body, context)

    @bolt.event(re.compile(".*"))
    async def other(body: dict[str, Any]) -> None:
        """Subscribed to by the workspace, and of no concern here."""


def _listen_to_people(bolt: AsyncApp, interactions: Interactions) -> None:
    @bolt.action(re.compile(".*"))
    async def pressed(ack: Any, body: dict[str, Any], context: dict[str, Any]) -> None:
        await interactions.pressed(body, context)
        await ack()

    @bolt.shortcut(re.compile("check_claim|refine_section"))
    async def shortcut(ack: Any, body: dict[str, Any], context: dict[str, Any]) -> None:
        await interactions.shortcut(body, context)
        await ack()

    @bolt.view(re.compile(".*"))
    async def submitted(ack: Any, body: dict[str, Any], context: dict[str, Any]) -> None:
        wrong = await interactions.submitted(body, context)
        await (ack(response_action="errors", errors=wrong) if wrong else ack())

    @bolt.command(re.compile(".*"))
    async def commanded(ack: Any, body: dict[str, Any], context: dict[str, Any]) -> None:
        try:
            told = await interactions.commanded(body, context)
        except Exception:  # Slack sends no command again, so who wrote it has to
            logger.exception("a command could not be taken")
            told = SORRY
        await ack(text=told, response_type="ephemeral")
