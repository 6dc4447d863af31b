"""Whether a Slack app is set up: its token, its rights, its socket, and a hello in a channel."""

from dataclasses import dataclass

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.errors import AdapterError
from adapters.slack.calls import reason_of
from adapters.slack.manifest import missing

HELLO = "Hello. I am set up: mention me with a question, or write `/pestle help`."


class NotConnected(AdapterError):
    """Slack refused something; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Connected:
    """The workspace and the bot's name there, and each missing right with what does not work without it."""

    team: str
    user: str
    missing: dict[str, str]


async def check_token(client: AsyncWebClient) -> Connected:
    """Ask Slack who the bot is and which rights it has. Raises `NotConnected`."""
    try:
        answer = await client.auth_test()
    except SlackApiError as error:
        reason = reason_of(error)
        raise NotConnected(
            f"Slack does not take the bot token ({reason}). Install the app, and copy the token from "
            "“OAuth & Permissions”; it begins with xoxb-."
        ) from error
    listed = str(answer.headers.get("x-oauth-scopes") or "")
    granted = {scope.strip() for scope in listed.split(",") if scope.strip()}
    return Connected(str(answer.get("team") or "your workspace"), str(answer.get("user")), missing(granted))


async def check_app_token(client: AsyncWebClient, token: str) -> None:
    """Whether a socket can be opened. Raises `NotConnected`."""
    try:
        await client.apps_connections_open(app_token=token)
    except SlackApiError as error:
        raise NotConnected(
            f"Slack opens no socket ({reason_of(error)}). Make an app-level token with the scope "
            "connections:write under “Basic Information”; it begins with xapp-."
        ) from error


async def say_hello(client: AsyncWebClient, channel: str) -> None:
    """Post into a channel. Raises `NotConnected`."""
    try:
        await client.chat_postMessage(channel=channel, text=HELLO)
    except SlackApiError as error:
        raise NotConnected(
            f"I cannot post into {channel} ({reason_of(error)}). Write `/invite @Pestle` there, and name the "
            "channel by its id (C…) if it is a private one."
        ) from error
