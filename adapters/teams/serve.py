"""The Teams skin as the bot serves it: its route, its voice, and what both need."""

import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import httpx
from starlette.routing import BaseRoute

from adapters.errors import SettingsError
from adapters.logs import hide
from adapters.sections import TeamsSettings
from adapters.teams.app import teams_routes
from adapters.teams.connector import Connector, tokens
from adapters.teams.ear import Ear
from adapters.teams.exports import Exports, Permits, export_routes
from adapters.teams.files import AddressesHidden, TeamsFiles
from adapters.teams.guests import Guests
from adapters.teams.places import PLATFORM, Places
from adapters.teams.platform import TeamsPlatform
from adapters.teams.sign_in import SignIn
from bot.replies import export_by_command

if TYPE_CHECKING:
    from adapters.wiring import Runtime

PLAYGROUND_TENANT = "00000000-0000-0000-0000-0000000000001"
"""The tenant of everybody in the Agents Playground, as it writes it."""


def checked(settings: TeamsSettings) -> TeamsSettings:
    """The settings, if the bot can hear Teams with them. Raises `SettingsError`."""
    if not settings.playground and not (settings.password.get_secret_value() and settings.tenant):
        raise SettingsError(
            "Beside PESTLE_TEAMS_APP_ID the bot needs PESTLE_TEAMS_PASSWORD and PESTLE_TEAMS_TENANT. "
            "`pestle connect teams` tells where they are."
        )
    if settings.playground and settings.app_id:
        raise SettingsError(
            "PESTLE_TEAMS_PLAYGROUND lets in whoever is on this machine. Take it out, or PESTLE_TEAMS_APP_ID."
        )
    return settings


@asynccontextmanager
async def teams_skin(built: "Runtime") -> AsyncIterator[tuple[list[BaseRoute], TeamsPlatform]]:
    """The routes that hear Teams, and the platform that cards are shown on. Raises `SettingsError`."""
    settings = checked(built.settings.teams)
    hide(AddressesHidden)
    async with httpx.AsyncClient() as client, AsyncExitStack() as stack:
        connector = Connector(tokens(settings, client))
        permits = Permits(settings.password.get_secret_value() or secrets.token_urlsafe())
        ear = _ear(built, settings, client, connector, Exports(permits, settings.url))
        if ear.intake.additions:
            await stack.enter_async_context(ear.intake.additions.going(PLATFORM))
        try:
            yield [*teams_routes(ear), *export_routes(permits, built.files_out)], ear.platform
        finally:
            await ear.platform.settle()
            await connector.close()


def _ear(
    built: "Runtime",
    settings: TeamsSettings,
    client: httpx.AsyncClient,
    connector: Connector,
    exports: Exports,
) -> Ear:
    local, kept = settings.playground, built.storage
    largest = built.settings.web.upload_mb * 1_000_000
    files = TeamsFiles(client, built.parsers, largest=largest, here=local)
    places = Places(kept.conversations)
    platform = TeamsPlatform(connector, places, exports, sensitivity=settings.sensitivity)
    return Ear(
        intake=built.intake_with(export_by_command, files),
        outbox=kept.outbox,
        places=places,
        platform=platform,
        tenant=PLAYGROUND_TENANT if local else settings.tenant,
        guests=None if local or settings.guests else Guests(connector, platform.where),
        sign_in=None if local else SignIn(settings.app_id, settings.openid_url, client),
    )
