"""A record that a model reads holds much of what another one shows it: a page around the lines found in it.

These lines are told once. In their place stands the key under which they are shown.
"""

import re
from collections.abc import Mapping
from itertools import groupby

LEAST = 300
"""Characters of lines that follow each other from which on they are not told again."""
_POINTER = re.compile(r"^\[… under ([^\]\n]+)\]$", re.MULTILINE)


def without_repeats(text: str, shown: Mapping[str, str]) -> str:
    """A text with the lines shown already, by key, replaced by the key."""
    holds = {key: frozenset(map(str.strip, other.splitlines())) for key, other in shown.items()}

    def key_of(line: str) -> str:
        return next((key for key, lines in holds.items() if line.strip() in lines), "")

    told: list[str] = []
    for key, group in groupby(text.splitlines(), key_of):
        lines = list(group)
        told += [f"[… under {key}]"] if key and sum(map(len, lines)) >= LEAST else lines
    return "\n".join(told)


def points_to(text: str) -> frozenset[str]:
    """The keys under which a text says that the rest of it is shown."""
    return frozenset(_POINTER.findall(text))
