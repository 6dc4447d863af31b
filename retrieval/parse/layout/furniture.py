"""Running headers, footers and page numbers: what stands at the edge of page after page."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from retrieval.parse.layout.geometry import Leaf, Word, lines_of_words

EDGE = 0.16
"""Share of the page's height, above and below, where furniture may stand."""
MARGIN = 0.11
"""Share of the page's height where a lone number at the very edge is a page number."""
PAGE_NUMBER = re.compile(
    r"(?:(?:page|seite|p\.)\s*)?[-–—]?\s*(?:\d{1,4}|[ivxl]{1,6})\s*[-–—]?(?:\s*(?:of|/|von|de)\s*\d{1,4})?",
    re.IGNORECASE,
)
NUMBER_OF = r"(?:page|seite|p\.)\s*\d{1,4}(?:\s*(?:of|/|von|de)\s*\d{1,4})?"
PAGE_OF = re.compile(rf"^{NUMBER_OF}(?!\S)|(?<!\S){NUMBER_OF}$")
END_NUMBER = re.compile(r"^\d{1,5}(?!\S)|(?<!\S)\d{1,5}$")
LEAST_PAGES = 3


@dataclass(frozen=True, slots=True)
class EdgeLine:
    """A line that may be furniture.

    One of the `keys` is equal from page to page. `marginal`: it is the first or last line, and in the margin.
    """

    keys: frozenset[str]
    words: Sequence[Word]
    marginal: bool
    outermost: bool
    above: bool


def without_furniture(leaves: Sequence[Leaf]) -> list[Leaf]:
    """The pages without furniture.

    A running header stays where it first occurs and a running footer where it last does, so that neither
    stands between the parts of a table or a paragraph; page numbers go.
    """
    edges = [_edge_lines(leaf) for leaf in leaves]
    kept = _kept_on(edges)
    cleaned = []
    for place, (leaf, lines) in enumerate(zip(leaves, edges, strict=True)):
        dropped: set[int] = set()
        for line in lines:
            pages = {kept[key] for key in line.keys if key in kept}
            if _is_page_number(line, bool(pages)) or (pages and place not in pages):
                dropped.update(map(id, line.words))
            elif pages:
                dropped.update(id(word) for word in _page_number_words(line.words))
        dropped.update(id(word) for word in leaf.words if word.turned and _is_turned_number(word, leaf))
        cleaned.append(replace(leaf, words=tuple(word for word in leaf.words if id(word) not in dropped)))
    return cleaned


def _kept_on(edges: Sequence[Sequence[EdgeLine]]) -> dict[str, int]:
    """The keys of furniture, with the place of the page on which it stays: the first for what stands above.

    It is what most edges have in common; in a document of two pages, the outermost line that both of them
    have, in one piece or with the number of the page.
    """
    pages: dict[str, list[int]] = {}
    for place, lines in enumerate(edges):
        few = [line for line in lines if line.outermost and _is_whole(line.words)]
        for key in {key for line in (lines if len(edges) >= LEAST_PAGES else few) for key in line.keys}:
            pages.setdefault(key, []).append(place)
    least = max(LEAST_PAGES, 0.3 * len(edges)) if len(edges) >= LEAST_PAGES else 2
    common = {key: found for key, found in pages.items() if len(found) >= least}
    above = [(i, line) for i, lines in enumerate(edges) for line in lines if line.above]
    below = [(i, line) for i, lines in enumerate(edges) for line in lines if not line.above]
    kept: dict[str, int] = {}
    for place, line in (*above, *reversed(below)):
        repeated = line.keys & common.keys()
        before = {kept[key] for key in repeated if key in kept}
        kept |= dict.fromkeys(repeated - kept.keys(), min(before, default=place))
    return kept


def _is_whole(words: Sequence[Word]) -> bool:
    """Whether a line stands in one piece, but for the number of the page."""
    return not _is_parted(words) or bool(_page_number_words(words))


def _is_parted(words: Sequence[Word]) -> bool:
    """Whether a line stands in pieces, as the rows of tables do."""
    return any(b.x0 - a.x1 > max(a.size, b.size) for a, b in pairwise(words))


def _edge_lines(leaf: Leaf) -> list[EdgeLine]:
    """Lines at the upper and lower edge, and the outermost ones wherever they stand."""
    lines = lines_of_words(word for word in leaf.words if not word.turned)
    found = []
    for i, line in enumerate(lines):
        depth = min(line[0].bottom, leaf.height - line[0].top) / max(leaf.height, 1.0)
        outermost = i in (0, len(lines) - 1)
        if depth < EDGE or outermost:
            above = line[0].bottom < EDGE * leaf.height
            keys = frozenset(f"{above}|{shape}" for shape in _shapes(line, leaf.number))
            found.append(EdgeLine(keys, line, outermost and depth < MARGIN, outermost, above))
    return found


def _shapes(line: Sequence[Word], page: int) -> set[str]:
    """What may be equal from page to page: the text as it stands, or but for the page's number at an end.

    Other numbers count, lest the rows of a long table pass for a running header.
    """
    text = PAGE_OF.sub("", " ".join(word.text for word in line).lower()).strip()
    return {text, END_NUMBER.sub(lambda number: f"page{int(number[0]) - page:+}", text)}


def _is_page_number(line: EdgeLine, repeated: bool) -> bool:
    """Whether a line is a page number alone, and no row of numbers: one piece, in its place or called so."""
    if _is_parted(line.words):
        return False
    texts = [blank.join(word.text for word in line.words) for blank in (" ", "")]
    called = re.match(r"(?:page|seite)\b", texts[0], re.IGNORECASE) is not None
    return any(map(PAGE_NUMBER.fullmatch, texts)) and (line.marginal or repeated or called)


def _page_number_words(line: Sequence[Word]) -> list[Word]:
    """The words of a running header that say `Page 3 of 12`, at its end."""
    for start in range(max(len(line) - 4, 0), len(line)):
        text = " ".join(word.text for word in line[start:])
        if re.match(r"(?:page|seite)\b", text, re.IGNORECASE) and PAGE_NUMBER.fullmatch(text):
            return list(line[start:])
    return []


def _is_turned_number(word: Word, leaf: Leaf) -> bool:
    """The page number of a page whose table lies on its side: digits at an edge, not upright."""
    x, y = word.middle
    inside = MARGIN * leaf.width < x < (1 - MARGIN) * leaf.width
    return word.text.isdecimal() and not (inside and MARGIN * leaf.height < y < (1 - MARGIN) * leaf.height)
