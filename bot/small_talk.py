"""Thanks, greetings and the like: a short reply and no run. `small_talk.toml` lists them."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_FILE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_HELLO, _ABOUT_ME, _FAREWELL = (str(_FILE[name]["reply"]) for name in ("hello", "about_me", "farewell"))
_POLITE_END = (
    r"(?:[\s,]+(?:pestle|everyone|all|there|again|then|for (?:now|today|that|this|your help|the help)"
    r"|so much|very much|a lot))*"
)
_WELCOME = rf"(?:(?:{'|'.join(_FILE['hello']['said'])})(?: there| pestle)?[\s,.!]+)?"


def _worded(talk: Mapping[str, Any]) -> re.Pattern[str]:
    before = talk.get("before", "").replace("WELCOME", _WELCOME)
    return re.compile(f"{before}(?:{'|'.join(talk['said'])}){_POLITE_END}", re.IGNORECASE)


_TALK: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (_worded(talk), talk["reply"]) for talk in _FILE.values()
)
_LONGEST = 80


def small_talk(text: str, about: Sequence[str] = ()) -> str:
    """A friendly reply to a message that asks nothing; "" for any other. `about` are the kinds' own words."""
    plain = " ".join(text.strip().strip("!.?…¿¡:)-🙂😊👋 ").split())
    if not plain or len(plain) > _LONGEST:
        return ""
    reply = next((reply for words, reply in _TALK if words.fullmatch(plain)), "")
    told = (*(f"I {one}." for one in about), "`help` shows all that can be asked.")
    return " ".join((reply, *told)) if reply == _ABOUT_ME else reply


def opens_a_talk(reply: str) -> bool:
    """Whether a reply is to somebody who has not asked yet, and may want to know what."""
    return reply.startswith((_HELLO, _ABOUT_ME))


def is_farewell(text: str) -> bool:
    """Whether somebody takes leave."""
    return small_talk(text) == _FAREWELL
