"""Texts as a model reads them: without what only takes room."""

import re
from collections.abc import Sequence
from itertools import pairwise

from retrieval.tables import LEVELS

_RULE = re.compile(r"^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$\n?", re.MULTILINE)
_BLANKS = re.compile(r"[ \t\u00a0]+")
_EMPTY_LINES = re.compile(r"\n\s*\n+")
LONG_HEAD = 40
"""Characters from which on a head over several columns is told once."""
_DOTS = re.compile(r"(?:\.[ ]?){4,}|_{4,}|-{4,}")


def readable(text: str) -> str:
    """A text without rows of dashes, dotted lines, runs of blanks and empty lines."""
    text = _DOTS.sub(" … ", _RULE.sub("", text))
    return _EMPTY_LINES.sub("\n", _BLANKS.sub(" ", text)).strip()


def render_heads(header: Sequence[str]) -> str:
    """The heads of a table as its row; a long one that stands over the next column too is told once."""
    told = []
    for before, head in pairwise(("", *header)):
        upper, _, own = head.rpartition(LEVELS)
        goes_on = len(upper) >= LONG_HEAD and before.startswith(f"{upper}{LEVELS}")
        told.append(f"…{LEVELS}{own}" if goes_on else head)
    return f"| {' | '.join(told)} |" if any(header) else ""
