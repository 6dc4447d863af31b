"""Log-in by a company's own provider (OpenID Connect): an authorization code with PKCE (RFC 7636).

What a browser began is kept in this process under a token that this browser alone has, is good once and for
ten minutes, and holds the state, the nonce and the verifier that what comes back must fit. The provider says
of somebody who they are, how they are called and in which groups; nothing else of its reply is used.
"""

import base64
import hashlib
import hmac
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

import httpx
import jwt

from adapters.openid import KeysUnknown, Provider, UnknownKey
from adapters.sections import OidcSettings
from adapters.web.passwords import plain_name
from bot.rights import NAME

logger = logging.getLogger(__name__)

WAITS_S = 600.0
"""Seconds that somebody has at the provider."""
MOST_WAITING, MOST_GROUPS = 10_000, 500
FETCH_S = 10.0
LEEWAY_S = 60
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512")
"""By which a token may be signed: never by a secret, nor not at all."""
REQUIRED = ["exp", "iat", "iss", "aud", "sub", "nonce"]
AWAY = "The log-in of your company does not answer as it should. Try again, or tell who runs Pestle."


class NotEntered(Exception):
    """Somebody is not let in; the message says why, without what was sent."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who the provider says somebody is: `identity` is theirs for ever, `name` and `groups` are of now."""

    identity: str
    name: str
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Begun:
    """What a browser began, by when it must come back, and where it then goes."""

    state: str
    nonce: str
    verifier: str
    address: str
    until: float


class Oidc:
    """Sends people to one provider, and reads what they bring back."""

    def __init__(self, settings: OidcSettings, client: httpx.AsyncClient) -> None:
        self._settings, self._client = settings, client
        place = f"{settings.issuer.rstrip('/')}/.well-known/openid-configuration"
        self._provider = Provider(place, client, ("RSA", "EC"))
        self._begun: OrderedDict[str, _Begun] = OrderedDict()

    async def begin(self, address: str, back: str) -> tuple[str, str]:
        """Where to send a browser that then goes to `address`, and the token that it must bring `back`.

        Raises `NotEntered`.
        """
        token, *made = (secrets.token_urlsafe(32) for _ in range(4))
        begun = _Begun(made[0], made[1], made[2], address, time.monotonic() + WAITS_S)
        asked = {
            "response_type": "code",
            "client_id": self._settings.client_id,
            "redirect_uri": back,
            "scope": self._settings.scope,
            "state": begun.state,
            "nonce": begun.nonce,
            "code_challenge": _challenge(begun.verifier),
            "code_challenge_method": "S256",
        }
        place = await self._endpoint("authorization_endpoint")
        self._begun[token] = begun
        if len(self._begun) > MOST_WAITING:
            self._begun.popitem(last=False)
        return f"{place}{'&' if '?' in place else '?'}{urlencode(asked)}", token

    async def entered(self, token: str, told: Mapping[str, str], back: str) -> tuple[Entrant, str]:
        """Who came back with a token and what the provider told, and where they go. Raises `NotEntered`."""
        begun = self._begun.pop(token, None)
        if begun is None or time.monotonic() > begun.until:
            raise NotEntered("This log-in was not begun here, or is over. Begin it again.")
        if not hmac.compare_digest(told.get("state", "").encode(), begun.state.encode()):
            raise NotEntered("This log-in is not the one that was begun here. Begin it again.")
        if told.get("iss", self._settings.issuer) != self._settings.issuer or not told.get("code"):
            raise NotEntered("Your company's log-in did not let you in.")
        claims = await self._claims(await self._exchanged(told["code"], begun.verifier, back))
        if not hmac.compare_digest(str(claims["nonce"]).encode(), begun.nonce.encode()):
            raise NotEntered("The reply of your company's log-in belongs to another one. Begin it again.")
        return self._entrant(claims), begun.address

    async def _exchanged(self, code: str, verifier: str, back: str) -> str:
        """The ID token for a code. Raises `NotEntered`."""
        given = {"grant_type": "authorization_code", "code": code, "redirect_uri": back}
        given |= {"code_verifier": verifier, "client_id": self._settings.client_id}
        secret = self._settings.client_secret.get_secret_value()
        known = (quote(self._settings.client_id, safe=""), quote(secret, safe=""))
        auth = known if secret else httpx.USE_CLIENT_DEFAULT
        place = await self._endpoint("token_endpoint")
        try:
            answer = await self._client.post(place, data=given, auth=auth, timeout=FETCH_S)
            return str(answer.raise_for_status().json()["id_token"])
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            raise NotEntered(AWAY) from error

    async def _claims(self, token: str) -> dict[str, Any]:
        """What an ID token says that is the provider's, for us and of now. Raises `NotEntered`."""
        ours = self._settings.client_id
        try:
            head = jwt.get_unverified_header(token)
            key, _ = await self._provider.key(str(head.get("kid", "")))
            checks: Any = {"audience": ours, "issuer": self._settings.issuer, "leeway": LEEWAY_S}
            claims = jwt.decode(token, key, ALGORITHMS, options={"require": REQUIRED}, **checks)
            if isinstance(claims["aud"], list) and len(claims["aud"]) > 1 and claims.get("azp") != ours:
                raise jwt.InvalidAudienceError
        except (jwt.PyJWTError, KeysUnknown, UnknownKey, ValueError, TypeError) as error:
            raise NotEntered("What your company's log-in said of you cannot be trusted.") from error
        return claims

    def _entrant(self, claims: Mapping[str, Any]) -> Entrant:
        """Raises `NotEntered` for somebody without a name that an account can have."""
        name = plain_name(str(claims.get(self._settings.name_claim, "")).partition("@")[0])
        if not name:
            raise NotEntered("Your company's log-in gives you no name that an account can have.")
        told = claims.get(claim := self._settings.groups_claim)
        if claim in (claims.get("_claim_names") or ()):
            logger.warning("A log-in is in too many groups to be told of them, and counts as in none.")
        groups = told if isinstance(told, list) else []
        named = tuple(sorted({one for one in groups if isinstance(one, str) and NAME.fullmatch(one)}))
        return Entrant(f"{self._settings.issuer} {claims['sub']}", name, named[:MOST_GROUPS])

    async def _endpoint(self, name: str) -> str:
        """An address that the provider publishes, under TLS as it is itself. Raises `NotEntered`."""
        try:
            document = await self._provider.document()
        except KeysUnknown as error:
            raise NotEntered(AWAY) from error
        address, issuer = str(document.get(name, "")), self._settings.issuer
        if document.get("issuer") != issuer or not address.startswith(f"{issuer.partition(':')[0]}://"):
            raise NotEntered(AWAY)
        return address


def _challenge(verifier: str) -> str:
    """The S256 challenge of a verifier."""
    hashed = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(hashed).rstrip(b"=").decode()
