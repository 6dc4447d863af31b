"""The paragraphs of an article, each with an id, and its sentences, which have numbers in it."""

import re
from dataclasses import dataclass

from agents.protocol.literature import Paper
from retrieval.markdown import BlockKind, blocks
from retrieval.passages import plain
from retrieval.text.sentences import sentences
from retrieval.values import Passage

LEAST_WORDS = 4
"""A shorter line is no sentence."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph or list item: `text == document.text[start:end]`; `said` are its sentences, verbatim."""

    id: str
    section: tuple[str, ...]
    passage: Passage
    said: tuple[str, ...]

    @property
    def text(self) -> str:
        """Its text."""
        return self.passage.text


def paragraphs(paper: Paper) -> tuple[Paragraph, ...]:
    """The paragraphs of an article, in order; ids are p1, p2, …"""
    text, doc_id = paper.document.text, paper.document.record.doc_id
    headings: list[tuple[int, str]] = []
    found: list[Paragraph] = []
    for block in blocks(text):
        if block.kind is BlockKind.HEADING:
            headings = [one for one in headings if one[0] < block.level]
            headings.append((block.level, plain(text[block.start : block.end])))
        elif block.kind in (BlockKind.PARAGRAPH, BlockKind.ITEM):
            section = tuple(heading for _, heading in headings[1:])
            passage = Passage(doc_id, block.start, block.end, text[block.start : block.end], section=section)
            said = tuple(text[start:end] for start, end in sentences(text, block.start, block.end))
            kept = tuple(one for one in said if len(re.findall(r"\w+", one)) >= LEAST_WORDS)
            found.append(Paragraph(f"p{len(found) + 1}", section, passage, kept))
    return tuple(found)
