"""A document's canonical text as HTML: headings, tables and lists as such, a passage marked in its place.

Works by offsets: what is marked is what is cited, also where it begins in one cell and ends in another.
Everything is escaped; what a document writes never becomes a link.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup, escape

from agents.reports.quoted_table import shared_head
from retrieval.markdown import Block, BlockKind, Span, blocks, cell_spans, is_delimiter
from retrieval.tables import LEVELS

STRONG = re.compile(r"(?<![\w*])\*\*(?=[^\s*])(.+?)(?<=[^\s*])\*\*(?![\w*])")
"""Words in bold; a sign of significance ("46** b") is none."""
ESCAPED_BAR = re.compile(r"((?:\\\\)*)\\\|")


@dataclass(frozen=True, slots=True)
class Shown:
    """A text of which a part is marked. The first mark has the id by which the page finds it."""

    text: str
    marked: Span

    def html(self, piece: Span) -> str:
        """The piece, escaped, what it has of the passage marked."""
        start, end = piece
        first, last = max(start, self.marked[0]), min(end, self.marked[1])
        if first >= last:
            return self._plain(start, end)
        before, within = self._plain(start, first), self._plain(first, last)
        return f"{before}<mark>{within}</mark>{self._plain(last, end)}"

    def lines(self, pieces: Iterable[Span]) -> str:
        """Pieces, a line each."""
        return "<br>".join(map(self.html, pieces))

    def holds(self, start: int, end: int) -> bool:
        """Whether all that is marked lies in a cell."""
        return start <= self.marked[0] < self.marked[1] <= end

    def _plain(self, start: int, end: int) -> str:
        plain = str(escape(ESCAPED_BAR.sub(lambda bar: f"{bar[1]}|", self.text[start:end])))
        return STRONG.sub(r"<strong>\1</strong>", plain)


def canonical_html(text: str, first: int, last: int, start: int, end: int) -> Markup:
    """The text between two offsets, the passage from `start` to `end` marked."""
    shown = Shown(text[first:last], (start - first, end - first))
    kinds = groupby(blocks(shown.text), key=lambda one: one.kind)
    made = "".join(_html(shown, kind, list(some)) for kind, some in kinds)
    return Markup(_in_order(made).replace("<mark>", '<mark id="passage">', 1))


def _in_order(html: str) -> str:
    """Headings none of which stands more than one level below the one before, as readers by ear need them."""
    level = 2

    def placed(found: re.Match[str]) -> str:
        nonlocal level
        level = level if found[1] else min(int(found[2]), level + 1)
        return f"<{found[1]}h{level}>"

    return re.sub("<(/?)h([3-6])>", placed, html)


def _html(shown: Shown, kind: BlockKind, some: Sequence[Block]) -> str:
    """Blocks of one kind in a row."""
    if kind is BlockKind.HEADING:
        levels = [min(one.level + 2, 6) for one in some]
        return "".join(f"<h{n}>{shown.lines(one.lines)}</h{n}>" for n, one in zip(levels, some, strict=True))
    if kind is BlockKind.TABLE:
        return "".join(_table(shown, one.lines) for one in some)
    if kind is BlockKind.PARAGRAPH:
        return "".join(f"<p>{shown.lines(one.lines)}</p>" for one in some)
    begins = [shown.text.rfind("\n", 0, one.start) + 1 for one in some]  # an item is shown with its mark
    items = (
        f"<li>{shown.lines(((begin, one.lines[0][1]), *one.lines[1:]))}</li>"
        for begin, one in zip(begins, some, strict=True)
    )
    return f'<ul class="plain">{"".join(items)}</ul>'


def _table(shown: Shown, lines: Sequence[Span]) -> str:
    """A table; what most heads begin with stands once above it. A cell that is marked alone marks its row and
    the head of its column, too.
    """
    rows = [cell_spans(shown.text, *line) for line in lines]
    rules = [is_delimiter(shown.text[slice(*line)]) for line in lines]
    ruled = any(rules[1:2])
    shared, _ = shared_head([shown.text[slice(*span)] for span in rows[0]] if ruled else [])
    column = next((place for row in rows for place, span in enumerate(row) if shown.holds(*span)), None)
    body = "".join(
        _row(shown, row, shared if ruled and not at else None, column)
        for at, row in enumerate(rows)
        if not rules[at]
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
        cells.append(f"<{tag}{at}>{shown.html((first, end))}</{tag}>")
    return f"<tr{' class=told' if here else ''}>{''.join(cells)}</tr>"
