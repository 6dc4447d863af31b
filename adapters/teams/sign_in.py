"""Who knocks: the token that the Bot Framework Service signs every request with.

The service's keys are published by an OpenID document. A request is let in if its token is signed by one of
them (RS256) for this app by the known issuer, has not run out, names the address that the activity wants to
be answered at, and if the activity is of now. Whatever else comes is answered 401; nothing of it is read.
"""

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import httpx
import jwt

from adapters.door import Refused
from adapters.openid import Provider, UnknownKey

ISSUER = "https://api.botframework.com"
LEEWAY_S = 300
"""Seconds by which two clocks may differ."""
LONGEST_TOKEN = 16_384
"""Characters of a token; those of the service have some 1,200."""
LONGEST_S = 86_400
"""Seconds that a token may be good for; those of the service are good for an hour."""
OLDEST_S = 3_600
"""Seconds after which an activity is a replay: no token of the service is good for longer."""
_CLAIMS = ["exp", "iss", "aud"]
_CHANNEL = "msteams"


class SignIn:
    """Checks tokens for one app. `openid_url` is where the service's OpenID document lies."""

    def __init__(self, app_id: str, openid_url: str, client: httpx.AsyncClient) -> None:
        self._app_id = app_id
        self._service = Provider(openid_url, client)

    async def claims(self, authorization: str) -> Mapping[str, Any]:
        """What a request's token says. Raises `Refused` (401) and `KeysUnknown`."""
        scheme, _, token = authorization.partition(" ")
        if len(token) > LONGEST_TOKEN:
            raise Refused(401, "The request's token is longer than any of the service.")
        if scheme.lower() != "bearer" or not token:
            raise Refused(401, "The request carries no token.")
        try:
            head = jwt.get_unverified_header(token)
        except (jwt.PyJWTError, ValueError):
            raise Refused(401, "The request's token cannot be read.") from None
        key, channels = await self._key(str(head.get("kid", "")))
        if channels and _CHANNEL not in channels:
            raise Refused(401, "The token's key does not speak for Teams.")
        return self._checked(token, key)

    def _checked(self, token: str, key: Any) -> Mapping[str, Any]:
        """The claims of a token under its key. Raises `Refused`."""
        try:
            claims: dict[str, Any] = jwt.decode(
                token,
                key,
                algorithms=["RS256"],
                audience=self._app_id,
                issuer=ISSUER,
                leeway=LEEWAY_S,
                options={"require": _CLAIMS},
            )
        except (jwt.PyJWTError, ValueError, TypeError):
            raise Refused(401, "The request's token is not one for this bot, or has run out.") from None
        if claims["exp"] - time.time() > LONGEST_S:
            raise Refused(401, "The request's token is good for longer than any of the service.")
        return claims

    async def _key(self, key_id: str) -> tuple[Any, frozenset[str]]:
        """A key of the service, and the channels that it may speak for (none named: all). Raises `Refused`
        for an id that it does not publish.
        """
        try:
            key, published = await self._service.key(key_id)
        except UnknownKey:
            raise Refused(
                401, "The request's token is signed with a key that the service does not publish."
            ) from None
        return key, frozenset(str(one) for one in published.get("endorsements") or ())


def check_activity(claims: Mapping[str, Any], service_url: str, stamp: str) -> None:
    """That an activity belongs to its token: the same address to answer at, and sent now. Raises `Refused`.

    The service sends an activity again that was not answered, so one may be some minutes old.
    """
    told = str(claims.get("serviceurl", claims.get("serviceUrl", "")))
    if not service_url or told.rstrip("/") != service_url.rstrip("/"):
        raise Refused(401, "The activity wants to be answered elsewhere than its token says.")
    check_time(stamp)


def check_time(stamp: str) -> None:
    """That an activity is of now. Raises `Refused`."""
    try:
        sent = datetime.fromisoformat(stamp)
    except ValueError:
        raise Refused(401, "The activity does not say when it was sent.") from None
    age = time.time() - (sent if sent.tzinfo else sent.replace(tzinfo=UTC)).timestamp()
    if not -LEEWAY_S <= age <= OLDEST_S:
        raise Refused(401, "The activity is not of now.")
