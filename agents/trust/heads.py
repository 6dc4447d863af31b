"""Heads of columns as people read them: "day28_1000" of a data file is day 28, 10:00."""

import re

_JOINED = re.compile(r"(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])|_+")
_CLOCK = re.compile(r"(?<=\d )([01]\d|2[0-3])([0-5]\d)\Z")
"""A time of the day without its colon, behind another number."""


def plain_head(head: str) -> str:
    """The name of a column in words, where it joins words and numbers with "_" as data files do."""
    if "_" not in head or " " in head:
        return head
    return _CLOCK.sub(r"\1:\2", _JOINED.sub(" ", head).strip())
