"""Citations in texts that may hold brackets of their own, such as a document's "[1]".

A citation of the report is written with characters that no text has, so that whoever shows a text can tell
one from the other.
"""

import re
from collections.abc import Iterable

OPENS, CLOSES = "\ue000", "\ue001"
CITED = re.compile(f"{OPENS}([0-9]+){CLOSES}")
"""A citation in a text."""
TYPED = re.compile(r"\[([0-9]{1,3})\]")
"""A citation as a person types it."""


def marks(numbers: Iterable[int]) -> str:
    """Citations, as `CITED` finds them."""
    return "".join(f"{OPENS}{number}{CLOSES}" for number in numbers)


def cited(text: str, numbers: Iterable[int]) -> str:
    """A text with the citations that follow it. It cannot hold one itself."""
    return f"{own(text)} {marks(numbers)}".strip()


def own(text: str) -> str:
    """A text without the characters that mark a citation."""
    return text.replace(OPENS, "").replace(CLOSES, "")


def typed(text: str) -> str:
    """A text of a person, whose `[1]` are citations."""
    return TYPED.sub(rf"{OPENS}\1{CLOSES}", own(text))


def bracketed(text: str) -> str:
    """A text in which citations are "[1]", where nothing else can be told from them."""
    return CITED.sub(r"[\1]", text)
