"""How the Markdown of cards is read, the same for the page, Slack, Teams and the terminal.

It comes from models and documents, so HTML stays text, and no line is swallowed as the definition of a link.
"""

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

_INTO_LINKS = ("link", "image", "autolink")


def reader(*, links: bool = True) -> MarkdownIt:
    """A reader of CommonMark with tables and strikethrough. Without `links` these stay text as it is."""
    made = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])
    made.inline.ruler.before("emphasis", "times", _times)
    return made.disable(["reference", *(() if links else _INTO_LINKS)])


def _times(state: StateInline, silent: bool) -> bool:
    """An asterisk between two letters or digits is a sign of multiplication ("ng*h/mL"), no emphasis."""
    around = state.src[max(state.pos - 1, 0) : state.pos + 2]
    if len(around) < 3 or around[1] != "*" or not (around[0].isalnum() and around[2].isalnum()):
        return False
    if not silent:
        state.pending += "*"
    state.pos += 1
    return True
