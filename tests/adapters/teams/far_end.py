"""The far end of the Teams adapter: the service's keys and as much of its connector as is called.

The keys are the tests' own: an OpenID document on a port of this machine names them, as the service's does.
"""

import asyncio
import itertools
import json
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import jwt
import uvicorn
from cryptography.hazmat.primitives.asymmetric import rsa
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tests.adapters.teams.valid import check_message

APP_ID, SECRET, TENANT = "11111111-2222-3333-4444-555555555555", "s3cret", "t1"
ISSUER = "https://api.botframework.com"
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
FOREIGN_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


class FarEnd:
    """Keeps messages by conversation and id, and files by name.

    Every message that it is sent is validated. `answers` are given to the next calls instead of being
    carried out; `lost` is how many calls are carried out and then answered with an error.
    """

    def __init__(self) -> None:
        self.url = ""
        self.messages: dict[tuple[str, str], dict[str, Any]] = {}
        self.typing: list[str] = []
        self.files: dict[str, bytes] = {}
        self.guests: set[str] = set()
        self.roles_asked: list[tuple[str, str]] = []
        self.roster_away = False
        self.rosters: dict[str, list[str]] = {}
        """Who is in each team or chat, by their ids in the directory."""
        self.groups: dict[str, list[str]] = {}
        self.page = 500
        self.outside: set[str] = set()
        """Conversations that the bot is no member of."""
        self.answers: list[Response] = []
        self.calls: list[tuple[str, str]] = []
        self.tokens: list[str] = []
        """What the calls were authorised with."""
        self.keys_asked = 0
        self.away = False
        """Whether the keys cannot be had."""
        self.endorsements = ["msteams"]
        self._ids = itertools.count(1)

    @property
    def openid_url(self) -> str:
        return f"{self.url}/openid"

    def shown(self, conversation: str = "") -> list[dict[str, Any]]:
        """The messages, oldest first."""
        return [told for (place, _), told in self.messages.items() if conversation in ("", place)]

    async def openid(self, request: Request) -> Response:
        self.keys_asked += 1
        if self.away:
            return Response(status_code=503)
        return JSONResponse({"issuer": ISSUER, "jwks_uri": f"{self.url}/keys"})

    async def keys(self, request: Request) -> Response:
        key = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key()))
        return JSONResponse({"keys": [{**key, "kid": "k1", "endorsements": self.endorsements}]})

    async def token(self, request: Request) -> Response:
        form = dict(await request.form())
        if (form["client_id"], form["client_secret"]) != (APP_ID, SECRET):
            return JSONResponse({"error": "invalid_client", "error_description": "AADSTS7000215: no."}, 401)
        return JSONResponse({"access_token": f"bot-{next(self._ids)}", "expires_in": 3600})

    async def activities(self, request: Request) -> Response:
        conversation = request.path_params["conversation"]
        self.calls.append((request.method, conversation))
        self.tokens.append(request.headers.get("authorization", ""))
        if self.answers:
            return self.answers.pop(0)
        told = await request.json()
        if told["type"] == "typing":
            self.typing.append(conversation)
            return JSONResponse({"id": "t"})
        check_message(told)
        message_id = f"m{next(self._ids)}"
        self.messages[conversation, message_id] = told
        return JSONResponse({"id": message_id}, 201)

    async def activity(self, request: Request) -> Response:
        place = (request.path_params["conversation"], request.path_params["message"])
        self.calls.append((request.method, place[0]))
        if self.answers:
            return self.answers.pop(0)
        if place not in self.messages:
            return JSONResponse({"error": {"code": "ActivityNotFoundInConversation", "message": "gone"}}, 404)
        if request.method == "DELETE":
            del self.messages[place]
            return Response()
        told = await request.json()
        check_message(told)
        self.messages[place] = told
        return JSONResponse({"id": place[1]})

    async def member(self, request: Request) -> Response:
        """A person in a conversation's roster."""
        member = request.path_params["member"]
        self.roles_asked.append((request.path_params["conversation"], member))
        if self.roster_away:
            return Response(status_code=503)
        if request.path_params["conversation"] in self.outside:
            return JSONResponse({"error": {"code": "BotNotInConversationRoster", "message": "no"}}, 403)
        role = "guest" if member in self.guests else "user"
        return JSONResponse({"id": member, "userRole": role, "tenantId": TENANT})

    async def paged(self, request: Request) -> Response:
        """Who is in a team or chat, so many at a time."""
        self.tokens.append(request.headers.get("authorization", ""))
        if self.answers:
            return self.answers.pop(0)
        people = self.rosters[request.path_params["conversation"]]
        first = int(request.query_params.get("continuationToken") or 0)
        after = first + min(self.page, int(request.query_params["pageSize"]))
        told: dict[str, Any] = {
            "members": [
                {"id": f"29:{one}", "aadObjectId": one, "userRole": "user"} for one in people[first:after]
            ]
        }
        return JSONResponse(told | ({"continuationToken": str(after)} if after < len(people) else {}))

    async def grouped(self, request: Request) -> Response:
        """Who and what is in a group of the directory, as Microsoft Graph tells it."""
        self.tokens.append(request.headers.get("authorization", ""))
        if self.answers:
            return self.answers.pop(0)
        people, first = self.groups[request.path_params["group"]], int(request.query_params.get("skip") or 0)
        told: dict[str, Any] = {
            "value": [
                {"@odata.type": "#microsoft.graph.user", "id": one} for one in people[first:][: self.page]
            ]
        }
        told["value"].append({"@odata.type": "#microsoft.graph.device", "id": "d1"})
        if (after := first + self.page) < len(people):
            told["@odata.nextLink"] = f"{self.url}{request.url.path}?skip={after}"
        return JSONResponse(told)

    async def conversations(self, request: Request) -> Response:
        """Opens the chat of the bot with a person."""
        self.calls.append(("POST", ""))
        if self.answers:
            return self.answers.pop(0)
        told = await request.json()
        assert told["isGroup"] is False
        assert told["bot"]["id"]
        assert told["tenantId" if "tenantId" in told else "tenantID"] == TENANT
        (member,) = told["members"]
        return JSONResponse({"id": f"a:with-{member['id']}"}, 201)

    async def file(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name == "elsewhere":
            return RedirectResponse(f"{self.url}/files/a.md")
        return Response(self.files[name]) if name in self.files else Response(status_code=404)


@asynccontextmanager
async def far_end() -> AsyncIterator[FarEnd]:
    end = FarEnd()
    calls = "/v3/conversations/{conversation}/activities"
    app = Starlette(
        routes=[
            Route("/openid", end.openid),
            Route("/keys", end.keys),
            Route("/{tenant}/oauth2/v2.0/token", end.token, methods=["POST"]),
            Route("/v3/conversations/{conversation}/members/{member}", end.member),
            Route("/v3/conversations/{conversation}/pagedmembers", end.paged),
            Route("/v1.0/groups/{group}/transitiveMembers", end.grouped),
            Route("/v3/conversations", end.conversations, methods=["POST"]),
            Route(calls, end.activities, methods=["POST"]),
            Route(calls + "/{message}", end.activity, methods=["PUT", "DELETE"]),
            Route("/files/{name}", end.file),
        ]
    )
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
    listening = socket.create_server(("127.0.0.1", 0))
    end.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield end
    finally:
        server.should_exit = True
        await serving


def signed(service_url: str, *, key: Any = KEY, head: dict[str, str] | None = None, **other: Any) -> str:
    """A token as the service makes it; a claim that is None is left out."""
    now = int(time.time())
    claims: dict[str, Any] = {"iss": ISSUER, "aud": APP_ID, "nbf": now - 60, "exp": now + 3_600}
    claims |= {"serviceurl": service_url, **other}
    kept = {name: told for name, told in claims.items() if told is not None}
    return jwt.encode(kept, key, algorithm="RS256", headers={"kid": "k1", **(head or {})})
