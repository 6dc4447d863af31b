"""Running headers, footers and page numbers: what stands at the edge of page after page."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from retrieval.parse.layout.geometry import Leaf, Word, lines_of_words

EDGE = 0.13
"""Share of the page's height, above and below, where furniture may stand."""
PAGE_NUMBER = re.compile(
    r"(?:(?:page|seite|p\.)\s*)?[-–—]?\s*(?:\d{1,4}|[ivxl]{1,6})\s*[-–—]?(?:\s*(?:of|/|von|de)\s*\d{1,4})?",
    re.IGNORECASE,
)
LEAST_PAGES = 3


def without_furniture(leaves: Sequence[Leaf]) -> list[Leaf]:
    """The pages without furniture. The words of a running header stay where they first occur; page numbers go."""
    edges = [_edge_lines(leaf) for leaf in leaves]
    counts = Counter(key for lines in edges for key in {key for key, _ in lines})
    needed = max(LEAST_PAGES, 0.3 * len(leaves)) if len(leaves) > LEAST_PAGES else LEAST_PAGES
    seen: set[str] = set()
    cleaned = []
    for leaf, lines in zip(leaves, edges, strict=True):
        dropped: set[int] = set()
        for key, line in lines:
            text = " ".join(word.text for word in line)
            if PAGE_NUMBER.fullmatch(text) or (counts[key] >= needed and key in seen):
                dropped.update(map(id, line))
            elif counts[key] >= needed:
                seen.add(key)
                dropped.update(id(word) for word in _page_number_words(line))
        cleaned.append(replace(leaf, words=tuple(word for word in leaf.words if id(word) not in dropped)))
    return cleaned


def _edge_lines(leaf: Leaf) -> list[tuple[str, list[Word]]]:
    """Lines at the upper and lower edge with a key that is equal from page to page: place and text without numbers."""
    upper, lower = EDGE * leaf.height, (1 - EDGE) * leaf.height
    words = [w for w in leaf.words if not w.turned and (w.bottom < upper or w.top > lower)]
    found = []
    for line in lines_of_words(words):
        text = re.sub(r"\d+", "#", " ".join(word.text for word in line)).lower()
        found.append((f"{line[0].bottom < upper}|{text}", line))
    return found


def _page_number_words(line: Sequence[Word]) -> list[Word]:
    """The words of a running header that say `Page 3 of 12`, at its end."""
    for start in range(max(len(line) - 4, 0), len(line)):
        text = " ".join(word.text for word in line[start:])
        if re.match(r"(?:page|seite)\b", text, re.IGNORECASE) and PAGE_NUMBER.fullmatch(text):
            return list(line[start:])
    return []
