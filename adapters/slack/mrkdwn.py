"""Between Markdown and Slack's own mark-up. Text from documents stays text: it can mention nobody."""

import html
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from textwrap import indent

from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from adapters.markdown import reader
from agents.reports.marked import CLOSES, OPENS, bracketed
from bot.values import Table

WIDEST_TABLE = 78
"""Characters of a line that a monospaced table may have before it wraps on a laptop's Slack."""
SHORT = 60
"""Characters of a cell that shares its line with others."""

_REFERENCE = re.compile(r"<([@#!]?)([^<>|]*)(?:\|([^<>]*))?>")
_MARKS = {"strong": "*", "em": "_", "s": "~"}
_NEWLINE = re.compile(r"\r\n?")
_LIVE = re.compile(r"https?://[^\s<>|]+", re.IGNORECASE)
_INDENT = " " * 4
_CITED = re.compile(f"(?:{OPENS}[0-9]+{CLOSES})+")

_markdown = reader()


def escape(text: str) -> str:
    """Plain text as Slack wants it. `<!channel>` in a document becomes harmless text."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def from_markdown(text: str) -> str:
    """Markdown as mrkdwn, its text escaped.

    The address of a link stands beside its text, so that nobody opens another page than the one that is read.
    """
    text = _NEWLINE.sub("\n", text)
    tokens = _markdown.parse(text)
    for before, token in itertools.pairwise(tokens):
        if token.type == "inline" and before.type not in ("th_open", "td_open"):
            token.content = _inline(token.children or (), Counter(strong=before.type == "heading_open"))
        # The blocks alone become a tree: emphasis may be nested deeper than Python recurses.
        token.children = None
    return _blocks(text.split("\n"), SyntaxTreeNode(tokens).children)


def to_plain(text: str, bot_user: str) -> str:
    """What somebody typed: mentions of the bot taken off, links and other references as readable text."""

    def readable(found: re.Match[str]) -> str:
        sign, target, label = found.groups()
        if sign == "@":
            return "" if target == bot_user else f"@{label or target}"
        if sign == "!":
            return f"@{label or target.split('^')[0]}"
        return f"#{label or target}" if sign == "#" else label or target

    return html.unescape(_REFERENCE.sub(readable, text)).strip()


def from_table(table: Table) -> tuple[str, bool]:
    """A table as lines for a monospaced block (True) where it is narrow, else one paragraph per row."""
    rows = [tuple(_cell(cell) for cell in row) for row in (table.columns, *table.rows)]
    widths = [max(map(len, column), default=0) for column in zip(*rows, strict=True)]
    if sum(widths) + 2 * len(widths) <= WIDEST_TABLE:
        return "\n".join(_monospaced(rows, widths)), True
    return "\n\n".join(_as_paragraph(table.columns, row) for row in table.rows), False


def pieces(text: str, limit: int) -> Iterator[str]:
    """The text in parts of at most `limit` characters, cut at a paragraph, line or word if there is one."""
    while len(text) > limit:
        cut = max((text.rfind(mark, limit // 2, limit) for mark in ("\n\n", "\n", " ")), default=-1)
        cut = _outside_entity(text, cut if cut > 0 else limit)
        yield text[:cut].rstrip()
        text = text[cut:].lstrip("\n ")
    if text:
        yield text


def _blocks(lines: Sequence[str], nodes: Sequence[SyntaxTreeNode]) -> str:
    """The blocks in their order, a blank line between two of them where there is one in the `lines`."""
    return _joined(lines, nodes, partial(_block, lines))


def _joined(
    lines: Sequence[str], nodes: Sequence[SyntaxTreeNode], shown: Callable[[SyntaxTreeNode], str]
) -> str:
    text = ""
    for node in nodes:
        before = node.map[0] - 1 if node.map else 0
        text += ("\n" if lines[before].strip(" \t>") else "\n\n") if text else ""
        text += shown(node)
    return text


def _block(lines: Sequence[str], node: SyntaxTreeNode) -> str:
    match node.type:
        case "heading":
            title = node.children[0].content
            return f"*{title}*" if title else ""
        case "blockquote":
            return "\n".join(f"> {line}".rstrip() for line in _blocks(lines, node.children).split("\n"))
        case "bullet_list" | "ordered_list":
            return _list(lines, node)
        case "fence" | "code_block":
            return _monospaced_block(escape(node.content.rstrip("\n").replace("```", "'''")))
        case "table":
            header, *rows = (_row(row) for part in node.children for row in part.children)
            text, monospaced = from_table(Table("", header, tuple(rows)))
            return _monospaced_block(text) if monospaced else text
        case "hr":
            return "---"
    return node.children[0].content


def _list(lines: Sequence[str], node: SyntaxTreeNode) -> str:
    marks: Iterator[str] = itertools.repeat("•")
    if node.type == "ordered_list":
        marks = (f"{number}{node.markup}" for number in itertools.count(int(node.attrs.get("start", 1))))

    def item(one: SyntaxTreeNode) -> str:
        return f"{next(marks)} {indent(_blocks(lines, one.children), _INDENT).lstrip()}"

    return _joined(lines, node.children, item)


def _row(row: SyntaxTreeNode) -> tuple[str, ...]:
    return tuple(cell.children[0].content for cell in row.children)


def _monospaced_block(text: str) -> str:
    return f"```\n{text}\n```"


def _inline(tokens: Sequence[Token], depth: Counter[str]) -> str:
    """A line; `depth` counts the emphasis around it, for Slack knows none within its own kind."""
    shown, addresses = [""], [""]
    for token in tokens:
        kind = token.type.rpartition("_")[0]
        if kind in _MARKS:
            depth[kind] += token.nesting
            shown[-1] += _MARKS[kind] if depth[kind] == (token.nesting > 0) else ""
        elif token.type == "link_open":
            shown.append("")
            addresses.append(str(token.attrs["href"]))
        elif token.type == "link_close":
            label = shown.pop()
            shown[-1] += _link(label, addresses.pop())
        else:
            shown[-1] += _cited(_piece(token), bold=depth["strong"] > 0)
    return "".join(shown)


def _cited(text: str, *, bold: bool) -> str:
    """A text with its citations in bold, so that no "[1]" of a document is taken for one."""
    return _CITED.sub(lambda found: bracketed(found[0]) if bold else f"*{bracketed(found[0])}*", text)


def _piece(token: Token) -> str:
    match token.type:
        case "softbreak" | "hardbreak":
            return "\n"
        case "code_inline":
            return "`" + escape(token.content.replace("`", "'")) + "`"
        case "image":
            return _link(escape(token.content), str(token.attrs["src"]))
    return escape(token.content)


def _link(label: str, address: str) -> str:
    """What a link says, and its address; that one opens if it is http(s)."""
    shown = escape(address)
    opened = f"<{shown}>" if _LIVE.fullmatch(address) else shown
    if label in ("", shown):
        return opened
    return label if address == f"mailto:{label}" else f"{label} ({opened})"


def _cell(text: str) -> str:
    return bracketed(" ".join(text.split()).replace("`", "'"))


def _monospaced(rows: list[tuple[str, ...]], widths: list[int]) -> Iterator[str]:
    for number, row in enumerate(rows):
        yield escape("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
        if number == 0:
            yield "  ".join("-" * width for width in widths)


def _as_paragraph(columns: tuple[str, ...], row: tuple[str, ...]) -> str:
    """A row under its first cell: short cells side by side, a long one on a line of its own."""
    first, *others = row
    named = [f"{name}: {cell}" for name, cell in zip(columns[1:], others, strict=True) if cell]
    grouped = itertools.groupby(named, lambda one: len(one) <= SHORT)
    lines = [(" · " if short else "\n").join(those) for short, those in grouped]
    told = (_cited(escape(line), bold=False) for line in lines)
    return "\n".join((f"*{_cited(escape(first), bold=True)}*", *told))


def _outside_entity(text: str, cut: int) -> int:
    """Move a cut before an entity ("&amp;") that it would break."""
    start = text.rfind("&", max(0, cut - 4), cut)
    return start if start > 0 and ";" not in text[start:cut] else cut
