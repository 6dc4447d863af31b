"""What a model says it did not find. No passage carries an absence, so it is no claim with a citation: it is
told as what was not found in what was read.
"""

import re
from collections.abc import Sequence

from agents.text.polarity import negated

_ABSENCE = re.compile(
    r"(?:^|[;,]\s+(?:and\s+|but\s+|while\s+)?)"
    r"((?:there\s+(?:is|are|was|were)\s+)?(?:no|nothing|none)\b[^;.]*?"
    r"\b(?:report(?:ed|s)?|stated?|given|found|described|mentioned|available|listed|shown)\b[^;.]*)(?=[;.]|$)",
    re.IGNORECASE,
)


def told_apart(text: str, quotes: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """A statement without what it says is absent, and that; an absence that a quote states stays in it."""
    if any(negated(quote) for quote in quotes):
        return text, ()
    absent = tuple(one.strip() for one in _ABSENCE.findall(text))
    rest = _ABSENCE.sub("", text).strip(" ;,")
    return (rest if re.search(r"\w", rest) else ""), absent


def not_found(missing: str, absences: Sequence[str]) -> str:
    """The note on what was not found; "" where nothing was missed."""
    said = [one.rstrip(".") for one in (missing.strip(), *absences) if one]
    return f"Not found in what was read: {'; '.join(dict.fromkeys(said))}." if said else ""
