"""Who is a guest of the company: Teams names them with its own tenant, so each one's role is asked for."""

import logging
import time
from collections.abc import Callable

from adapters.teams.connector import Answered, Away, Connector
from adapters.teams.inbound import Activity
from adapters.teams.places import alone
from adapters.teams.troubles import OUT
from adapters.teams.whence import alone_with_us, person
from adapters.teams.where import Where
from bot.errors import DeliveryFailed
from retrieval.compute.cache import Lru

logger = logging.getLogger(__name__)

KNOWN_S = 86_400.0
"""Seconds for which a role is taken as known."""
MOST = 10_000
"""People whose roles are kept in memory."""
MEMBER = "user"


class Guests:
    """Tells guests from the company's own people. `clock` gives seconds."""

    def __init__(
        self, connector: Connector, where: Where, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._connector = connector
        self._where = where
        self._clock = clock
        self._known = Lru[str, tuple[bool, float]](MOST)

    async def has(self, activity: Activity) -> bool:
        """Whether who acted is a guest. Where Teams cannot be asked, they count as what was known last, else
        as what their tenant says. Who acts where the bot is no member and has no chat with it is a guest.
        """
        member = activity.sender.id
        known, until = self._known.get(member) or (None, 0.0)
        if known is not None and until > self._clock():
            return known
        try:
            role = await self._role(activity)
        except (Answered, Away, DeliveryFailed) as error:
            logger.warning("Teams does not say whether somebody is a guest: %s", error)
            return _is_out(error) if known is None else known
        guest = role not in ("", MEMBER)
        self._known.put(member, (guest, self._clock() + KNOWN_S))
        return guest

    async def _role(self, activity: Activity) -> str:
        """The role of who acted, where they acted; where the bot is no member, in their chat with it. Raises
        `Answered`, `Away`, `DeliveryFailed`.
        """
        member = activity.sender.id
        try:
            place = activity.conversation.id.partition(";")[0]
            return await self._connector.role(activity.service_url, place, member)
        except Answered as error:
            if error.status not in OUT or alone_with_us(activity):
                raise
        chat = await self._where.of(alone(person(activity)))
        return await self._connector.role(chat.service_url, chat.conversation, member)


def _is_out(error: Exception) -> bool:
    """Whether Teams answered, and there is no place where the bot and the person both are."""
    return isinstance(error, DeliveryFailed) or (isinstance(error, Answered) and error.status in OUT)
