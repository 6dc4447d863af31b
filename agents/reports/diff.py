"""What differs between two texts of a section, sentence by sentence, citation marks included."""

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from agents.reports.markdown import block_text, marks, stated
from agents.reports.marked import bracketed
from agents.reports.values import Block, Code, Figure, Points, Prose, Section, Structure, Table
from retrieval.text.sentences import sentences


class Side(StrEnum):
    """Where a sentence stands."""

    BOTH = "both"
    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class SentenceChange:
    """A sentence that is in the text before, in the one after, or in both."""

    side: Side
    text: str


def same(one: Section, other: Section) -> bool:
    """Whether a reader sees no difference: who checked a claim, and by which words, is not seen."""
    return one is other or _seen(one) == _seen(other)


def _seen(section: Section) -> tuple[str, list[str], frozenset[tuple[int, str]]]:
    quotes = frozenset((one.number, one.quote) for one in section.citations)
    return section.title, sentences_of(section.blocks), quotes


def difference(before: Section, after: Section) -> tuple[SentenceChange, ...]:
    """Every sentence of both texts in reading order; what was taken out stands before what came in."""
    old, new = sentences_of(before.blocks), sentences_of(after.blocks)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return tuple(
        change for tag, i, j, k, m in matcher.get_opcodes() for change in _changes(tag, old[i:j], new[k:m])
    )


def _changes(tag: str, old: Sequence[str], new: Sequence[str]) -> Iterator[SentenceChange]:
    if tag == "equal":
        yield from (SentenceChange(Side.BOTH, text) for text in old)
        return
    yield from (SentenceChange(Side.BEFORE, text) for text in old)
    yield from (SentenceChange(Side.AFTER, text) for text in new)


def sentences_of(blocks: Sequence[Block]) -> list[str]:
    """The sentences, table rows, pictures and programs of a section, as lines of text."""
    return [line for block in blocks for line in _lines(block)]


def _lines(block: Block) -> Iterator[str]:
    if isinstance(block, Prose | Points):
        yield from (stated(statement) for statement in block.statements)
    elif isinstance(block, Table):
        yield from filter(None, (block.title, " | ".join(block.columns)))
        yield from (
            " | ".join(f"{cell.text} {marks(cell.citations)}".strip() for cell in row) for row in block.rows
        )
    elif isinstance(block, Figure):
        yield f"{block.noun}: {block.title}: {block.text} {marks(block.citations)} ({block.sha256[:12]})"
    elif isinstance(block, Structure):
        yield f"Structure: {block.name} {block.smiles} {marks(block.citations)}"
    elif isinstance(block, Code):
        yield from (*block.text.splitlines(), *block.output.splitlines())
    else:
        text = bracketed(block_text(block))
        yield from (text[start:end] for start, end in sentences(text, 0, len(text)))
