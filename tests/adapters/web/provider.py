"""A small OpenID provider: real HTTP on this machine, a key of its own, and whatever lies a test wants."""

import asyncio
import base64
import hashlib
import json
import secrets
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
import uvicorn
from cryptography.hazmat.primitives.asymmetric import rsa
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

CLIENT, SECRET = "pestle", "s:cret"
KEY, OTHER_KEY = (rsa.generate_private_key(65537, 2048) for _ in range(2))


@dataclass
class Provider:
    """Who logs in is set by `claims`; `sign` may be replaced by one that lies."""

    issuer: str = ""
    claims: dict[str, Any] = field(default_factory=dict)
    document: dict[str, Any] = field(default_factory=dict)
    asked: dict[str, dict[str, str]] = field(default_factory=dict)
    exchanged: list[str] = field(default_factory=list)
    algorithm: str = "RS256"
    key: Any = KEY
    kid: str = "k1"

    def told(self, nonce: str) -> dict[str, Any]:
        now = int(time.time())
        usual = {"iss": self.issuer, "aud": CLIENT, "sub": "7", "iat": now, "exp": now + 60, "nonce": nonce}
        found = usual | {"preferred_username": "Ada@lab.example"} | self.claims
        return {name: value for name, value in found.items() if value is not None}

    async def openid(self, _: Request) -> Response:
        places = {"authorization_endpoint": "/authorize", "token_endpoint": "/token", "jwks_uri": "/keys"}
        known = {name: f"{self.issuer}{place}" for name, place in places.items()}
        return JSONResponse({"issuer": self.issuer} | known | self.document)

    async def keys(self, _: Request) -> Response:
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key()))
        unused = [public | {"kid": "k0", "use": "enc", "alg": "RSA-OAEP"}, {"kty": "OKP", "kid": "k3"}]
        return JSONResponse({"keys": [*unused, public | {"kid": "k1", "use": "sig"}]})

    async def authorize(self, request: Request) -> Response:
        """Somebody logs in at once."""
        asked = dict(request.query_params)
        assert (asked["response_type"], asked["client_id"]) == ("code", CLIENT)
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_hex(8)
        self.asked[code] = asked
        back = {"code": code, "state": asked["state"]}
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode(back)}", 302)

    async def token(self, request: Request) -> Response:
        """A code is good once, for who has its verifier and the client's secret."""
        given = {name: one[0] for name, one in parse_qs((await request.body()).decode()).items()}
        asked = self.asked.pop(given.get("code", ""), None)
        hashed = hashlib.sha256(given.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(hashed).rstrip(b"=").decode()
        basic = base64.b64encode(b"pestle:s%3Acret").decode()
        known = request.headers.get("authorization") == f"Basic {basic}"
        fits = asked and (asked["redirect_uri"], asked["code_challenge"]) == (
            given["redirect_uri"],
            challenge,
        )
        if not asked or not fits or not known:
            return JSONResponse({"error": "invalid_grant"}, 400)
        self.exchanged.append(given["code"])
        claims, key = self.told(asked["nonce"]), None if self.algorithm == "none" else self.key
        token = jwt.encode(claims, key, algorithm=self.algorithm, headers={"kid": self.kid})
        return JSONResponse({"id_token": token, "access_token": "a", "token_type": "Bearer"})


@asynccontextmanager
async def provider() -> AsyncIterator[Provider]:
    listening = socket.create_server(("127.0.0.1", 0))
    made = Provider(f"http://127.0.0.1:{listening.getsockname()[1]}")
    routes = [
        Route("/.well-known/openid-configuration", made.openid),
        Route("/keys", made.keys),
        Route("/authorize", made.authorize),
        Route("/token", made.token, methods=["POST"]),
    ]
    config = uvicorn.Config(Starlette(routes=routes), log_level="warning", lifespan="off")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    yield made
    server.should_exit = True
    await serving


def query_of(address: str) -> dict[str, str]:
    return {name: one[0] for name, one in parse_qs(urlsplit(address).query).items()}
