"""A section's text in Markdown, with citation marks. Tables, pictures and code are shown apart."""

import re
from collections.abc import Iterable
from itertools import count

from agents.reports.marked import bracketed, cited, own, typed
from agents.reports.values import Block, Heading, Paragraph, Points, Prose, Statement


def marks(numbers: Iterable[int]) -> str:
    """ "[1][3]" for citation numbers."""
    return "".join(f"[{number}]" for number in numbers)


def stated(statement: Statement) -> str:
    """A statement with its marks."""
    return f"{statement.rendered} {marks(statement.citations)}".rstrip()


def block_text(block: Block) -> str:
    """A block in Markdown; "" for a block that is more than text (a table, a picture, a program).

    Its citations are told from brackets of its own as in `agents.reports.marked`.
    """
    if isinstance(block, Heading):
        return f"{'#' * block.level} {own(block.text)}"
    if isinstance(block, Paragraph):
        text = typed(block.text) if block.cites else own(block.text)
        return f"**{text}**" if block.strong else text
    if isinstance(block, Prose):
        return " ".join(_marked(block.statements, strong=block.strong))
    if isinstance(block, Points):
        marks = (f"{place}." if block.numbered else "-" for place in count(1))
        return "\n".join(map("{} {}".format, marks, _marked(block.statements)))
    return ""


def text_of(blocks: Iterable[Block]) -> str:
    """The text of blocks in Markdown, a paragraph each, with citations as "[1]"."""
    return bracketed("\n\n".join(filter(None, map(block_text, blocks))))


_SIGN = re.compile(r"(?<=[\d)%])\*+(?!\w)")
"""A sign behind a value ("71*"), which begins no emphasis."""


def _marked(statements: Iterable[Statement], *, strong: bool = False) -> list[str]:
    told = ((_SIGN.sub(lambda sign: r"\*" * len(sign[0]), one.rendered), one.citations) for one in statements)
    return [cited(f"**{text}**" if strong else text, citations) for text, citations in told]
