"""Which lines are headings, and of what level: by bookmarks, numbering, size and weight."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from retrieval.captions import CAPTION, FIGURE
from retrieval.parse.layout.geometry import Leaf, TextRun, Word, rows_of, weighted_mode

NUMBERED = re.compile(
    r"(?:(?:section|appendix|annex|chapter|part)\s+)?(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+(?=[^\W\d_(])", re.I
)
LABELLED = re.compile(r"[A-Z][^\W\d_]*[^\d:]{0,40}:\s+\S")
"""A label with its value, as title pages have them."""
LARGER = 1.08
TITLE = 1.3
"""Sizes, over that of running text, from which a line is a heading, and the title even if it has a colon or
begins small ("zoo: classes and methods").
"""
SMALLER = 0.97
"""Size, over that of running text, below which bold print is the head of a table or a note."""
LONGEST = 160
RUNNING = 6
"""Words of a line of running text, at least; cells of tables have fewer."""
ENOUGH = 300
"""Characters of such lines that tell what running text looks like."""
LINE_GAP = 1.1
"""Gap between the columns of a page, in font sizes."""


class Printed(Protocol):
    """A line with its look."""

    @property
    def text(self) -> str:
        """Its characters."""

    @property
    def x0(self) -> float:
        """Left edge in points."""

    @property
    def size(self) -> float:
        """Font size in points."""

    @property
    def bold(self) -> bool:
        """Whether all its letters are bold."""


@dataclass(frozen=True, slots=True)
class Style:
    """The look of a document: size of its running text, of its headings (largest first), its left margin."""

    body: float
    sizes: tuple[float, ...] = ()
    left: float = 0.0
    vocabulary: Collection[str] = ()
    mostly_bold: bool = False

    def level(self, line: Printed, outline: Sequence[tuple[int, str]] = ()) -> int:
        """1 to 6 for a heading, 0 for running text."""
        text = line.text.strip()
        if not any(map(str.isalpha, text)) or len(text) > LONGEST or re.search(r"(?:\.\s?){4,}", text):
            return 0
        if CAPTION.match(text) or FIGURE.match(text):
            return 0
        if marked := next((depth for depth, title in outline if _same(title, text)), 0):
            return min(marked + 1, 6)
        if (LABELLED.match(text) and line.size < TITLE * self.body) or text.startswith("("):
            return 0
        larger = line.size > LARGER * self.body
        bold = line.bold and not self.mostly_bold and line.size > SMALLER * self.body
        if not (larger or bold) or (text.endswith((".", ",", ";")) and not larger):
            return 0
        if (
            (text[0].islower() and line.size < TITLE * self.body)
            or text.endswith(",")
            or (text.endswith(":") and not larger)
        ):
            return 0
        if number := NUMBERED.match(text):
            return min(number[1].strip(".").count(".") + 2, 6)
        return self._by_size(line.size) if larger else min(len(self.sizes) + 2, 4)

    def _by_size(self, size: float) -> int:
        return min(1 + sum(known > 1.02 * size for known in self.sizes), 4)

    def is_numbered(self, text: str) -> bool:
        """Whether a line begins with a section number."""
        return bool(NUMBERED.match(text))

    def depth(self, x0: float) -> int:
        """Depth of a list item from its indent."""
        return min(max(int((x0 - self.left) / 30), 0), 3)


def style_of(leaves: Iterable[Leaf], vocabulary: Collection[str]) -> Style:
    """The look of a document.

    Its running text is what stands in long lines: where most of the print is tables, the cells have a size of
    their own, over which all prose would look like headings.
    """
    pages = [[word for word in leaf.words if not word.turned] for leaf in leaves]
    words = [word for page in pages for word in page]
    running = _running(pages)
    body = weighted_mode((round(word.size, 1), len(word.text)) for word in running or words)
    larger: dict[float, int] = {}
    for word in words:
        if word.size > LARGER * body:
            larger[round(word.size)] = larger.get(round(word.size), 0) + 1
    sizes = tuple(sorted(larger, reverse=True)[:4])
    bold = sum(len(word.text) for word in running or words if word.bold)
    total = sum(len(word.text) for word in running or words)
    left = weighted_mode((round(word.x0), 1) for word in words)
    return Style(body, sizes, left, vocabulary, bold > 0.5 * max(total, 1))


def _running(pages: Iterable[Sequence[Word]]) -> list[Word]:
    """The words of long lines; none where there are too few of them to tell anything."""
    long: list[TextRun] = [
        run
        for page in pages
        for row in rows_of(page, LINE_GAP)
        for run in row.runs
        if len(run.words) >= RUNNING
    ]
    words = [word for run in long for word in run.words]
    return words if sum(len(word.text) for word in words) >= ENOUGH else []


def _same(title: str, text: str) -> bool:
    """Whether a bookmark names this line, numbering and case aside."""
    a, b = (re.sub(r"[\W\d_]+", "", part).lower() for part in (title, text))
    return len(a) > 2 and a == b
