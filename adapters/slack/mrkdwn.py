"""Between Markdown and Slack's own mark-up. Text from documents stays text: it can mention nobody."""

import html
import itertools
import re
from collections.abc import Iterator, Sequence
from textwrap import indent

from adapters.markup import MarkupLine, Run, lines_of
from agents.reports.marked import CITED, bracketed
from bot.values import Table

WIDEST_TABLE = 78
"""Characters of a line that a monospaced table may have before it wraps on a laptop's Slack."""
SHORT = 60
"""Characters of a cell that shares its line with others."""

_REFERENCE = re.compile(r"<([@#!]?)([^<>|]*)(?:\|([^<>]*))?>")
_INDENT = " " * 4
_CITED = re.compile(f"(?:{CITED.pattern})+")


def escape(text: str) -> str:
    """Plain text as Slack wants it. `<!channel>` in a document becomes harmless text."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def from_markdown(text: str) -> str:
    """Markdown as mrkdwn, its text escaped.

    The address of a link stands beside its text, so that nobody opens another page than the one that is read.
    """
    blocks: list[tuple[MarkupLine | Table, str]] = []
    for line in lines_of(text):
        if isinstance(line, MarkupLine) and line.code and not line.gap:
            first, shown = blocks.pop()
            blocks.append((first, f"{shown}\n{_code(line)}"))
        else:
            blocks.append((line, _shown(line)))
    told, quoted = "", False
    for line, shown in blocks:
        apart = isinstance(line, Table) or (line.gap and not line.mark and not line.code)
        beside, quoted = quoted, isinstance(line, MarkupLine) and line.quoted
        told += ("\n>\n" if beside and quoted and apart else "\n" * (1 + apart)) if told else ""
        told += f"```\n{shown}\n```" if isinstance(line, MarkupLine) and line.code else shown
    return told


def _shown(line: MarkupLine | Table) -> str:
    """A line with its marks, or a table."""
    if isinstance(line, Table):
        text, monospaced = from_table(line)
        return f"```\n{text}\n```" if monospaced else text
    if line.code:
        return _code(line)
    before = "> " if line.quoted else _INDENT * line.depth
    return indent(f"{line.mark}{_looked(line.runs)}", before).replace("> \n", ">\n").rstrip(" ")


def _code(line: MarkupLine) -> str:
    return escape(line.text.replace("```", "'''"))


def _looked(runs: Sequence[Run]) -> str:
    """Runs with the marks of their looks; one that goes on is not closed between them."""
    shown, open_ = "", list[str]()
    for run in (*runs, Run("")):
        wanted = [mark for mark, on in zip("*_~", (run.bold, run.italic, run.strike), strict=True) if on]
        while not set(open_) <= set(wanted):
            shown += open_.pop()
        new = [mark for mark in wanted if mark not in open_]
        shown += "".join(new) + _piece(run)
        open_ += new
    return shown


def _piece(run: Run) -> str:
    if run.mono:
        return "`" + escape(run.text.replace("`", "'")) + "`"
    return f"<{escape(run.address)}>" if run.address else escape(run.text)


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
        places = (text.rfind(mark, limit // 2, limit) for mark in ("\n\n", "\n", " "))
        cut = next((place for place in places if place > 0), -1)
        cut = _outside_entity(text, cut if cut > 0 else limit)
        yield text[:cut].rstrip()
        text = text[cut:].lstrip("\n ")
    if text:
        yield text


def _cited(text: str, *, bold: bool) -> str:
    """A text with its citations in bold, so that no "[1]" of a document is taken for one."""
    return _CITED.sub(lambda found: bracketed(found[0]) if bold else f"*{bracketed(found[0])}*", text)


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
