"""Who may ask, and where: read at the door, before a message is understood."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from agents.runs.clock import stamp, utc_now
from bot.ports import Conversations
from bot.values import Incoming, Standing

DIRECT = "direct"
"""Stands in a list of channels for every conversation of one person with the bot alone."""


@dataclass(frozen=True, slots=True)
class Access:
    """Who may ask on one platform, by the platform's own ids. An empty list allows everybody of the bot's
    own team.

    Without `teams` people of another organisation are refused, and so is everybody in a channel that is
    shared with one, unless `channels` names it: there the answer would be read by them too. Without `guests`
    only those guests of the own team may ask whom `users` names.
    """

    teams: Collection[str] = ()
    channels: Collection[str] = ()
    users: Collection[str] = ()
    guests: bool = True

    def refusal(self, incoming: Incoming) -> str:
        """Why this message is not acted on, fit to be shown to who wrote it; "" if it is."""
        return self._of_team(incoming) or self._of_channel(incoming) or self._of_user(incoming)

    def _of_team(self, incoming: Incoming) -> str:
        origin = incoming.origin
        named = bool(origin.teams) and set(origin.teams) <= set(self.teams)
        if named if self.teams else not origin.foreign:
            return ""
        teams = ", ".join(origin.teams) or "one that the platform does not name"
        return (
            "You write from another organisation than those that may ask here, so nothing was looked up. "
            f"Who runs Pestle decides which teams may; yours is {teams}."
        )

    def _of_channel(self, incoming: Incoming) -> str:
        channel, origin = incoming.thread.channel, incoming.origin
        if channel in self.channels or (origin.direct and DIRECT in self.channels):
            return ""
        if origin.shared:
            return (
                "This channel is shared with another organisation, which would read the answer, so nothing "
                f"was looked up. Who runs Pestle can allow it by naming the channel {channel}; or ask in a "
                "channel of your own."
            )
        if not self.channels:
            return ""
        return (
            "Pestle is not asked here: its channels are chosen by who runs it, and this one, "
            f"{channel}, is not among them. Ask there, or have it added."
        )

    def _of_user(self, incoming: Incoming) -> str:
        if incoming.origin.standing is Standing.NOBODY:
            return "Only people may ask."
        guest = incoming.origin.standing is Standing.GUEST
        if guest and not self.guests and incoming.user not in self.users:
            return (
                f"You, {incoming.user}, are a guest here, and Pestle answers members. Who runs Pestle can "
                "allow guests, or you alone."
            )
        if not self.users or incoming.user in self.users:
            return ""
        return (
            f"Who may ask is chosen by who runs Pestle, and you, {incoming.user}, are not among them. "
            "Ask them to add you."
        )


NOBODY_NAMED: Mapping[str, Access] = {}
"""Who may ask, by platform, where nothing is set."""


async def was_told_lately(conversations: Conversations, incoming: Incoming) -> bool:
    """Whether who may not ask need not be told so: a program, or a person who was told in this channel today.

    From now on the person counts as told.
    """
    if incoming.origin.standing is Standing.NOBODY:
        return True
    place, day = incoming.thread.whole_channel.thread_id, stamp(utc_now())[:10]
    return await conversations.seen(f"refused:{place}:{incoming.user}:{day}")
