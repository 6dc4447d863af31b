"""Who is in a team's channels, in a chat of Teams, and in a group of its directory (Entra).

Who is in a conversation the bot is told without a further right; groups need the app's permission
GroupMember.Read.All of Microsoft Graph. A channel counts as read by its whole team.
"""

import httpx
from pydantic import BaseModel, Field

from adapters.everybody import everybody
from adapters.sections import TeamsSettings
from adapters.teams.connector import Connector, tokens
from adapters.teams.places import PLATFORM, Places, user_of
from bot.ports import Conversations
from bot.values import ThreadRef

PATIENCE_S = 5.0
"""How long Microsoft is waited for: Teams waits for an answer for 15 seconds."""
PERSON = "#microsoft.graph.user"


class Member(BaseModel):
    """Somebody or something in a group."""

    id: str
    type: str = Field(alias="@odata.type")


class Page(BaseModel):
    """What Microsoft Graph tells at once of who is in a group; `more` is the address where it goes on."""

    value: list[Member]
    more: str = Field("", alias="@odata.nextLink")


class TeamsMembers:
    """`bot.rights.Members`: people by their ids in the directory."""

    def __init__(self, settings: TeamsSettings, conversations: Conversations) -> None:
        self._settings = settings
        self._places = Places(conversations)

    async def members(self, channel: str) -> frozenset[str] | None:
        """See the port. A channel shared with another organisation is not told for sure."""
        thread = ThreadRef(PLATFORM, channel, "")
        if user := user_of(thread):
            return frozenset({user})
        place = await self._places.find(thread)
        if place is None or not place.roster:
            return None
        async with httpx.AsyncClient() as client:
            connector = Connector(tokens(self._settings, client))

            async def page(more: str) -> tuple[set[str], str]:
                return await connector.people(place.service_url, place.roster, more)

            try:
                return await everybody(page, PATIENCE_S, channel)
            finally:
                await connector.close()

    async def group(self, group: str) -> frozenset[str] | None:
        """See the port. Who is in it through another group is in it too."""
        graph = self._settings.graph_url.rstrip("/")
        first = f"{graph}/v1.0/groups/{group}/transitiveMembers?$select=id&$top=999"
        async with httpx.AsyncClient() as client:
            bearer = tokens(self._settings, client, f"{graph}/.default")

            async def page(more: str) -> tuple[set[str], str]:
                if not (address := more or first).startswith(f"{graph}/"):
                    raise ValueError("the next page is somewhere else")
                head = {"authorization": f"Bearer {await bearer.token()}"}
                answer = await client.get(address, headers=head, timeout=PATIENCE_S)
                told = Page.model_validate_json(answer.raise_for_status().content)
                return {one.id for one in told.value if one.type == PERSON}, told.more

            return await everybody(page, PATIENCE_S, group)
