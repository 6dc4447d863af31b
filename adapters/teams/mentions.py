"""Mentions that Pestle makes: only of a person whom somebody of the channel named as responsible. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from adapters.teams.inbound import Activity

RESPONSIBLE = "responsible"
"""Stands in every order that names somebody as responsible."""
_AT = re.compile(r"</?at(?:\s[^<>]*)?>")
_NAME = re.compile(r"[^\W_](?:[^\W_]|[ .,'’()-]){0,79}")
"""Names that hold no mark-up."""


@dataclass(frozen=True, slots=True)
class Mentioned:
    """A person, by the name under which they were mentioned and their id in Teams (29:…)."""

    name: str
    member: str

    @property
    def text(self) -> str:
        """What stands for them in a card."""
        return f"<at>{self.name}</at>"


def may_be_called(name: str) -> bool:
    """Whether a name can stand in a mention as it is."""
    return _NAME.fullmatch(name) is not None


def called(person: Mentioned) -> Iterator[dict[str, Any]]:
    """A line that tells a person: Teams makes mentions in text blocks alone."""
    yield {"type": "TextBlock", "text": f"For {person.text}", "wrap": True}


def named_responsible(activity: Activity) -> list[Mentioned]:
    """Whom a message names as responsible by mentioning them: they are told what is asked of them."""
    if RESPONSIBLE not in (activity.text or "").casefold():
        return []
    others = [one for one in activity.entities or () if one.mentioned and one.text]
    found = [(_AT.sub("", one.text or "").strip(), one.mentioned) for one in others]
    return [
        Mentioned(name, person.id)
        for name, person in found
        if person and person.id != activity.recipient.id and may_be_called(name)
    ]
