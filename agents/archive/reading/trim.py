"""Cuts a long text to the part of it that a question is about, where not all of it can be shown."""

from collections.abc import Sequence

from agents.trust.lexical import content_words
from retrieval.captions import CAPTION
from retrieval.markdown import cells
from retrieval.text.sentences import split_sentences

CUT = "[…]"
LONG_LINE = 150
"""Characters of a line that is cut at its sentences; a shorter one, such as a caption, stays whole."""


def trimmed(text: str, question: str, most: int) -> str:
    """The lines of a text around those that share most words with a question, at most so many characters.

    The first line stays, for it is often a heading; so do caption, heads and last sub-head of a table of
    which rows are shown, and never those of another one. What is left out is marked.
    """
    if len(text) <= most:
        return text
    lines = [
        part
        for line in text.splitlines()
        for part in (split_sentences(line) if len(line) > LONG_LINE else [line])
    ]
    words = content_words(question)
    shared = [len(words & content_words(line)) for line in lines]
    room = most - len(lines[0]) - 2 * len(CUT) - 3
    above = _heads(lines, _window(lines, shared, room)[0])
    first, last = _window(lines, shared, room - sum(len(lines[place]) + len(CUT) + 2 for place in above))
    opening = () if lines[0].startswith("|") or CAPTION.match(lines[0]) else (0,)
    places = sorted({*opening, *_heads(lines, first), *range(first, last + 1)})
    shown: list[str] = []
    for before, place in zip((-1, *places), places, strict=False):
        shown += [CUT, lines[place]] if place > before + 1 else [lines[place]]
    return "\n".join((*shown, CUT) if last + 1 < len(lines) else shown)[: most + len(CUT)]


def _heads(lines: Sequence[str], row: int) -> list[int]:
    """The places of caption, heads and last sub-head of the table that a row stands in; none for other
    lines.
    """
    first = row
    while first > 0 and lines[row].startswith("|") and lines[first - 1].startswith("|"):
        first -= 1
    under = next((place for place in range(row - 1, first, -1) if _is_sub_head(lines[place])), first)
    return (
        [*range(max(0, first - 1), first), first, *([under] if under > first else [])] if first < row else []
    )


def _is_sub_head(line: str) -> bool:
    """Whether a row holds one text only, in its first cell or in all of them."""
    first, *others = cells(line) or ("",)
    return len(others) > 1 and bool(first) and (not any(others) or all(other == first for other in others))


def _window(lines: Sequence[str], shared: Sequence[int], room: int) -> tuple[int, int]:
    """First and last of the neighbouring lines that fit and share most words, the earliest of such."""
    best, score = (0, 0), -1
    for first in range(len(lines)):
        last, size, found = first, len(lines[first]), shared[first]
        while last + 1 < len(lines) and size + len(lines[last + 1]) < room:
            last += 1
            size += len(lines[last]) + 1
            found += shared[last]
        if found > score:
            best, score = (first, last), found
    return best


def fitted(texts: Sequence[str], question: str, room: int, whole: int, least: int) -> list[str]:
    """Texts, best first, in `room` characters: the first `whole` as they are, the others cut to a fair share.

    None of these is cut below `least` characters.
    """
    if sum(map(len, texts)) <= room:
        return list(texts)
    left = room - sum(map(len, texts[:whole]))
    rest = texts[whole:]
    shown: list[str] = []
    for place, text in enumerate(rest):
        share = max(least, left // (len(rest) - place))
        shown.append(trimmed(text, question, share))
        left -= len(shown[-1])
    return [*texts[:whole], *shown]
