"""Texts as a model reads them: without what only takes room."""

import re

_RULE = re.compile(r"^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$\n?", re.MULTILINE)
_BLANKS = re.compile(r"[ \t\u00a0]+")
_EMPTY_LINES = re.compile(r"\n\s*\n+")
_DOTS = re.compile(r"(?:\.[ ]?){4,}|_{4,}|-{4,}")


def readable(text: str) -> str:
    """A text without rows of dashes, dotted lines, runs of blanks and empty lines."""
    text = _DOTS.sub(" … ", _RULE.sub("", text))
    return _EMPTY_LINES.sub("\n", _BLANKS.sub(" ", text)).strip()
