"""Characters that nobody sees. They part words and numbers for a machine and not for who reads them."""

import re

_UNSEEN = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")


def without_unseen(text: str) -> str:
    """The text without soft hyphens, characters of no width, and marks that turn the order of others."""
    return text if text.isascii() else _UNSEEN.sub("", text)
