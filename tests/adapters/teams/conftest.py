"""The Teams skin over a conversation in memory, with the tests' own service at its far end."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest_asyncio
from pydantic import SecretStr
from starlette.applications import Starlette

from adapters.export.handed import HandedFiles
from adapters.sections import TeamsSettings
from adapters.teams.app import teams_routes
from adapters.teams.connector import AppTokens, Connector, Tokens
from adapters.teams.ear import Ear
from adapters.teams.exports import Exports, Permits, export_routes
from adapters.teams.guests import Guests
from adapters.teams.places import Places
from adapters.teams.platform import TeamsPlatform
from adapters.teams.sign_in import SignIn
from agents.runs.artefacts import MemoryArtefacts
from bot.access import Access
from bot.delivery import Pump
from bot.intake import Intake
from tests.adapters.teams.far_end import APP_ID, SECRET, TENANT, FarEnd, far_end
from tests.adapters.teams.sender import Sender
from tests.bot.world import World
from tests.support.archive import question_in


class Teams(Sender):
    """Teams' side, with what it reaches."""

    def __init__(self, client: httpx.AsyncClient, end: FarEnd, world: World, ear: Ear) -> None:
        super().__init__(client, end)
        self.world = world
        self.ear = ear
        files = HandedFiles(world.views, world.ledger, MemoryArtefacts())
        self.pump = Pump(world.outbox, world.ledger, [ear.platform], owner="pump", files=files)

    async def questions(self) -> list[str]:
        return [question_in(record).text for record in await self.world.ledger.runs()]


class Led(Connector):
    """Leads every call to the far end: of the service itself only addresses under TLS are taken."""

    def __init__(self, tokens: Tokens, end: FarEnd) -> None:
        super().__init__(tokens)
        self._end = end

    async def _calls(self, service_url: str) -> Any:
        return await super()._calls(self._end.url)


@pytest_asyncio.fixture
async def end() -> AsyncIterator[FarEnd]:
    async with far_end() as served:
        yield served


@pytest_asyncio.fixture
async def teams(end: FarEnd) -> AsyncIterator[Teams]:
    world = World()
    app = TeamsSettings(app_id=APP_ID, password=SecretStr(SECRET), tenant=TENANT, login_url=end.url)
    world.intake = Intake(world.rooms, access={"teams": Access(guests=False)})
    async with httpx.AsyncClient() as outside:
        connector = Led(AppTokens(outside, app), end)
        places = Places(world.conversations)
        permits, files = Permits(SECRET), HandedFiles(world.views, world.ledger, MemoryArtefacts())
        exports = Exports(permits, "https://pestle.lab")
        platform = TeamsPlatform(connector, places, exports, sensitivity="Confidential: for the team")
        sign_in = SignIn(APP_ID, end.openid_url, outside)
        guests = Guests(connector, platform.where)
        ear = Ear(world.intake, world.outbox, places, platform, TENANT, sign_in, guests)
        routes = [*teams_routes(ear), *export_routes(permits, files)]
        transport = httpx.ASGITransport(app=Starlette(routes=routes))
        async with httpx.AsyncClient(transport=transport, base_url="http://bot") as client:
            yield Teams(client, end, world, ear)
        await platform.settle()
        await connector.close()
