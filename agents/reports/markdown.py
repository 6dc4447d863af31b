"""A section's text in Markdown, with citation marks. Tables, pictures and code are shown apart."""

from collections.abc import Iterable

from agents.reports.values import Block, Choice, Heading, Paragraph, Points, Prose, Statement


def marks(numbers: Iterable[int]) -> str:
    """ "[1][3]" for citation numbers."""
    return "".join(f"[{number}]" for number in numbers)


def stated(statement: Statement) -> str:
    """A statement with its marks."""
    return f"{statement.text} {marks(statement.citations)}".rstrip()


def block_text(block: Block) -> str:
    """A block in Markdown; "" for a block that is more than text (a table, a picture, a program)."""
    if isinstance(block, Heading):
        return f"{'#' * block.level} {block.text}"
    if isinstance(block, Paragraph):
        return f"**{block.text}**" if block.strong else block.text
    if isinstance(block, Prose):
        return " ".join(_strongly(one) if block.strong else stated(one) for one in block.statements)
    if isinstance(block, Points):
        return "\n".join(f"- {stated(statement)}" for statement in block.statements)
    if isinstance(block, Choice):
        listed = "\n".join(f"{number}. {option}" for number, option in enumerate(block.options, start=1))
        return f"{block.question}\n\n{listed}".rstrip()
    return ""


def _strongly(statement: Statement) -> str:
    return f"**{statement.text}** {marks(statement.citations)}".rstrip()


def text_of(blocks: Iterable[Block]) -> str:
    """The text of blocks in Markdown, a paragraph each."""
    return "\n\n".join(filter(None, map(block_text, blocks)))
