"""The grammar of reactions: what an emoji under a message of ours means, by the names that platforms use.

Slack names an emoji ("white_check_mark", "+1::skin-tone-2"), Teams by its word ("like"), by its code point
and name ("2705_whiteheavycheckmark") or by the character itself. Every other emoji means nothing, and nothing
is said to it.
"""

import re
import tomllib
from enum import StrEnum
from pathlib import Path


class Meaning(StrEnum):
    """What a person asks for, or says, with an emoji."""

    ACCEPT = "accept"
    REJECT = "reject"
    HELPFUL = "helpful"
    DEEPER = "deeper"
    SHORTER = "shorter"
    MORE_SOURCES = "more sources"
    DISPUTE = "dispute"
    AGAIN = "again"
    STOP = "stop"


_FILE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
GRAMMAR: dict[Meaning, tuple[str, str, tuple[str, ...]]] = {
    Meaning(name): (row["shown"], row["does"], tuple(row["others"])) for name, row in _FILE.items()
}
"""For each meaning the emoji that help shows, what it does, and what else means it."""

SKIN = re.compile(r"::?skin-tone-\d|[\U0001F3FB-\U0001F3FF]")
CODE_POINT = re.compile(r"([0-9a-f]{4,6})(?:[-_].*)?")
NUMBERS = ("1️⃣", "2️⃣", "3️⃣", "4️⃣", "5️⃣", "6️⃣", "7️⃣", "8️⃣", "9️⃣", "🔟")
"""Emoji of the options of a poll."""
_NUMBER_NAMES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "keycap_ten"]
_THUMBS = (("👍", "+1", "thumbsup", "like"), ("👎", "-1", "thumbsdown"))
VARIANT = "\ufe0f"
"""Asks for the coloured form of a character; platforms set it or not."""


def _plain(emoji: str) -> str:
    return SKIN.sub("", emoji.strip()).strip(":").replace(VARIANT, "").casefold()


_MEANINGS = {
    _plain(name): meaning for meaning, (shown, _, names) in GRAMMAR.items() for name in (shown, *names)
}


def meaning_of(emoji: str) -> Meaning | None:
    """What an emoji means, by its name with or without colons, its code point, or the character itself."""
    plain = _plain(emoji)
    if found := _MEANINGS.get(plain):
        return found
    code = CODE_POINT.fullmatch(plain)
    if code and int(code[1], 16) <= 0x10FFFF:
        return _MEANINGS.get(_plain(chr(int(code[1], 16))))
    return None


def option_number(emoji: str, options: int) -> int:
    """The number of the option of a poll that an emoji stands for; 0 for none. Of two options a thumb up is
    the first, and a thumb down the second.
    """
    plain = _plain(emoji)
    numbers = zip(map(_plain, NUMBERS), _NUMBER_NAMES, strict=True)
    found = next((number for number, names in enumerate(numbers, start=1) if plain in names), 0)
    if not found and options == 2:
        found = next((number for number, names in enumerate(_THUMBS, start=1) if plain in names), 0)
    return found if found <= options else 0


def named(emoji: str) -> str:
    """An emoji as a run hears it: the one that help shows for its meaning, the digits of a number, else its
    plain name.
    """
    meaning = meaning_of(emoji)
    return GRAMMAR[meaning][0] if meaning else str(option_number(emoji, len(NUMBERS)) or _plain(emoji))


def render_grammar() -> str:
    """The grammar in one sentence of Markdown, for help."""
    return ", ".join(f"{shown} {does}" for shown, does, _ in GRAMMAR.values())
