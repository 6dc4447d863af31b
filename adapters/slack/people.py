"""Who writes, as far as Slack tells: a member, a guest, a program, or an account that is closed.

Slack is asked once for each person and `KNOWN_S`. Where it does not answer at once, or the app has no right
to ask (scope users:read), they are taken for what they were last known as, else for members.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from aiohttp import ClientError
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.calls import reason_of
from bot.values import Incoming, Standing
from retrieval.compute.cache import Lru

logger = logging.getLogger(__name__)

KNOWN_S, UNKNOWN_S = 600.0, 30.0
"""How long is remembered what a person is, and that Slack did not say."""
PATIENCE_S = 1.0
"""How long Slack is waited for: an event has to be acknowledged within three seconds."""
MOST = 5_000
"""People who are remembered."""


class People:
    """Asks Slack who people are."""

    def __init__(self, client: AsyncWebClient, clock: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._clock = clock
        self._known = Lru[str, tuple[Standing, float]](MOST)

    async def known(self, incoming: Incoming) -> Incoming:
        """The message with what its writer is. One of another organisation is known by that alone."""
        if incoming.origin.foreign or not incoming.user:
            return incoming
        standing = await self._standing(incoming.user)
        return replace(incoming, origin=replace(incoming.origin, standing=standing))

    async def _standing(self, user: str) -> Standing:
        standing, until = self._known.get(user) or (Standing.MEMBER, 0.0)
        if self._clock() < until:
            return standing
        found = await self._asked(user)
        standing, lasts = (found, KNOWN_S) if found else (standing, UNKNOWN_S)
        self._known.put(user, (standing, self._clock() + lasts))
        return standing

    async def _asked(self, user: str) -> Standing | None:
        """What Slack says; None where it says nothing."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                answer = await self._client.api_call("users.info", data={"user": user})
        except SlackApiError as error:
            logger.warning("Slack does not say who %s is: %s", user, reason_of(error))
        except (ClientError, OSError, TimeoutError) as error:
            logger.warning("Slack does not say who %s is: %s", user, type(error).__name__)
        else:
            person = answer.get("user")
            return standing_of(person) if isinstance(person, dict) else None
        return None


def standing_of(person: Mapping[str, Any]) -> Standing:
    """What a person is by Slack's record of them."""
    if person.get("deleted") is True or person.get("is_bot") is True:
        return Standing.NOBODY
    if person.get("is_restricted") is True or person.get("is_ultra_restricted") is True:
        return Standing.GUEST
    return Standing.MEMBER
