"""Lines of print joined into running text."""

import re
from collections.abc import Collection, Sequence

HYPHENS = ("-", "\u00ad", "\u2010")
BROKEN = re.compile(r"([^\W\d_]{2,})[-\u00ad\u2010]$")
FOLLOWING = re.compile(r"[^\W\d_]+")
SOFT = "\u00ad"


def joined(lines: Sequence[str], vocabulary: Collection[str] = ()) -> str:
    """Lines as one text; words that were broken at a line's end are put together again."""
    text = ""
    for line in lines:
        text = join(text, line, vocabulary) if text else line
    return text.replace(SOFT, "")


def join(above: str, below: str, vocabulary: Collection[str] = ()) -> str:
    """Two lines as one text.

    A hyphen at the end is dropped where the word without it occurs in the document, or where it is a soft
    one; it is kept in compounds (`dose-` + `related`), and before capitals and digits.
    """
    if not above.endswith(HYPHENS):
        return f"{above} {below}"
    first, second = BROKEN.search(above), FOLLOWING.match(below)
    if first is None or second is None or not second[0][0].islower():
        return above + below
    whole, compound = (first[1] + second[0]).lower(), f"{first[1]}-{second[0]}".lower()
    known = len(first[1]) > 3 or second[0].lower() in vocabulary
    keep = whole not in vocabulary and (compound in vocabulary or (known and first[1].lower() in vocabulary))
    if keep and not above.endswith(SOFT):
        return above + below
    return above[:-1] + below
