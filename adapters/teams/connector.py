"""The Bot Framework's connector, behind six verbs: what of its SDK is used stays in this module.

Of the SDK come the requests and the model of an activity. Three things it does not do are mended here: its
model of an entity drops every field but the type, its reader raises on an answer that is no JSON, and it
fetches the bot's token in the middle of the event loop.
"""

import asyncio
import time
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from typing import Any, Protocol

import httpx
from azure.core.exceptions import DeserializationError
from botbuilder.schema import Activity, ChannelAccount, ConversationParameters, Entity
from botframework.connector.aio import ConnectorClient
from botframework.connector.bot_framework_sdk_client_async import BotFrameworkConnectorConfiguration
from msrest.authentication import BasicTokenAuthentication
from msrest.exceptions import ClientException, HttpOperationError
from msrest.pipeline.universal import RawDeserializer

from adapters.sections import TeamsSettings

TIMEOUT_S = 5.0
EARLY_S = 300.0
"""Seconds before its end at which a token is asked for anew."""
PAGE = 500
"""People whom Teams names at once."""
SCOPE = "https://api.botframework.com/.default"


class Answered(Exception):
    """Teams answered with an error: its HTTP `status`, and after how many seconds to ask again.

    `again` is "" where that is not told. The message is what Teams says, fit for a trail.
    """

    def __init__(self, status: int, reason: str, again: str = "") -> None:
        super().__init__(reason)
        self.status = status
        self.again = again


class Away(Exception):
    """Teams could not be reached."""


class Tokens(Protocol):
    """Where the bot's own token comes from."""

    async def token(self) -> str:
        """A token that is good for some minutes yet; "" where none is wanted. Raises `Answered`, `Away`."""


class NoTokens:
    """`Tokens` for the playground, which asks for none."""

    async def token(self) -> str:
        """See the protocol."""
        return ""


class AppTokens:
    """`Tokens` of an app, by its id and password; `scope` is what they are for."""

    def __init__(self, client: httpx.AsyncClient, settings: TeamsSettings, scope: str = SCOPE) -> None:
        self._client = client
        self._address = f"{settings.login_url.rstrip('/')}/{settings.tenant}/oauth2/v2.0/token"
        self._form = {
            "grant_type": "client_credentials",
            "client_id": settings.app_id,
            "client_secret": settings.password.get_secret_value(),
            "scope": scope,
        }
        self._known = ""
        self._until = float("-inf")
        self._asking = asyncio.Lock()

    async def token(self) -> str:
        """See the protocol."""
        async with self._asking:
            if time.monotonic() > self._until:
                self._known, seconds = await self._ask()
                self._until = time.monotonic() + seconds - min(EARLY_S, seconds / 2)
            return self._known

    async def _ask(self) -> tuple[str, float]:
        """A new token, and for how many seconds it is good."""
        try:
            answer = await self._client.post(self._address, data=self._form, timeout=TIMEOUT_S)
            told = answer.json()
            if answer.status_code == 200:
                return str(told["access_token"]), float(told.get("expires_in", EARLY_S))
        except (httpx.HTTPError, ValueError, KeyError) as error:
            raise Away(f"{self._address} gives no token: {type(error).__name__}") from error
        raise Answered(answer.status_code, f"no token for the app: {_reason(told)}")


def tokens(settings: TeamsSettings, client: httpx.AsyncClient, scope: str = SCOPE) -> Tokens:
    """Where the bot's own token comes from; `scope` is what it is for."""
    return NoTokens() if settings.playground else AppTokens(client, settings, scope)


class Connector:
    """Sends activities to the conversations of a service, changes them and takes them back.

    An activity is a JSON object as the Bot Framework documents it. It is sent once: a repeated post would be
    shown twice. Raises `Answered` and `Away`.
    """

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._open: dict[str, tuple[Any, Any]] = {}
        """The SDK's client of each service, and what it signs with."""

    async def close(self) -> None:
        """Close the connections."""
        while self._open:
            _, (client, _) = self._open.popitem()
            await client.__aexit__(None, None, None)

    async def send(self, service_url: str, conversation: str, activity: Mapping[str, Any]) -> str:
        """Post into a conversation; returns the message's id."""
        calls = await self._calls(service_url)
        sent = await _answer(calls.send_to_conversation(conversation, _modelled(activity)))
        return str(getattr(sent, "id", None) or "")

    async def converse(self, service_url: str, bot: str, member: str, tenant: str) -> str:
        """Open the chat of the bot with one person, or find it again; returns the conversation's id."""
        calls = await self._calls(service_url)
        wanted = ConversationParameters(
            is_group=False,
            bot=ChannelAccount(id=bot),
            members=[ChannelAccount(id=member)],
            tenant_id=tenant,
            channel_data={"tenant": {"id": tenant}},
        )
        opened = await _answer(calls.create_conversation(wanted))
        return str(getattr(opened, "id", None) or "")

    async def role(self, service_url: str, conversation: str, member: str) -> str:
        """What a person is in a conversation: "user", "guest", "anonymous", or "" where that is not told."""
        calls = await self._calls(service_url)
        found = await _answer(calls.get_conversation_member(conversation, member))
        told = getattr(found, "additional_properties", None) or {}
        return str(told.get("userRole") or "").casefold()

    async def people(self, service_url: str, conversation: str, more: str = "") -> tuple[set[str], str]:
        """The directory's ids of who is in a conversation or a team, a page that begins at `more`; and where
        the next one begins. Who has no such id has that of their account.
        """
        calls = await self._calls(service_url)
        page = await _answer(calls.get_teams_conversation_paged_members(conversation, PAGE, more or None))
        return {one.aad_object_id or one.id for one in page.members}, page.continuation_token or ""

    async def update(
        self, service_url: str, conversation: str, message_id: str, activity: Mapping[str, Any]
    ) -> None:
        """Replace a message."""
        calls = await self._calls(service_url)
        changed = _modelled({**activity, "id": message_id})
        await _answer(calls.update_activity(conversation, message_id, changed))

    async def delete(self, service_url: str, conversation: str, message_id: str) -> None:
        """Take a message back."""
        calls = await self._calls(service_url)
        await _answer(calls.delete_activity(conversation, message_id))

    async def _calls(self, service_url: str) -> Any:
        """The SDK's calls to a service, with a token that is good."""
        token = await self._tokens.token()
        if service_url not in self._open:
            self._open[service_url] = await _opened(service_url)
        client, credentials = self._open[service_url]
        credentials.token = {"access_token": token}
        return client.conversations


async def _opened(service_url: str) -> tuple[Any, Any]:
    """The SDK's client of a service, which never repeats a call by itself, and what it signs with."""
    credentials = BasicTokenAuthentication({"access_token": ""})
    configuration = BotFrameworkConnectorConfiguration(credentials, service_url)
    configuration.retry_policy.retries = 0
    configuration.retry_policy.policy.status_forcelist = ()
    configuration.connection.timeout = TIMEOUT_S
    client: Any = ConnectorClient(credentials, custom_configuration=configuration)
    for node in client.config.pipeline._impl_policies:
        if isinstance(getattr(node, "_policy", None), RawDeserializer):
            node._policy = _AnyAnswer()
    await client.__aenter__()
    return client, credentials


class _Entity(Entity):  # type: ignore[misc]
    """An entity with all its fields: citations, labels."""

    _attribute_map = {  # noqa: RUF012 (as the SDK's models have it)
        "type": {"key": "type", "type": "str"},
        "additional_properties": {"key": "", "type": "{object}"},
    }


class _AnyAnswer(RawDeserializer):
    """Takes an answer that is no JSON, such as a proxy's page, for one that says nothing."""

    def on_response(self, request: Any, response: Any, **given: Any) -> None:
        """What the SDK calls with every answer."""
        try:
            super().on_response(request, response, **given)
        except (DeserializationError, ValueError):
            response.context[self.CONTEXT_NAME] = None


def _modelled(activity: Mapping[str, Any]) -> Any:
    """A JSON activity as the SDK's model."""
    plain = {name: told for name, told in activity.items() if name != "entities"}
    made = Activity.deserialize(plain)
    made.entities = [_entity(one) for one in activity.get("entities", ())]
    return made


def _entity(told: Mapping[str, Any]) -> Any:
    made = _Entity(type=str(told["type"]))
    made.additional_properties = {name: one for name, one in told.items() if name != "type"}
    return made


async def _answer(call: Awaitable[Any]) -> Any:
    """What Teams answered. Raises `Answered`, `Away`."""
    try:
        return await call
    except HttpOperationError as error:
        response: Any = error.response
        status = int(getattr(response, "status_code", 0))
        headers = getattr(response, "headers", None) or {}
        raise Answered(status, _render_error(error, status), str(headers.get("Retry-After", ""))) from error
    except (ClientException, OSError) as error:
        raise Away(f"Teams cannot be reached: {type(error).__name__}") from error


def _render_error(error: Any, status: int) -> str:
    """What an error says: its code and message, without the request."""
    with suppress(AttributeError):
        return f"{status} {error.error.error.code}: {error.error.error.message}"[:300]
    return str(status)


def _reason(told: object) -> str:
    """Why no token is given; the directory's text names a trace over several lines."""
    named = told.get("error_description") or told.get("error") if isinstance(told, dict) else ""
    return str(named).splitlines()[0][:300] if named else "without a reason"
