"""Where a thread is in Teams: finds its conversation, opens chats with people, sees whether the bot is in."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from adapters.teams.connector import Answered, Away, Connector
from adapters.teams.mentions import Mentioned
from adapters.teams.places import Places, alone, conversation_of, user_of
from adapters.teams.troubles import OUT, translated
from bot.errors import DeliveryFailed, DeliveryHindered
from bot.values import ThreadRef

logger = logging.getLogger(__name__)

TYPING = {"type": "typing"}


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is shown: a conversation of a service, and as whom."""

    service_url: str
    bot: str
    conversation: str


@dataclass(frozen=True, slots=True)
class Where:
    """Resolves threads of the house to places in Teams."""

    connector: Connector
    places: Places

    async def of(self, thread: ThreadRef) -> Place:
        """Where a thread is, and how it is written to. Raises `DeliveryHindered`."""
        if user := user_of(thread):
            return await self._chat(user)
        reference = await self.places.find(thread)
        if reference is None:
            raise DeliveryHindered("Nobody of this conversation has spoken to Pestle in Teams yet.")
        return Place(reference.service_url, reference.bot, conversation_of(thread))

    async def _chat(self, user: str) -> Place:
        """The chat with a person, opened where none was seen yet: Teams then asks that they, or an admin for
        them, have added the app. Raises `DeliveryHindered`.
        """
        person = await self.places.person(user)
        if person is None:
            raise DeliveryHindered("This person has not spoken to Pestle in Teams yet.")
        if not person.chat:
            wanted = (person.service_url, person.bot, person.member, person.tenant)
            try:
                person = replace(person, chat=await self.connector.converse(*wanted))
            except (Answered, Away) as error:
                raise translated(error) from error
            await self.places.meet(user, person)
        return Place(person.service_url, person.bot, person.chat)

    async def responsible(self, thread: ThreadRef, who: str) -> Mentioned | None:
        """The person of the channel whom somebody named as responsible by mentioning them, or None."""
        return (await self.places.named(thread)).get(who.removeprefix("@").strip())

    async def reaches(self, user: str) -> bool:
        """Whether a person can be written to alone; a chat with them is opened if there is none."""
        try:
            await self.of(alone(user))
        except (Away, Answered, DeliveryFailed) as error:
            logger.info("somebody cannot be written to alone: %s", error)
            return False
        return True

    async def admitted(self, thread: ThreadRef) -> bool:
        """Whether the bot may write in a thread, tried by saying that an answer is under way."""
        try:
            place = await self.of(thread)
            await self.connector.send(place.service_url, place.conversation, by_us(place, TYPING))
        except Answered as error:
            return error.status not in OUT
        except (Away, DeliveryFailed) as error:
            logger.info("it is not known whether a thread can be written to: %s", error)
        return True


def by_us(place: Place, made: Mapping[str, Any]) -> dict[str, Any]:
    """An activity as the bot's own."""
    return {"from": {"id": place.bot}, **made}
