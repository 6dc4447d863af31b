"""Who is asked what a run cannot know: a person or group for each kind of run of a channel, kept with it.

A run takes it as it is when it begins. What is open it then asks in one question with choices, waits without
a worker, and goes on with the answer, or after the time with an assumption that its report states.
"""

import json
import re
from collections.abc import Mapping

from agents.counts import number_of
from agents.kinds import AnyKind, Kinds
from agents.runs.open_points import Responsible
from bot.cards import notice_card
from bot.errors import BadRequest
from bot.ports import Conversations
from bot.values import Card, ThreadRef

KEY = "?responsible"
ALL = "everything"
SECONDS = 4 * 3600.0
"""How long somebody has to answer where nothing else was said."""
LONGEST = 14 * 24 * 3600.0
NOBODY = ("nobody", "no one", "none")
_ORDER = re.compile(
    r"(?P<topic>[\w -]{1,40}?)\s*(?::|\bis\b)\s*(?P<who>.{1,80}?)"
    r"(?:,?\s+within\s+(?P<count>\d{1,4})\s*(?P<unit>minute|hour|day)s?)?",
    re.IGNORECASE,
)
_UNITS = {"minute": 60.0, "hour": 3600.0, "day": 24 * 3600.0}
HOW = "Write `responsible for everything: @ada within 2 hours`, or name a kind of run in its place."


def responsible_in(kept: Mapping[str, str], kind: AnyKind) -> Responsible | None:
    """Whom a channel that keeps this asks what a run of this kind leaves open; None for nobody."""
    known = _responsible(kept)
    return known.get(kind.name) or known.get(ALL)


async def order(conversations: Conversations, thread: ThreadRef, kinds: Kinds, argument: str) -> Card:
    """Set, or with an empty argument list, who is asked. Raises `BadRequest`."""
    found = dict(_responsible(await conversations.remembered(thread.whole_channel)))
    if not argument:
        return _card(found)
    said = _ORDER.fullmatch(" ".join(argument.split()).rstrip("."))
    if said is None:
        raise BadRequest(HOW)
    topic = _topic(said["topic"], kinds)
    if said["who"].casefold() in NOBODY:
        found.pop(topic, None)
    else:
        seconds = int(said["count"]) * _UNITS[said["unit"].casefold()] if said["count"] else SECONDS
        found[topic] = Responsible(said["who"].strip(), min(seconds, LONGEST))
    kept = {name: [one.who, one.seconds] for name, one in found.items()}
    await conversations.remember(thread.whole_channel, KEY, json.dumps(kept, ensure_ascii=False))
    return _card(found)


def _topic(said: str, kinds: Kinds) -> str:
    """The kind that a person named, by its name or a word of it. Raises `BadRequest`."""
    plain = said.strip().casefold()
    if plain in (ALL, "all"):
        return ALL
    known = {word: kind.name for kind in kinds for word in (kind.name, *kind.commands, kind.title.casefold())}
    if plain not in known:
        names = ", ".join((*(kind.name for kind in kinds), ALL))
        raise BadRequest(f"Nobody asks about {said!r}. Name one of: {names}. {HOW}")
    return known[plain]


def _responsible(kept: Mapping[str, str]) -> Mapping[str, Responsible]:
    said = json.loads(kept.get(KEY) or "{}")
    return {name: Responsible(*one) for name, one in said.items()}


def _card(found: Mapping[str, Responsible]) -> Card:
    lines = [f"- {name}: {one.who}, within {_time(one.seconds)}" for name, one in sorted(found.items())]
    told = "\n".join(lines) or "Nobody is asked what a run leaves open: it decides by itself and says how."
    return notice_card(f"{told}\n\n{HOW} `nobody` ends it.")


def _time(seconds: float) -> str:
    unit = next((name for name, length in reversed(_UNITS.items()) if seconds % length == 0), "minute")
    count = round(seconds / _UNITS[unit])
    return number_of(count, unit)
