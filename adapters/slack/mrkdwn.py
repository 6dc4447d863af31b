"""Between Markdown and Slack's own mark-up. Text from documents stays text: it can mention nobody."""

import html
import re
from collections.abc import Iterator

from bot.values import Table

WIDEST_TABLE = 78
"""Characters of a line that a monospaced table may have before it wraps on a laptop's Slack."""

_REFERENCE = re.compile(r"<([@#!]?)([^<>|]*)(?:\|([^<>]*))?>")
_RULES = (
    (re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE), r"*\1*"),
    (re.compile(r"^( *)[-*+] +", re.MULTILINE), r"\1• "),
    (re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1"), r"*\2*"),
    (re.compile(r"~~(?=\S)(.+?)(?<=\S)~~"), r"~\1~"),
    (re.compile(r"\[([^\]\n]+)\]\((https?://[^\s()<>|]+)\)"), r"<\2|\1>"),
)


def escape(text: str) -> str:
    """Plain text as Slack wants it. `<!channel>` in a document becomes harmless text."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def from_markdown(text: str) -> str:
    """Markdown as mrkdwn: headings, bold, lists, quotes and http(s) links; everything else as it stands."""
    lines = (_quote_kept(line) for line in text.splitlines())
    shown = "\n".join(lines)
    for pattern, replacement in _RULES:
        shown = pattern.sub(replacement, shown)
    return shown


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


def _quote_kept(line: str) -> str:
    """A line escaped, but for the quote mark at its beginning."""
    return f"> {escape(line[2:])}" if line.startswith("> ") else escape(line)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("`", "'")


def _monospaced(rows: list[tuple[str, ...]], widths: list[int]) -> Iterator[str]:
    for number, row in enumerate(rows):
        yield escape("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
        if number == 0:
            yield "  ".join("-" * width for width in widths)


def _as_paragraph(columns: tuple[str, ...], row: tuple[str, ...]) -> str:
    first, *others = row
    named = zip(columns[1:], others, strict=True)
    return "\n".join((f"*{escape(first)}*", *(escape(f"{name}: {cell}") for name, cell in named if cell)))


def _outside_entity(text: str, cut: int) -> int:
    """Move a cut before an entity ("&amp;") that it would break."""
    start = text.rfind("&", max(0, cut - 4), cut)
    return start if start > 0 and ";" not in text[start:cut] else cut
