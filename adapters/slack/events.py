"""What happens in Slack: messages, edits, reactions, Stop, a home that is opened."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.home import home_view
from adapters.slack.incoming import from_change, from_event, from_reaction, from_stop
from adapters.slack.origin import home, origin_of_event
from adapters.slack.people import People
from adapters.slack.sessions import METHOD
from bot.desk import PersonalPage
from bot.intake import Intake
from bot.values import Incoming, ThreadRef

logger = logging.getLogger(__name__)

CHANGED = ("message_changed", "message_deleted")


@dataclass(frozen=True, slots=True)
class Events:
    """Hands each event to the intake. A failure is raised, so that Slack sends the event again."""

    client: AsyncWebClient
    intake: Intake
    desk: PersonalPage
    people: People

    async def message(self, body: dict[str, Any], context: Mapping[str, Any]) -> None:
        """Somebody wrote, edited or deleted something."""
        if body["event"].get("subtype") in CHANGED:
            return await self._changed(body, context)
        heard = from_event(body, context["bot_user_id"])
        if heard is None:
            return None
        if not heard.addressed and not await self.intake.takes_part(heard.incoming.thread):
            return None
        incoming = await self._from(heard.incoming, body, context)
        # Who may not ask is told so when they speak to the bot, not when they talk in a thread.
        if heard.addressed or self.intake.admits(incoming):
            await self.intake.receive(incoming)
        return None

    async def _changed(self, body: dict[str, Any], context: Mapping[str, Any]) -> None:
        changed = from_change(body, context["bot_user_id"])
        if changed is None:
            return
        incoming, gone = changed
        incoming = await self._from(incoming, body, context)
        if gone:
            await self.intake.changes.deleted(incoming)
        elif self.intake.admits(incoming):
            await self.intake.changes.edited(incoming)

    async def _from(
        self, incoming: Incoming, body: Mapping[str, Any], context: Mapping[str, Any]
    ) -> Incoming:
        """A message with where it comes from."""
        return await self.people.known(replace(incoming, origin=origin_of_event(body, home(context))))

    async def reaction(self, body: dict[str, Any], context: Mapping[str, Any]) -> None:
        """Somebody set an emoji, or took it off."""
        if incoming := from_reaction(body, context["bot_user_id"]):
            await self.intake.receive(await self._from(incoming, body, context))

    async def stopped(self, body: dict[str, Any], context: Mapping[str, Any]) -> None:
        """Slack's Stop button was pressed: what runs in the thread ends, and Slack's status with it."""
        if (incoming := from_stop(body)) is None:
            return
        await self.intake.receive(await self._from(incoming, body, context))
        thread = {"channel_id": incoming.thread.channel, "thread_ts": incoming.thread.thread}
        try:
            await self.client.api_call(METHOD, json={**thread, "status": "active"})
        except (SlackApiError, OSError) as error:
            logger.warning("the status of a stopped thread was not set: %s", type(error).__name__)

    async def opened(self, body: dict[str, Any], context: Mapping[str, Any]) -> None:
        """Somebody opened the app's home."""
        event = body["event"]
        incoming = Incoming("home", direct_to(event.get("user", "")), event.get("user", ""), "")
        incoming = await self._from(incoming, body, context)
        if event.get("tab") != "home" or not incoming.user or not self.intake.admits(incoming):
            return
        told = await self.desk.of("slack", incoming.user)
        view = home_view(told, channel=event.get("channel", ""))
        await self.client.views_publish(user_id=incoming.user, view=view)


def direct_to(user: str) -> ThreadRef:
    """Where a person is spoken to alone: Slack takes a user's id for the direct messages with them."""
    return ThreadRef("slack", user, "")
