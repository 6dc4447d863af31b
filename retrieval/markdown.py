"""The blocks of canonical Markdown: headings, paragraphs, list items and pipe tables, with exact offsets.

Only what parsers write is read here (DiscoVerse, Appendix A.1), not all of CommonMark; text that fits no rule
is a paragraph, so that nothing is lost. markdown-it-py finds the same blocks in what parsers write, but it
gives lines and no offsets, and makes code of an indented line and text of a bullet `•` or a table without a
line of dashes: passages of stored texts would change, and few of these rules would go.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(?=\S)")
BULLET = re.compile(r"[ \t]*(?:[-*+•◦▪●‣]|\\-)[ \t]+(?=\S)")
NUMBERED = re.compile(r"[ \t]*(?:\(?(\d{1,3}|[a-z])[.)])[ \t]+(?=\S)")
QUOTE = re.compile(r" {0,3}(?:>[ \t]?)+")
MARKUP = re.compile(r"[ \t]*+(?:(?:[-*_=][ \t]*+){3,}|```[^`]*|~~~.*|<!--.*-->)?[ \t]*")
DELIMITER = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
CELL_BORDER = re.compile(r"(?<!\\)(?:\\\\)*\|")

_ITEM = r"(?:\*\*|__)?(?i:(?:agenda )?item |topic )?"
HEAD_LINE = re.compile(
    rf"(?:\A|(?<=\n)[ \t]*\n) {{0,3}}(?P<line>{_ITEM}(?P<number>\d{{1,2}})[.):][ \t]+"
    r"[^\W\d_a-z][^\n|]{1,70}?(?<![\s.;:,|])(?:\*\*|__)?)[ \t]*\n(?:[ \t]*\n)?"
    rf"(?=[ \t]*(?!{_ITEM}\(?\d{{1,2}}[.):](?!\d))(?:[^\Wa-z_]|[-*•(|]))"
)
"""A short numbered line below a blank one, with a text below it that begins anew: "2. Toxicology"."""
NUMBERED_LEVEL = 7
"""The level of such a heading: below all that are marked."""

Span = tuple[int, int]


class BlockKind(StrEnum):
    """What a run of lines is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Block:
    """A run of lines. `lines` are offsets of their contents, marks such as `#` or `-` left out.

    `level` is 1 to 6 for marked headings, 7 for numbered lines that head their text, 0 for everything else.
    """

    kind: BlockKind
    lines: tuple[Span, ...]
    level: int = 0

    @property
    def start(self) -> int:
        """Offset of the first character."""
        return self.lines[0][0]

    @property
    def end(self) -> int:
        """Offset after the last character."""
        return self.lines[-1][1]


def lines(text: str) -> Iterator[Span]:
    """Offsets of each line without its line break."""
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, start + len(line.rstrip("\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029"))
        start += len(line)


def blocks(text: str) -> Iterator[Block]:
    """The blocks of `text` in order. Rules, fences, comments and blank lines only separate."""
    open_block: Block | None = None
    own: list[Span] = []
    numbered = _numbered_heads(text)
    for span in lines(text):
        block = numbered.get(span[0]) or _block(text, span, open_block)
        if block is not None and open_block is not None and _continues(block, open_block):
            own += block.lines
            continue
        if open_block is not None:
            yield replace(open_block, lines=tuple(own))
        open_block, own = block, list(block.lines if block else ())
    if open_block is not None:
        yield replace(open_block, lines=tuple(own))


def _numbered_heads(text: str) -> dict[int, Block]:
    """The lines "1. …", "2. …" that head the parts of minutes or a memo, by where they begin, each above a
    text of its own. One alone, or one out of turn, is an item of a list.
    """
    heads: dict[int, Block] = {}
    run: dict[int, Block] = {}
    for found in HEAD_LINE.finditer(text):
        if int(found["number"]) != len(run) + 1:
            run = {}
        if int(found["number"]) == len(run) + 1:
            line = text.rfind("\n", 0, found.start("line")) + 1
            run[line] = Block(BlockKind.HEADING, (found.span("line"),), NUMBERED_LEVEL)
            heads.update(run if len(run) > 1 else {})
    return heads


def _block(text: str, span: Span, above: Block | None) -> Block | None:
    """The block that a line would open, None for a line without content."""
    start, end = span
    if MARKUP.fullmatch(text, start, end):
        return None
    if heading := HEADING.match(text, start, end):
        level = len(heading[1])
        return Block(BlockKind.HEADING, (trim(text, heading.end(), end, "# \t"),), level)
    if text[start:end].lstrip().startswith("|"):
        return Block(BlockKind.TABLE, (trim(text, start, end),))
    if mark := _item_mark(text, span, above):
        return Block(BlockKind.ITEM, (trim(text, mark.end(), end),))
    quote = QUOTE.match(text, start, end)
    return Block(BlockKind.PARAGRAPH, (trim(text, quote.end() if quote else start, end),))


def _item_mark(text: str, span: Span, above: Block | None) -> re.Match[str] | None:
    """A list mark; within a paragraph a number is one only if it is 1, as prose may wrap before any other."""
    if bullet := BULLET.match(text, *span):
        return bullet
    number = NUMBERED.match(text, *span)
    if number and above is not None and above.kind is BlockKind.PARAGRAPH and number[1] not in ("1", "a"):
        return None
    return number


def _continues(block: Block, above: Block) -> bool:
    """Whether a line belongs to the block above it."""
    if block.kind is BlockKind.TABLE:
        return above.kind is BlockKind.TABLE
    return block.kind is BlockKind.PARAGRAPH and above.kind in (BlockKind.PARAGRAPH, BlockKind.ITEM)


def trim(text: str, start: int, end: int, tail: str = "") -> Span:
    """The span without white space around it, nor characters of `tail` behind it."""
    content = text[start:end]
    kept = content.rstrip(tail).rstrip() if tail else content.rstrip()
    kept = kept or content.strip()
    first = start + len(content) - len(content.lstrip())
    return first, max(first, start + len(kept))


def cells(row: str) -> tuple[str, ...]:
    r"""The cells of a table row; `\|` within a cell is a bar."""
    return tuple(row[start:end].replace("\\|", "|") for start, end in cell_spans(row, 0, len(row)))


def cell_spans(text: str, start: int, end: int) -> tuple[Span, ...]:
    """Offsets of the cells of a table row between two offsets, without the white space around them."""
    first, last = trim(text, start, end)
    first += text.startswith("|", first, last)
    spans = []
    for border in CELL_BORDER.finditer(text, first, last):
        spans.append(trim(text, first, border.end() - 1))
        first = border.end()
    return (*spans, *([trim(text, first, last)] if text[first:last].strip() else []))


def is_delimiter(row: str) -> bool:
    """Whether a table row is the line of dashes under the header."""
    return DELIMITER.fullmatch(row) is not None
