"""Lines as the text of a message, which Teams reads as Markdown.

Every character that could be mark-up is written as a character reference, so that a text can make no link,
no mention and no citation; only those of the report are left.
"""

import re
from collections.abc import Sequence

from adapters.markup import MarkupLine, Run

_MARKUP = re.compile(r"[\\`*_{}\[\]()<>#+\-.!|~&@:^=\"'$]")
_PLAIN = re.compile(r"(?<=\w)[-.'](?=\w)|(?<=[^\W\d_])[.:](?=\s|$)")
"""Marks that are none where they stand: within a word, and at the end of one that is no number."""


def message_text(lines: Sequence[MarkupLine]) -> str:
    """Lines as the Markdown of a message. Only citations of the report are left for Teams to find."""
    told = []
    for line in lines:
        text = "".join(_typed(run) for run in line.runs)
        quoted = "> " if line.quoted else ""
        told.append(f"{quoted}{'&emsp;' * line.depth}{escaped(line.mark)}{text}")
    return "\n\n".join(told)


def escaped(text: str) -> str:
    """Plain text as the Markdown of a message: what could be mark-up is a character reference."""
    kept = {found.start() for found in _PLAIN.finditer(text)}
    return _MARKUP.sub(
        lambda found: found[0] if found.start() in kept else f"&#{ord(found[0])};", text
    ).replace("\n", "  \n")


def _typed(run: Run) -> str:
    """A run as Markdown. What it opens stands in it, so that nothing is hidden behind a name."""
    if run.cites:
        return run.text
    text = escaped(run.text)
    around = "**" * run.bold + "_" * run.italic + "~~" * run.strike
    bare = text.strip()
    if not around or not bare or not bare[0].isalnum() or not bare[-1].isalnum():
        return text  # Markdown takes marks for emphasis only at the edge of a word
    return text.replace(bare, f"{around}{bare}{around[::-1]}")
