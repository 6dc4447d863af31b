"""Who is in a channel of Slack (scopes channels:read, groups:read) and in a user group (usergroups:read)."""

from typing import Any

from pydantic import AliasChoices, BaseModel, Field

from adapters.everybody import everybody
from adapters.sections import SlackSettings
from adapters.slack.calls import slack_client

PATIENCE_S = 1.5
"""How long Slack is waited for: an event has to be acknowledged within three seconds."""
PAGE = "1000"


class Page(BaseModel):
    """What Slack tells at once of who is in a channel or group; `next_cursor` is where it goes on."""

    people: list[str] = Field(validation_alias=AliasChoices("members", "users"))
    response_metadata: dict[str, Any] | None = None


class SlackMembers:
    """`bot.rights.Members`. Programs count as members, the bot itself does not."""

    def __init__(self, settings: SlackSettings) -> None:
        self._client = slack_client(settings.bot_token.get_secret_value(), settings.base_url)
        self._self = ""

    async def members(self, channel: str) -> frozenset[str] | None:
        """See the port."""
        return await self._asked("conversations.members", channel=channel)

    async def group(self, group: str) -> frozenset[str] | None:
        """See the port."""
        return await self._asked("usergroups.users.list", usergroup=group)

    async def _asked(self, method: str, **of: str) -> frozenset[str] | None:
        async def page(cursor: str) -> tuple[set[str], str]:
            self._self = self._self or str((await self._client.api_call("auth.test"))["user_id"])
            answer = await self._client.api_call(method, data={**of, "limit": PAGE, "cursor": cursor})
            told = Page.model_validate(answer.data)
            more = (told.response_metadata or {}).get("next_cursor") or ""
            return {*told.people} - {self._self}, str(more)

        return await everybody(page, PATIENCE_S, str(of))
