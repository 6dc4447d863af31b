"""Rows of a region as headings, list items and paragraphs."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from retrieval.captions import CAPTION
from retrieval.parse.blocks import Block, Heading, Item, Paragraph
from retrieval.parse.layout.geometry import Row
from retrieval.parse.layout.headings import LABELLED, LARGER, Style
from retrieval.parse.layout.text import joined

BULLET = re.compile(r"[•▪●◦‣■□➢❖✓·o–-]\s+(?=\S)|[•▪●◦‣■□➢❖✓·](?=\S)")
NUMBER = re.compile(r"\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]\s+(?=\S)")
LEADER = re.compile(r"\s*(?:\.\s?){4,}\s*(?=[\divxl]*$)")
LONGEST_SENTENCE = 12
"""Words with which a line that ends with a full stop may still be a heading."""
SECTION = re.compile(r"\d{1,2}(?:\.\d{1,2})*\.?\s+[A-Z]")
"""The number and first letter of a section's heading."""
SENTENCE_END = re.compile(r"[.!?:;][\"'”’)\]]*$")


@dataclass(frozen=True, slots=True)
class TextLine:
    """One row of prose as text, with its place and look."""

    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    size: float
    bold: bool

    @classmethod
    def of(cls, row: Row) -> "TextLine":
        """The row's runs as one line."""
        text = " ".join(run.text for run in row.runs)
        letters = [run for run in row.runs if any(map(str.isalpha, run.text))]
        bold = bool(letters) and all(run.bold for run in letters)
        return cls(text, row.runs[0].x0, row.runs[-1].x1, row.top, row.bottom, row.size, bold)


def prose(
    rows: Sequence[Row], style: Style, outline: Sequence[tuple[int, str]]
) -> Iterator[tuple[float, Block]]:
    """(height, block) of each heading, item and paragraph."""
    lines = [TextLine.of(row) for row in rows]
    right = max((line.x1 for line in lines), default=0.0)
    group: list[TextLine] = []
    for line in lines:
        if group and _breaks(group, line, right, style, outline):
            yield group[0].top, _block(group, style, outline)
            group = []
        group.append(line)
    if group:
        yield group[0].top, _block(group, style, outline)


def _breaks(
    group: Sequence[TextLine], line: TextLine, right: float, style: Style, outline: Sequence[tuple[int, str]]
) -> bool:
    """Whether a line begins a new block under the lines of `group`."""
    last = group[-1]
    if line.top - last.bottom > 0.75 * max(line.size, last.size) or line.top < last.top:
        return True
    if abs(line.size - last.size) > 0.12 * last.size:
        return True
    if _goes_on(group, line, right, style):
        return False
    if bool(style.level(line, outline)) != bool(style.level(last, outline)):
        return True
    if style.level(line, outline):
        return style.is_numbered(line.text) or last.x1 < 0.6 * right or line.bold != last.bold
    labels = LABELLED.match(line.text) and LABELLED.match(group[0].text)
    if labels or starts_item(line.text) or CAPTION.match(line.text) or LEADER.search(last.text):
        return True
    return _ended(group, line, right)


def _goes_on(group: Sequence[TextLine], line: TextLine, right: float, style: Style) -> bool:
    """Whether a line goes on with the sentence of the line above, whatever it looks like: a heading over
    several lines, a paragraph with words in bold, a number or "Table 2" at the beginning of a line.

    It begins in lower case, or the line above is full and ends within a sentence.
    """
    last, text = group[-1], line.text
    if SENTENCE_END.search(last.text) or LEADER.search(last.text) or BULLET.match(text):
        return False
    if text[0].islower():
        return not NUMBER.match(text)
    within = last.text[-1] in "," or (last.text[-1].islower() and last.x1 > 0.93 * right)
    heading = last.bold or last.size > LARGER * style.body
    if heading or not within or starts_item(group[0].text) or SECTION.match(text):
        return False
    return CAPTION.match(text) is not None or NUMBER.match(text) is not None or line.bold != last.bold


def _ended(group: Sequence[TextLine], line: TextLine, right: float) -> bool:
    """Whether the paragraph ended with the line above: short, or closed and followed by an indent."""
    last = group[-1]
    first_word = line.text.split(maxsplit=1)[0]
    room = right - last.x1 > (len(first_word) + 2) * 0.55 * last.size
    short = right - last.x1 > 0.25 * (right - min(group[0].x0, line.x0)) or bool(
        LABELLED.match(group[0].text)
    )
    new_start = not line.text[0].islower() and (short or bool(SENTENCE_END.search(last.text)))
    indented = line.x0 - last.x0 > 0.8 * line.size and not starts_item(group[0].text) and len(group) > 1
    return (room and new_start) or (indented and bool(SENTENCE_END.search(last.text)))


def starts_item(text: str) -> bool:
    """Whether a line begins with a list mark."""
    return bool(BULLET.match(text) or NUMBER.match(text))


def _block(lines: Sequence[TextLine], style: Style, outline: Sequence[tuple[int, str]]) -> Block:
    text = joined([line.text for line in lines], style.vocabulary)
    if LEADER.search(text):
        return Item(LEADER.sub(" ", text))
    level = style.level(lines[0], outline)
    if level and _is_heading(lines, text):
        return Heading(level, text)
    if bullet := BULLET.match(text):
        return Item(text[bullet.end() :], style.depth(lines[0].x0))
    if number := NUMBER.match(text):
        return Item(text[number.end() :], style.depth(lines[0].x0), number[0].strip())
    return Paragraph(text)


def _is_heading(lines: Sequence[TextLine], text: str) -> bool:
    """Whether lines that begin like a heading are one: all in one weight, and no long sentence."""
    sentence = text.endswith(".") and len(text.split()) > LONGEST_SENTENCE
    return len(text) < 250 and not sentence and all(line.bold == lines[0].bold for line in lines)


def words_of(lines: Collection[str]) -> set[str]:
    """Every word of the lines in lower case, also hyphenated ones: what `joined` looks broken words up in."""
    return {word.lower() for line in lines for word in re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", line)}
