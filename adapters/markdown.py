"""How the Markdown of cards is read, the same for the page, Slack and the terminal.

It comes from models and documents, so HTML stays text, and no line is swallowed as the definition of a link.
"""

from markdown_it import MarkdownIt

_INTO_LINKS = ("link", "image", "autolink")


def reader(*, links: bool = True) -> MarkdownIt:
    """A reader of CommonMark with tables and strikethrough. Without `links` these stay text as it is."""
    made = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])
    return made.disable(["reference", *(() if links else _INTO_LINKS)])
