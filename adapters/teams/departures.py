"""That the bot is out of a channel, a team or a chat, or that it is closed, from Teams' activities. Pure."""

from dataclasses import dataclass

from adapters.teams.inbound import INSTALLED, Activity, ChannelData, Named
from adapters.teams.whence import alone_with_us

_OF_TEAMS = {"teamArchived": "was archived", "teamDeleted": "was deleted", "teamHardDeleted": "was deleted"}
_CHANNEL_GONE = "channelDeleted"


@dataclass(frozen=True, slots=True)
class Departure:
    """What the bot is out of: a `channel` or chat alone, or all that is known of a `team`; and `why`, as a
    sentence.
    """

    why: str
    channel: str = ""
    team: str = ""


def departed(activity: Activity) -> Departure | None:
    """What the bot can write to no more, or None. A chat with one person alone is none: see `parted`."""
    data = activity.channel_data or ChannelData()
    event, team, channel = data.event_type or "", data.team or Named(), data.channel or Named()
    if event == _CHANNEL_GONE and channel.id:
        return Departure(f"The channel {channel.name or channel.id} was deleted.", channel.id)
    if event in _OF_TEAMS and team.id:
        return Departure(f"The team {team.name or team.id} {_OF_TEAMS[event]}.", team=team.id)
    if not _taken_out(activity) or alone_with_us(activity):
        return None
    if team.id:
        return Departure(f"I was taken out of the team {team.name or team.id}.", team=team.id)
    return Departure("I was taken out of the chat in which you asked me.", activity.conversation.id)


def parted(activity: Activity) -> bool:
    """Whether a person took the app away from themselves: they cannot be written to alone any more."""
    return alone_with_us(activity) and _taken_out(activity)


def _taken_out(activity: Activity) -> bool:
    if activity.type == INSTALLED:
        return (activity.action or "").startswith("remove")
    return activity.recipient.id in [one.id for one in activity.members_removed or ()]
