"""Who is in a channel or a group: asked at its platform."""

from collections.abc import Mapping

from adapters.settings import Settings
from adapters.storage import Storage
from bot.accounts import Accounts
from bot.rights import PAGE, Members


def members(settings: Settings, storage: Storage) -> Mapping[str, Members]:
    """By platform, as far as the settings tell how it is asked."""
    asked: dict[str, Members] = {PAGE: PageMembers(storage.accounts)}
    if settings.slack.used:
        from adapters.slack.members import SlackMembers

        asked["slack"] = SlackMembers(settings.slack)
    if settings.teams.used:
        from adapters.teams.members import TeamsMembers

        asked["teams"] = TeamsMembers(settings.teams, storage.conversations)
    return asked


class PageMembers:
    """`Members` of the page, where everybody who has an account can open every channel."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    async def members(self, channel: str) -> frozenset[str] | None:
        """See the port."""
        return frozenset(await self._accounts.names()) or None

    async def group(self, group: str) -> frozenset[str] | None:
        """See the port: the page has none of its own."""
        return None
