"""From Slack's payloads to `Origin`: which team a person writes from, and who reads along.

Slack Connect lets people of other companies into a channel; Slack then names their team in the message
(`team`, `user_team`, `source_team`) or with the person who pressed. What is not named is not trusted: a
message of unknown origin is foreign.
"""

from collections.abc import Collection, Mapping
from typing import Any

from bot.values import Origin

_OF_THE_WRITER = ("team", "user_team", "source_team")


def home(context: Mapping[str, Any]) -> frozenset[str]:
    """The ids of the bot's own team and organisation, as Slack told them."""
    known = context["authorize_result"]
    return frozenset(name for name in (known.team_id, known.enterprise_id) if name)


def origin_of_event(body: Mapping[str, Any], home: Collection[str]) -> Origin:
    """Where a message comes from."""
    event = _mapping(body.get("event"))
    channel, shared = str(event.get("channel", "")), body.get("is_ext_shared_channel") is True
    teams = _teams(event.get(key) for key in _OF_THE_WRITER)
    if not teams and not shared:  # an ordinary channel, where everybody is of the team of the event
        teams = _teams((body.get("team_id"),))
    return _origin(teams, home, shared=shared, channel=channel)


def origin_of_press(body: Mapping[str, Any], home: Collection[str]) -> Origin:
    """Where a press of a button comes from."""
    teams = _teams((_mapping(body.get("user")).get("team_id"),))
    return _origin(teams, home, shared=False, channel=str(_mapping(body.get("channel")).get("id", "")))


def origin_of_command(body: Mapping[str, Any], home: Collection[str]) -> Origin:
    """Where a slash command comes from."""
    channel = str(body.get("channel_id", ""))
    return _origin(_teams((body.get("team_id"),)), home, shared=False, channel=channel)


def _origin(teams: tuple[str, ...], home: Collection[str], *, shared: bool, channel: str) -> Origin:
    foreign = not teams or not set(teams) <= set(home)
    return Origin(teams, foreign, shared, channel.startswith("D"))


def _teams(found: Any) -> tuple[str, ...]:
    return tuple(sorted({team for team in found if isinstance(team, str) and team}))


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
