"""Who is a guest of the company: Teams names them with its own tenant, so each one's role is asked for."""

import logging
import time
from collections.abc import Callable

from adapters.teams.connector import Answered, Away, Connector
from adapters.teams.inbound import Activity

logger = logging.getLogger(__name__)

KNOWN_S = 86_400.0
"""Seconds for which a role is taken as known."""
MOST = 10_000
"""People whose roles are kept in memory."""
MEMBER = "user"


class Guests:
    """Tells guests from the company's own people. `clock` gives seconds."""

    def __init__(self, connector: Connector, clock: Callable[[], float] = time.monotonic) -> None:
        self._connector = connector
        self._clock = clock
        self._known: dict[str, tuple[bool, float]] = {}

    async def has(self, activity: Activity) -> bool:
        """Whether who acted is a guest. Where Teams does not say, they count as what their tenant says."""
        member = activity.sender.id
        found, until = self._known.get(member, (False, 0.0))
        if until > self._clock():
            return found
        place = (activity.service_url, activity.conversation.id.partition(";")[0])
        try:
            role = await self._connector.role(*place, member)
        except (Answered, Away) as error:
            logger.warning("Teams does not say whether somebody is a guest: %s", error)
            return False
        if len(self._known) >= MOST:
            self._known.clear()
        self._known[member] = (role not in ("", MEMBER), self._clock() + KNOWN_S)
        return self._known[member][0]
