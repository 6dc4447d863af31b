"""Text that a database's curators wrote, as sentences without markup."""

import html
import re

from retrieval.text.sentences import split_sentences

MARKUP = re.compile(r"<[^<>]{0,200}>")


def plain_text(written: str) -> tuple[str, ...]:
    """The sentences, without tags, entities and citations in square brackets that hold only numbers."""
    bare = " ".join(html.unescape(MARKUP.sub(" ", written)).split())
    return tuple(split_sentences(bare))
