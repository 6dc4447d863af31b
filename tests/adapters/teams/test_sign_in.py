"""Tokens: what is not of the service, for this bot and of now is answered 401, and nothing is enqueued."""

import asyncio
import time
from typing import Any

import httpx
import jwt
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from adapters.door import Refused
from adapters.slack.serve import bot_server
from adapters.teams.sign_in import SignIn
from tests.adapters.teams.conftest import Teams
from tests.adapters.teams.far_end import APP_ID, FOREIGN_KEY, KEY, signed
from tests.adapters.teams.sender import QUESTION, stamp
from tests.journey.waiting import free_port

NOW = int(time.time())
BAD: dict[str, dict[str, Any]] = {
    "signed with a forged key": {"key": FOREIGN_KEY},
    "with a key id that is not published": {"head": {"kid": "k9"}},
    "for another bot": {"aud": "99999999-0000-0000-0000-000000000000"},
    "for no bot": {"aud": None},
    "of another issuer": {"iss": "https://evil.example"},
    "of no issuer": {"iss": None},
    "run out": {"exp": NOW - 900, "nbf": NOW - 4_500},
    "that never runs out": {"exp": None},
    "that runs out in years": {"exp": NOW + 10**8},
    "of tomorrow": {"nbf": NOW + 86_000},
    "for another address": {"serviceurl": "https://evil.example"},
    "for no address": {"serviceurl": None},
    "with an end that is no time": {"exp": "soon"},
}


@pytest.mark.parametrize("wrong", BAD.values(), ids=BAD)
async def test_a_bad_token_is_answered_401_and_nothing_is_enqueued(
    teams: Teams, wrong: dict[str, Any]
) -> None:
    token = signed(teams.service_url, **wrong)
    mention = {"type": "mention", "mentioned": {"id": "28:bot"}, "text": "<at>Pestle</at>"}
    answer = await teams.send(teams.activity(text=QUESTION, entities=[mention]), token)
    assert answer.status_code == 401
    assert await teams.questions() == []
    assert await teams.world.outbox.claim("pump", ("teams",), 1) is None


def unsigned() -> str:
    claims = {"iss": "https://api.botframework.com", "aud": APP_ID, "exp": NOW + 600}
    return jwt.encode(claims, None, algorithm="none", headers={"kid": "k1"})


def signed_by_name() -> str:
    """HS256 with the published key as its secret, which a careless reader takes for the service's."""
    claims = {"iss": "https://api.botframework.com", "aud": APP_ID, "exp": NOW + 600}
    secret = str(KEY.public_key().public_numbers().n)
    return jwt.encode(claims, secret, algorithm="HS256", headers={"kid": "k1"})


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "e30.e30.e30", unsigned(), signed_by_name()])
async def test_what_is_no_token_is_answered_401(teams: Teams, token: str) -> None:
    answer = await teams.send(teams.activity(text=QUESTION), token)
    assert answer.status_code == 401
    assert await teams.questions() == []


async def test_another_scheme_is_answered_401(teams: Teams) -> None:
    headers = {"authorization": f"Basic {signed(teams.service_url)}"}
    assert (await teams.send(teams.activity(text=QUESTION), "", **headers)).status_code == 401


@pytest.mark.parametrize(
    "sent", [stamp(7_200), stamp(-3_600), "", "yesterday"], ids=["old", "early", "none", "words"]
)
async def test_a_replay_of_an_old_activity_is_answered_401(teams: Teams, sent: str) -> None:
    assert (await teams.say(timestamp=sent)).status_code == 401
    assert await teams.questions() == []


async def test_a_good_token_is_let_in_and_the_keys_are_asked_for_once(teams: Teams) -> None:
    assert [(await teams.say()).status_code for _ in range(3)] == [200] * 3
    assert teams.end.keys_asked == 1
    for number in range(5):
        token = signed(teams.service_url, head={"kid": f"made-up-{number}"})
        assert (await teams.send(teams.activity(text=QUESTION), token)).status_code == 401
    assert teams.end.keys_asked == 1


async def test_a_key_that_speaks_for_another_channel_is_refused(teams: Teams) -> None:
    teams.end.endorsements = ["webchat"]
    assert (await teams.say()).status_code == 401


async def test_without_the_services_keys_teams_is_asked_to_try_again(teams: Teams) -> None:
    teams.end.away = True
    assert (await teams.say()).status_code == 503
    teams.end.away = False
    assert (await teams.say()).status_code == 200
    assert len(await teams.questions()) == 1


async def test_an_address_without_tls_is_refused(teams: Teams) -> None:
    plain = "http://smba.example"
    assert (await teams.send(teams.activity(serviceUrl=plain), signed(plain))).status_code == 401


async def test_a_token_of_a_megabyte_is_answered_401_by_the_bots_server() -> None:
    async with httpx.AsyncClient(transport=httpx.AsyncHTTPTransport(retries=5)) as client:
        sign_in = SignIn("app", "http://127.0.0.1:1/", client)

        async def messages(request: Request) -> Response:
            try:
                await sign_in.claims(request.headers.get("authorization", ""))
            except Refused as refused:
                return PlainTextResponse(str(refused), refused.status)
            return Response()

        app = Starlette(routes=[Route("/", messages, methods=["POST"])])
        server = bot_server(app, host="127.0.0.1", port=(port := free_port()))
        serving = asyncio.create_task(server.serve())
        token = {"authorization": f"Bearer {'a' * 1_000_000}"}
        answer = await client.post(f"http://127.0.0.1:{port}/", headers=token)
        server.should_exit = True
        await serving
    assert (answer.status_code, "longer" in answer.text) == (401, True)
