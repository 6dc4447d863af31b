"""A document's canonical text as HTML: headings, tables and lists as such, a passage marked in its place.

Works by offsets: what is marked is what is cited, also where it begins in one cell and ends in another.
Everything is escaped; what a document writes never becomes a link.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from agents.reports.quoted_table import shared_head
from retrieval.markdown import Span, cell_spans
from retrieval.tables import LEVELS

HEADING = re.compile(r"(#{1,6})\s+(?=\S)")
ITEM = re.compile(r"\s*(?:[-*•]|\d{1,3}[.)])\s+(?=\S)")
ROW = re.compile(r"\s*\|.*\|\s*$")
RULE = re.compile(r"\s*\|(?:\s*:?-+:?\s*\|)+\s*$")
STRONG = re.compile(r"(?<![\w*])\*\*(?=[^\s*])(.+?)(?<=[^\s*])\*\*(?![\w*])")
"""Words in bold; a sign of significance ("46** b") is none."""
ESCAPED_BAR = re.compile(r"((?:\\\\)*)\\\|")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text, by its offsets."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A text of which a part is marked. The first mark has the id by which the page finds it."""

    text: str
    marked: Piece

    def html(self, piece: Piece) -> str:
        """The piece, escaped, what it has of the passage marked."""
        first, last = max(piece.start, self.marked.start), min(piece.end, self.marked.end)
        if first >= last:
            return self._plain(piece.start, piece.end)
        before, within = self._plain(piece.start, first), self._plain(first, last)
        return f"{before}<mark>{within}</mark>{self._plain(last, piece.end)}"

    def holds(self, start: int, end: int) -> bool:
        """Whether all that is marked lies in a cell."""
        return start <= self.marked.start < self.marked.end <= end

    def _plain(self, start: int, end: int) -> str:
        plain = str(escape(ESCAPED_BAR.sub(lambda bar: f"{bar[1]}|", self.text[start:end])))
        return STRONG.sub(r"<strong>\1</strong>", plain)


def canonical_html(text: str, first: int, last: int, start: int, end: int) -> Markup:
    """The text between two offsets, the passage from `start` to `end` marked."""
    shown = Shown(text, Piece(start, end))
    made = "".join(_blocks(shown, _lines(text, first, last)))
    return Markup(_in_order(made).replace("<mark>", '<mark id="passage">', 1))


def _in_order(html: str) -> str:
    """Headings none of which stands more than one level below the one before, as readers by ear need them."""
    level = 2

    def placed(found: re.Match[str]) -> str:
        nonlocal level
        level = level if found[1] else min(int(found[2]), level + 1)
        return f"<{found[1]}h{level}>"

    return re.sub("<(/?)h([3-6])>", placed, html)


def _lines(text: str, first: int, last: int) -> list[Piece]:
    """Lines between the offsets, without their ends."""
    found, place = [], first
    for line in text[first:last].split("\n"):
        found.append(Piece(place, place + len(line)))
        place += len(line) + 1
    return found


def _blocks(shown: Shown, lines: list[Piece]) -> Iterator[str]:
    at = 0
    while at < len(lines):
        sort = _sort(shown.text, lines[at])
        end = at + 1
        while end < len(lines) and sort != "heading" and _sort(shown.text, lines[end]) == sort:
            end += 1
        yield _BLOCKS[sort](shown, lines[at:end])
        at = end


def _sort(text: str, line: Piece) -> str:
    """What a line is part of."""
    written = text[line.start : line.end]
    if not written.strip():
        return "blank"
    if HEADING.match(written):
        return "heading"
    if ROW.match(written):
        return "table"
    return "list" if ITEM.match(written) else "prose"


def _heading(shown: Shown, lines: list[Piece]) -> str:
    (line,) = lines
    mark = HEADING.match(shown.text[line.start : line.end])
    assert mark
    level = min(len(mark[1]) + 2, 6)
    return f"<h{level}>{shown.html(Piece(line.start + mark.end(), line.end))}</h{level}>"


def _prose(shown: Shown, lines: list[Piece]) -> str:
    return f"<p>{'<br>'.join(map(shown.html, lines))}</p>"


def _list(shown: Shown, lines: list[Piece]) -> str:
    items = "".join(f"<li>{shown.html(line)}</li>" for line in lines)
    return f'<ul class="plain">{items}</ul>'


def _table(shown: Shown, lines: list[Piece]) -> str:
    """A table; what most heads begin with stands once above it. A cell that is marked alone marks its row and
    the head of its column, too.
    """
    rows = [cell_spans(shown.text, line.start, line.end) for line in lines]
    ruled = len(lines) > 1 and RULE.match(shown.text[lines[1].start : lines[1].end])
    shared, _ = shared_head([shown.text[slice(*span)] for span in rows[0]] if ruled else [])
    column = next((place for row in rows for place, span in enumerate(row) if shown.holds(*span)), None)
    body = "".join(
        _row(shown, row, shared if ruled and not at else None, column)
        for at, row in enumerate(rows)
        if not RULE.match(shown.text[lines[at].start : lines[at].end])
    )
    above = f"<caption>{escape(shared)}</caption>" if shared else ""
    return f'<div class="scroll" tabindex="0"><table>{above}<tbody>{body}</tbody></table></div>'


def _row(shown: Shown, row: Sequence[Span], shared: str | None, told: int | None) -> str:
    """A row of a pipe table, of heads where they have something in `shared` above them, or "".

    `told` is the column of the one cell that is marked.
    """
    tag, above = ("td", "") if shared is None else ("th", f"{shared}{LEVELS}" if shared else "")
    here = any(shown.holds(*span) for span in row)
    cells = []
    for place, (start, end) in enumerate(row):
        first = start + len(above) if above and shown.text.startswith(above, start, end) else start
        at = ' class="told"' if place == told and (here or tag == "th") else ""
        cells.append(f"<{tag}{at}>{shown.html(Piece(first, end))}</{tag}>")
    return f"<tr{' class=told' if here else ''}>{''.join(cells)}</tr>"


def _blank(shown: Shown, lines: list[Piece]) -> str:
    return ""


_BLOCKS = {"heading": _heading, "prose": _prose, "list": _list, "table": _table, "blank": _blank}
