"""Who is in a channel of Slack (scopes channels:read and groups:read)."""

import asyncio
import logging
from typing import Any

from pydantic import BaseModel
from slack_sdk.web.async_client import AsyncWebClient

from adapters.sections import SlackSettings
from adapters.slack.calls import slack_client

logger = logging.getLogger(__name__)

PATIENCE_S = 1.5
"""How long Slack is waited for: an event has to be acknowledged within three seconds."""
PAGE = "1000"
MOST_PAGES = 5
"""A channel with more people is not known for sure."""


class Page(BaseModel):
    """What Slack tells at once of who is in a channel; `next_cursor` is where it goes on."""

    members: list[str]
    response_metadata: dict[str, Any] | None = None


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
        try:
            async with asyncio.timeout(PATIENCE_S):
                self._self = self._self or str((await self._client.api_call("auth.test"))["user_id"])
                return await self._all(channel)
        except Exception as error:  # whatever it is: a doubt counts as no
            logger.warning("Slack does not say who is in %s: %s", channel, type(error).__name__)
            return None

    async def _all(self, channel: str) -> frozenset[str] | None:
        found: set[str] = set()
        cursor = ""
        for _ in range(MOST_PAGES):
            asked = {"channel": channel, "limit": PAGE, "cursor": cursor}
            answer = await self._client.api_call("conversations.members", data=asked)
            page = Page.model_validate(answer.data)
            found |= set(page.members)
            cursor = str((page.response_metadata or {}).get("next_cursor") or "")
            if not cursor:
                return frozenset(found - {self._self})
        return None
