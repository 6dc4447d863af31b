"""`pestle connect teams`: a package that Teams would take, checks that say what is missing."""

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import ValidationError
from PIL import Image
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from adapters.teams.extension import ASK_ALONE, CHECK_CLAIM
from adapters.teams.package import manifest, package
from tests.adapters.cli.app_rules import check_teams
from tests.adapters.cli.conftest import Pestle
from tests.journey.slack import LOCAL, served
from tests.journey.waiting import free_port

APP_ID, TENANT = "11111111-2222-3333-4444-555555555555", "99999999-2222-3333-4444-555555555555"


@pytest.fixture
def directory(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    async def token(request: Request) -> Response:
        right = dict(await request.form())["client_secret"] == "right"
        wrong = {"error": "invalid_client", "error_description": "AADSTS7000215: Invalid client secret."}
        return JSONResponse(
            {"access_token": "t", "expires_in": 3600} if right else wrong, 200 if right else 401
        )

    port = free_port()
    monkeypatch.setenv("PESTLE_TEAMS_LOGIN_URL", f"{LOCAL}:{port}")
    monkeypatch.setenv("PESTLE_TEAMS_APP_ID", APP_ID)
    monkeypatch.setenv("PESTLE_TEAMS_TENANT", TENANT)
    monkeypatch.setenv("PESTLE_TEAMS_PASSWORD", "right")
    route = Route("/{tenant}/oauth2/v2.0/token", token, methods=["POST"])
    with served(Starlette(routes=[route]), port):
        yield


def test_the_package_holds_what_teams_asks_for() -> None:
    with zipfile.ZipFile(io.BytesIO(package(APP_ID, "https://pestle.lab"))) as packed:
        assert set(packed.namelist()) == {"manifest.json", "color.png", "outline.png"}
        told = json.loads(packed.read("manifest.json"))
        sizes = {Image.open(packed.open(name)).size for name in ("color.png", "outline.png")}
    assert sizes == {(192, 192), (32, 32)}
    assert told["bots"][0]["botId"] == told["webApplicationInfo"]["id"] == APP_ID
    asked = told["authorization"]["permissions"]["resourceSpecific"]
    assert asked == [{"name": "ChannelMessage.Read.Group", "type": "Application"}]


def test_the_manifest_is_one_that_teams_takes() -> None:
    told = manifest(APP_ID, "https://pestle.lab")
    check_teams(told)
    claim, alone = told["composeExtensions"][0]["commands"]
    assert (claim["id"], claim["context"]) == (CHECK_CLAIM, ["message"])
    assert (alone["id"], [one["name"] for one in alone["parameters"]]) == (ASK_ALONE, ["question"])


def test_a_manifest_that_teams_would_refuse_fails_the_check() -> None:
    for wrong in (manifest("no-guid", "https://pestle.lab"), manifest(APP_ID, "http://pestle.lab")):
        with pytest.raises(ValidationError):
            check_teams(wrong)


def test_the_small_icon_is_white_on_nothing() -> None:
    with zipfile.ZipFile(io.BytesIO(package(APP_ID, "https://pestle.lab"))) as packed:
        shown = Image.open(packed.open("outline.png")).convert("RGBA")
    colours = {pixel[:3] for _, pixel in shown.getcolors(32 * 32) or () if pixel[3]}
    assert colours == {(255, 255, 255)}


def test_without_a_registration_the_steps_are_told(pestle: Pestle) -> None:
    told = " ".join(pestle("connect", "teams", "--url", "https://pestle.lab").out.split())
    assert "Azure Bot" in told
    assert "https://pestle.lab/api/messages" in told


@pytest.mark.usefixtures("directory")
def test_the_package_is_written_the_token_checked_and_the_rights_explained(
    pestle: Pestle, tmp_path: Path
) -> None:
    place = tmp_path / "teams.zip"
    told = " ".join(
        pestle("connect", "teams", "--url", "https://pestle.lab", "--package", str(place)).out.split()
    )
    assert place.stat().st_size > 1_000
    assert "ChannelMessage.Read.Group: follow-ups" in told
    assert "it gets a token" in told
    assert "PESTLE_TEAMS_URL=https://pestle.lab, so that reports can be downloaded" in told


@pytest.mark.usefixtures("directory")
def test_a_wrong_password_is_told_with_what_the_directory_says(
    pestle: Pestle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PESTLE_TEAMS_PASSWORD", "wrong")
    told = pestle("connect", "teams").err
    assert "AADSTS7000215" in told
