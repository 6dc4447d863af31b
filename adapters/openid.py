"""OpenID providers: what they publish of themselves, and the keys that their tokens are signed with."""

import time
from collections.abc import Collection, Mapping
from typing import Any

import httpx
import jwt

KEYS_S = 86_400.0
"""Seconds after which a provider's keys are asked for again."""
ASKED_AGAIN_S = 300.0
"""Seconds between two such requests at the least: a made-up key id causes none."""
FETCH_S = 5.0


class KeysUnknown(Exception):
    """What a provider publishes cannot be had, so nobody can be let in now."""


class UnknownKey(Exception):
    """A token names a key that the provider does not publish."""


class Provider:
    """What one provider publishes. `address` is where its OpenID document lies."""

    def __init__(self, address: str, client: httpx.AsyncClient, kinds: Collection[str] = ("RSA",)) -> None:
        self._address, self._client, self._kinds = address, client, kinds
        self._document: Mapping[str, Any] = {}
        self._keys: dict[str, Mapping[str, Any]] = {}
        self._asked = float("-inf")

    async def document(self) -> Mapping[str, Any]:
        """The OpenID document. Raises `KeysUnknown`."""
        if not self._document or time.monotonic() - self._asked > KEYS_S:
            await self._ask()
        return self._document

    async def key(self, key_id: str) -> tuple[Any, Mapping[str, Any]]:
        """A key, and what is published with it. Raises `KeysUnknown`, `UnknownKey`."""
        since = time.monotonic() - self._asked
        if since > KEYS_S or (key_id not in self._keys and since > ASKED_AGAIN_S):
            await self._ask()
        if key_id not in self._keys:
            raise UnknownKey
        found = self._keys[key_id]
        try:
            return jwt.PyJWK(dict(found), "RS256" if found["kty"] == "RSA" else None).key, found
        except jwt.PyJWTError as error:
            raise UnknownKey from error

    async def _ask(self) -> None:
        """Fetch both; what was known stays in use where the provider is away. Raises `KeysUnknown`."""
        try:
            document = await self._json(self._address)
            published = (await self._json(str(document["jwks_uri"])))["keys"]
            signing = (one for one in published if one.get("use", "sig") == "sig")
            self._keys = {str(one["kid"]): one for one in signing if one.get("kty") in self._kinds}
            self._document = document
        except (httpx.HTTPError, ValueError, KeyError, TypeError, AttributeError) as error:
            if not self._keys:
                raise KeysUnknown(f"The keys of {self._address} cannot be had: {error!r}") from error
        self._asked = time.monotonic()

    async def _json(self, address: str) -> Any:
        answer = await self._client.get(address, timeout=FETCH_S)
        return answer.raise_for_status().json()
