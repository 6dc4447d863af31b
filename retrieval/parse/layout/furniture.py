"""Running headers, footers and page numbers: what stands at the edge of page after page."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from retrieval.parse.layout.geometry import Leaf, Word, lines_of_words

EDGE = 0.16
"""Share of the page's height, above and below, where furniture may stand."""
PAGE_NUMBER = re.compile(
    r"(?:(?:page|seite|p\.)\s*)?[-–—]?\s*(?:\d{1,4}|[ivxl]{1,6})\s*[-–—]?(?:\s*(?:of|/|von|de)\s*\d{1,4})?",
    re.IGNORECASE,
)
NUMBER_OF = r"(?:page|seite|p\.)\s*\d{1,4}(?:\s*(?:of|/|von|de)\s*\d{1,4})?"
PAGE_OF = re.compile(rf"^{NUMBER_OF}(?!\S)|(?<!\S){NUMBER_OF}$")
END_NUMBER = re.compile(r"^\d{1,5}(?!\S)|(?<!\S)\d{1,5}$")
LEAST_PAGES = 3


def without_furniture(leaves: Sequence[Leaf]) -> list[Leaf]:
    """The pages without furniture. A running header stays where it first occurs; page numbers go."""
    edges = [_edge_lines(leaf) for leaf in leaves]
    counts = Counter(key for lines in edges for key in {key for key, _ in lines})
    needed = max(LEAST_PAGES, 0.3 * len(leaves)) if len(leaves) > LEAST_PAGES else LEAST_PAGES
    seen: set[str] = set()
    cleaned = []
    for leaf, lines in zip(leaves, edges, strict=True):
        dropped: set[int] = set()
        for key, line in lines:
            if _is_page_number(line) or (counts[key] >= needed and key in seen):
                dropped.update(map(id, line))
            elif counts[key] >= needed:
                seen.add(key)
                dropped.update(id(word) for word in _page_number_words(line))
        dropped.update(id(word) for word in leaf.words if word.turned and _is_turned_number(word, leaf))
        cleaned.append(replace(leaf, words=tuple(word for word in leaf.words if id(word) not in dropped)))
    return cleaned


def _edge_lines(leaf: Leaf) -> list[tuple[str, list[Word]]]:
    """Lines at the upper and lower edge, and the outermost ones wherever they stand, with their keys."""
    upper, lower = EDGE * leaf.height, (1 - EDGE) * leaf.height
    lines = lines_of_words(word for word in leaf.words if not word.turned)
    found = []
    for i, line in enumerate(lines):
        above, below = line[0].bottom < upper, line[0].top > lower
        if above or below or i in (0, len(lines) - 1):
            found += [(f"{above}|{shape}", line) for shape in _shapes(line, leaf.number)]
    return found


def _shapes(line: Sequence[Word], page: int) -> set[str]:
    """What may be equal from page to page: the text as it stands, or but for the page's number at an end.

    Other numbers count, lest the rows of a long table pass for a running header.
    """
    text = PAGE_OF.sub("", " ".join(word.text for word in line).lower()).strip()
    return {text, END_NUMBER.sub(lambda number: f"page{int(number[0]) - page:+}", text)}


def _is_page_number(line: Sequence[Word]) -> bool:
    """Whether a line is a page number alone; its digits may be set apart."""
    return any(PAGE_NUMBER.fullmatch(blank.join(word.text for word in line)) for blank in (" ", ""))


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
    inside = (
        EDGE * leaf.width < x < (1 - EDGE) * leaf.width and EDGE * leaf.height < y < (1 - EDGE) * leaf.height
    )
    return word.text.isdecimal() and not inside
