"""Text that a database's curators wrote, as sentences without markup."""

import html
import re

MARKUP = re.compile(r"<[^<>]{0,200}>")
END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9])")
ABBREVIATED = re.compile(r"\b(?:et al|e\.g|i\.e|cf|vs|Fig|approx)\.$")


def plain_text(written: str) -> tuple[str, ...]:
    """The sentences, without tags, entities and citations in square brackets that hold only numbers."""
    bare = " ".join(html.unescape(MARKUP.sub(" ", written)).split())
    sentences: list[str] = []
    for part in END.split(bare):
        if sentences and ABBREVIATED.search(sentences[-1]):
            sentences[-1] += f" {part}"
        elif part:
            sentences.append(part)
    return tuple(sentences)
