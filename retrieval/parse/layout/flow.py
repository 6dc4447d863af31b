"""Pages of words and rules as one flow of blocks: reading order, tables, prose, joined across page breaks."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, zip_longest

from retrieval.captions import UNIT, is_caption
from retrieval.parse.blocks import (
    CONTINUED,
    Block,
    Heading,
    PageBreak,
    Paragraph,
    Rows,
    Table,
)
from retrieval.parse.layout.aligned import PROSE_GAP, aligned_tables, rule_zones, whole_lines
from retrieval.parse.layout.cells import is_number
from retrieval.parse.layout.columns import regions
from retrieval.parse.layout.furniture import without_furniture
from retrieval.parse.layout.geometry import Leaf, Placed, Row, Rule, Word, rows_of
from retrieval.parse.layout.headings import Style, style_of
from retrieval.parse.layout.prose import prose, words_of
from retrieval.parse.layout.ruled import ruled_tables
from retrieval.parse.spans import LEVELS

LISTING = re.compile(
    r"(?:appendix|annex|listing|attachment)\s+[A-Z]?\d?[\w.\-]*\b(?!.*\.$).{0,150}$", re.IGNORECASE
)
NOTE = re.compile(r"[A-Z][\w .,/()-]{0,30}:(?:\s|$)")

UNIT_REACH = 4
"""Heights of a line below a table within which its unit is looked for."""


def flow(leaves: Sequence[Leaf]) -> list[list[Block]]:
    """The blocks of each page, in reading order."""
    cleaned = without_furniture(leaves)
    vocabulary = words_of({word.text for leaf in cleaned for word in leaf.words})
    style = style_of(cleaned, vocabulary)
    pages = [_page_blocks(leaf, style) for leaf in cleaned]
    below = _captions_below(pages)
    return [_with_captions(page, below) for page in pages]


def _page_blocks(leaf: Leaf, style: Style) -> list[Block]:
    """The blocks of one page. Text that is not upright comes last."""
    tables, rest = ruled_tables(leaf.words, leaf.rules)
    upright = [word for word in rest if not word.turned]
    blocks: list[Block] = []
    free = [rule for rule in leaf.rules if not any(_within(rule, table) for table in tables)]
    for words, placed in regions(upright, tables, rule_zones(whole_lines(free), upright)):
        blocks += _region(words, placed, leaf, style)
    turned = [word.text for word in rest if word.turned]
    return [*blocks, *([Paragraph(" ".join(turned))] if turned else [])]


def _region(words: Sequence[Word], placed: Sequence[Placed], leaf: Leaf, style: Style) -> Iterator[Block]:
    free = [rule for rule in leaf.rules if not any(_within(rule, table) for table in placed)]
    found, rest = aligned_tables(words, free)
    tables = sorted((*placed, *found), key=lambda table: table.top)
    parts: list[tuple[float, Block]] = []
    for above, below in pairwise([None, *tables, None]):
        top = above.top if above else float("-inf")
        bottom = below.top if below else float("inf")
        rows: Sequence[Row] = rows_of([word for word in rest if top <= word.middle[1] < bottom], PROSE_GAP)
        if above is not None:
            unit, rows = _unit_below(above, rows)
            parts += [(above.top, block) for block in _with_unit(above.blocks, unit)]
        parts += prose(rows, style, leaf.outline)
    yield from (block for _, block in sorted(parts, key=lambda part: part[0]))


def _unit_below(table: Placed, rows: Sequence[Row]) -> tuple[str, Sequence[Row]]:
    """The unit at the right end of the line under a table, which holds for all of it; the other rows."""
    first = rows[0] if rows else None
    if first is None or not -first.size <= first.top - table.bottom < UNIT_REACH * first.size:
        return "", rows
    last = first.runs[-1]
    apart = len(first.runs) > 1 or last.x0 > (table.x0 + table.x1) / 2
    if not apart or not UNIT.fullmatch(last.text):
        return "", rows
    taken = set(map(id, last.words))
    left = tuple(word for word in first.words if id(word) not in taken)
    return last.text, [*([Row(first.runs[:-1], left)] if left else []), *rows[1:]]


def _with_unit(blocks: Sequence[Block], unit: str) -> Iterator[Block]:
    """A table and its notes, with the unit as the last of these."""
    *notes, table = blocks
    if unit and notes and isinstance(notes[-1], Paragraph):
        notes[-1] = Paragraph(f"{notes[-1].text}\n{unit}")
    elif unit:
        notes.append(Paragraph(unit))
    yield from (*notes, table)


def _within(rule: Rule, table: Placed) -> bool:
    return (
        table.top - 4 <= rule.top <= table.bottom + 4 and table.x0 - 4 <= rule.x0 and rule.x1 <= table.x1 + 4
    )


def _captions_below(pages: Iterable[Sequence[Block]]) -> bool:
    """Whether a document writes captions below its tables: more tables have one there than above."""
    above = below = 0
    for page in pages:
        for first, second in pairwise(page):
            above += _is_caption(first) and isinstance(second, Table)
            below += isinstance(first, Table) and _is_caption(second)
    return below > above


def _with_captions(blocks: Sequence[Block], below: bool) -> list[Block]:
    """The blocks with each caption directly over its table.

    A caption below its table is moved up; between two tables it is that of the second one, but where the
    document writes captions `below`. Notes between a caption and its table go with the caption, and the title
    of an appendix or listing over a table is its heading.
    """
    made: list[Block] = []
    for block, following in zip_longest(blocks, blocks[1:]):
        if isinstance(block, Table) and made:
            _title(made)
        under = bool(made) and isinstance(made[-1], Table) and _is_caption(block)
        named = len(made) > 1 and _is_caption(made[-2])
        if under and not named and (below or not isinstance(following, Table)):
            made.insert(-1, block)
        else:
            made.append(block)
    return made


def _title(above: list[Block]) -> None:
    """Bring what stands above a table into order."""
    note = above[-1]
    if len(above) > 1 and isinstance(note, Paragraph) and _is_note(note):
        caption = above[-2]
        if isinstance(caption, Paragraph) and _is_caption(caption):
            above[-2:] = [Paragraph(f"{caption.text}\n{note.text}")]
        elif isinstance(caption, Paragraph) and _is_listing(caption):
            above[-2] = Heading(3, caption.text)
    elif isinstance(note, Paragraph) and _is_listing(note):
        above[-1] = Heading(3, note.text)


def _is_note(block: Paragraph) -> bool:
    return NOTE.match(block.text) is not None or UNIT.fullmatch(block.text.strip()) is not None


def _is_listing(block: Paragraph) -> bool:
    return LISTING.match(block.text) is not None and not is_caption(block.text)


def _is_caption(block: Block) -> bool:
    return isinstance(block, Paragraph) and is_caption(block.text)


def across_pages(pages: Iterable[tuple[int, Sequence[Block]]]) -> Iterator[Block]:
    """The blocks of all pages with page breaks; a table that goes on over a break is one table."""
    table: Table | None = None
    for number, blocks in pages:
        yield PageBreak(number)
        rest = list(blocks)
        first = _first_table(rest)
        if table is not None and first is not None and (further := _further_rows(table, rest[first])):
            rest = [further, *rest[first + 1 :]]
        yield from rest
        if rest and not isinstance(rest[-1], Rows):
            table = rest[-1] if isinstance(rest[-1], Table) else None


def _first_table(blocks: Sequence[Block]) -> int | None:
    """Place of the table at the top of a page, under nothing but a caption that says it is continued."""
    top = blocks[0] if blocks else None
    continued = isinstance(top, Paragraph) and _is_caption(top) and CONTINUED.search(top.text) is not None
    place = 1 if continued else 0
    return place if place < len(blocks) and isinstance(blocks[place], Table) else None


def _further_rows(above: Table, table: Block) -> Rows | None:
    """The rows of the table at the top of a page, if it goes on with the one that ended the page before."""
    if not isinstance(table, Table) or len(table.header) != len(above.header):
        return None
    if table.header == above.header:
        return Rows(table.rows, len(above.header))
    aligned = bool(table.edges) and all(
        abs(a - b) < 6 for a, b in zip(above.edges, table.edges, strict=False)
    )
    data = any(map(is_number, table.header)) and not any(map(is_number, above.header))
    if not (aligned or data) or any(LEVELS in name for name in table.header):
        return None
    first = (table.header,) if any(table.header) else ()
    return Rows((*first, *table.rows), len(above.header))
