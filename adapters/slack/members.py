"""Who is in a channel of Slack (scopes channels:read, groups:read) and in a user group (usergroups:read)."""

from typing import Any

from pydantic import BaseModel
from slack_sdk.web.async_client import AsyncWebClient

from adapters.everybody import everybody
from adapters.sections import SlackSettings
from adapters.slack.calls import slack_client

PATIENCE_S = 1.5
"""How long Slack is waited for: an event has to be acknowledged within three seconds."""
PAGE = "1000"


class Page(BaseModel):
    """What Slack tells at once of who is in a channel; `next_cursor` is where it goes on."""

    members: list[str]
    response_metadata: dict[str, Any] | None = None


class Group(BaseModel):
    """What Slack tells of a user group."""

    users: list[str]


class SlackMembers:
    """`bot.rights.Members`. Programs count as members, the bot itself does not."""

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client
        self._self = ""

    @classmethod
    def of(cls, settings: SlackSettings) -> "SlackMembers":
        """With the bot's token."""
        return cls(slack_client(settings.bot_token.get_secret_value(), settings.base_url))

    async def members(self, channel: str) -> frozenset[str] | None:
        """See the port."""

        async def page(cursor: str) -> tuple[set[str], str]:
            self._self = self._self or str((await self._client.api_call("auth.test"))["user_id"])
            asked = {"channel": channel, "limit": PAGE, "cursor": cursor}
            answer = await self._client.api_call("conversations.members", data=asked)
            told = Page.model_validate(answer.data)
            return {*told.members} - {self._self}, str(
                (told.response_metadata or {}).get("next_cursor") or ""
            )

        return await everybody(page, PATIENCE_S, channel)

    async def group(self, group: str) -> frozenset[str] | None:
        """See the port."""

        async def page(_: str) -> tuple[set[str], str]:
            answer = await self._client.api_call("usergroups.users.list", data={"usergroup": group})
            return {*Group.model_validate(answer.data).users}, ""

        return await everybody(page, PATIENCE_S, group)
