"""The Teams skin as the bot serves it: what the cards point to is there."""

from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from adapters.errors import SettingsError
from adapters.sections import TeamsSettings
from adapters.settings import Settings
from adapters.teams.serve import checked, teams_skin
from adapters.wiring import runtime
from bot.ports import ShowsFiles, ShowsPrivately

APP_ID = "11111111-2222-3333-4444-555555555555"


async def test_what_cards_point_to_is_served_by_the_bot(tmp_path: Path) -> None:
    own = TeamsSettings(playground=True)
    async with runtime(Settings(home=tmp_path, teams=own)) as built, teams_skin(built) as (routes, platform):
        transport = httpx.ASGITransport(app=Starlette(routes=routes))
        async with httpx.AsyncClient(transport=transport, base_url="http://bot") as client:
            assert (await client.get("/exports/made-up")).status_code == 403
            assert (await client.post("/api/messages", content=b"{}")).status_code == 400
        assert isinstance(platform, ShowsFiles)
        assert isinstance(platform, ShowsPrivately)


@pytest.mark.parametrize(
    "wrong",
    [
        {"app_id": APP_ID},
        {"app_id": APP_ID, "password": "p"},
        {"app_id": APP_ID, "playground": True},
    ],
)
def test_half_a_set_up_and_an_open_one_are_refused(wrong: dict[str, object]) -> None:
    if wrong.get("playground"):
        wrong |= {"password": "p", "tenant": "t"}
    with pytest.raises(SettingsError):
        checked(TeamsSettings(**wrong))  # type: ignore[arg-type]


@pytest.mark.parametrize("url", ["http://pestle.example", "https://pestle.example/x", "ftp://x", "pestle"])
def test_an_address_that_others_could_read_along_is_none_to_download_from(url: str) -> None:
    with pytest.raises(ValueError, match="url"):
        TeamsSettings(url=url)
    assert TeamsSettings(url="https://pestle.example").url
