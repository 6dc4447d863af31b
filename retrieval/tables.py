"""What a reader sees beside a row of a table: all rows of its heads, the sub-heads above it ("Males",
"Week 4"), its caption above or below, and the notes under the table.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from retrieval.captions import LONGEST, UNIT, is_caption
from retrieval.markdown import Block, BlockKind, cells, is_delimiter
from retrieval.values import TableRow

MARKS = re.compile(r"[*†‡§¶#+\s\\ᵃ-ᶻ]*")
"""A cell that holds nothing but the signs of notes."""
VALUE = re.compile(
    r"[<>≤≥~±+\-−–]?\s*\d[\d.,\s]*(?:[±(/–-][\d.,\s±()–-]*)?%?\s*[*†‡§¶#]*|[-–—]|n\.?[adr]\.?|nd", re.I
)
LONGEST_LABEL = 120
"""Characters of a sub-head at most; a longer row of one cell is a note."""
BESIDE_BRACKET = re.compile(r"\s*[(\[]")
LEVELS = " / "
EMPHASIS = re.compile(r"^\s*(\*\*|__|\*|_)(.+)\1\s*$")
LISTING = re.compile(r"(?:appendix|annex|listing|attachment)\b", re.I)
LABELS = re.compile(r"[A-Z][\w .,/()-]{0,30}:\s")
SENTENCE = re.compile(r"[.!?][\"'”’)\]*_]*$")
NOTE = re.compile(
    r"\s*(?:\\?[*†‡§¶#]|[⁰-⁹¹²³ᵃ-ᶻ]|[-–—]\s*[:=]|\(?[a-z]\)|[a-z]\s*[:=]\s|"
    r"(?i:notes?|values?|data|results|units?|concentrations|abbreviations?|legend|key|footnotes?|"
    r"significan\w+|means?|n)\b(?=[^.]{0,40}(?::|=|\b(?:are|is|in|given|expressed|from|as)\b))|"
    r"[A-Z][A-Z0-9/%.-]{1,12}\s*[,:=]\s)"
)
"""What begins a note under a table: a sign, a letter, a word such as "Values", an abbreviation."""
MOST_NOTES, LONGEST_NOTES = 4, 600
"""Paragraphs under a table that can be its notes, and characters of all of them."""


@dataclass(frozen=True, slots=True)
class ReadLine:
    """One line of a table as a row; `head` for its first line, where it has column names."""

    line: int
    row: TableRow
    head: bool = False


def read_table(texts: Sequence[str], caption: str, notes: str) -> Iterator[ReadLine]:
    """The rows of a pipe table, lines of dashes left out.

    A second row of heads ("(ng/mL)", "n = 6") is a row of its own, and a part of the heads of those below it.
    """
    named = len(texts) > 1 and is_delimiter(texts[1]) and not is_delimiter(texts[0])
    lines = [(i, cells(text)) for i, text in enumerate(texts) if not is_delimiter(text)]
    body = lines[1:] if named else lines
    header = lines[0][1] if named else ()
    if named:
        yield ReadLine(lines[0][0], replace(table_row(caption, header, header), notes=notes), head=True)
    depth = further_heads(header, [row for _, row in body]) if named else 0
    for i, row in body[:depth]:
        yield ReadLine(i, replace(table_row(caption, header, row), notes=notes))
        header = joined_heads(header, row)
    rows = [row for _, row in body[depth:]]
    for (i, row), group in zip(body[depth:], groups(rows), strict=True):
        yield ReadLine(i, replace(table_row(caption, header, row), notes=notes, group=group))


def table_row(caption: str, header: tuple[str, ...], row: tuple[str, ...]) -> TableRow:
    """A row beside its header, both filled with empty cells to the same length."""
    width = max(len(header), len(row))
    pad = ("",) * width
    return TableRow(caption, (*header, *pad)[:width], (*row, *pad)[:width])


def further_heads(header: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """How many of the first rows, at most two, go on with the heads: units, or names under an empty label."""
    count = 0
    while count < min(2, len(rows) - 1) and _is_head(header, rows[count], rows[count + 1 :]):
        count += 1
    return count


def _is_head(header: Sequence[str], row: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    filled = [cell for cell in row if cell]
    if not filled or len(row) < 2:
        return False
    if all(UNIT.fullmatch(cell) for cell in filled):
        return True
    labelled = sum(bool(other and other[0]) for other in below)
    goes_down = row[0] in ("", *header[:1])  # the first head is merged with the cell below it
    if not goes_down or labelled < 0.8 * len(below) or _shares(header) == 0:
        return all(re.fullmatch(r"[(\[].*[)\]]", cell) for cell in filled) and not row[0]
    heads = (cell for i, cell in enumerate(row) if cell and not _shared(header, i))
    return not any(map(VALUE.fullmatch, heads))


def _shares(header: Sequence[str]) -> int:
    """How many columns share a head with their neighbour: a name over several columns."""
    return sum(_shared(header, i) for i in range(1, len(header)))


def _shared(header: Sequence[str], i: int) -> bool:
    """Whether a column's head stands over its neighbour too: it is written again, or left out there."""
    names = (*header, *("",) * (i + 2 - len(header)))
    if not names[i]:
        return i > 1
    return i > 0 and (names[i + 1] in ("", names[i]) or names[i - 1] == names[i])


def joined_heads(header: Sequence[str], row: Sequence[str]) -> tuple[str, ...]:
    """Heads with those of the row below them; a head over several columns stands for each of these."""
    width = max(len(header), len(row))
    upper, lower = ((*names, *("",) * (width - len(names))) for names in (header, row))
    made: list[str] = []
    over = ""
    for i, (name, more) in enumerate(zip(upper, lower, strict=True)):
        over = name or (over if i > 1 else "")
        first = over if more else name
        between = " " if BESIDE_BRACKET.match(more) else LEVELS
        made.append(between.join(dict.fromkeys(filter(None, (first, more)))))
    return tuple(made)


def groups(rows: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """The sub-heads above each row, the outer one first; a sub-head itself has those above it.

    Sub-heads that follow each other stand in each other; after other rows a single one takes the place of
    the innermost, two take that of all. A row that leaves the name of the row above unsaid stands below it.
    """
    found: list[tuple[str, ...]] = []
    above: tuple[str, ...] = ()
    name: tuple[str, ...] = ()
    under = False
    for i, row in enumerate(rows):
        if not is_group(row, rows[i + 1] if i + 1 < len(rows) else ()):
            if not (below := goes_on(row)):
                whole = goes_on(("", *row[1:])) and len(row[0]) <= LONGEST_LABEL
                name = (plain_cell(row[0]),) if whole else ()
            found.append((*above, *name) if below else above)
            under = False
            continue
        name = ()
        pair = (
            i + 1 < len(rows)
            and not under
            and is_group(rows[i + 1], rows[i + 2] if i + 2 < len(rows) else ())
        )
        kept = above if under else () if pair else above[:-1]
        found.append(kept)
        above, under = (*kept, plain_cell(row[0])), True
    return found


def is_group(row: Sequence[str], below: Sequence[str]) -> bool:
    """Whether a row is a sub-head: one text in its first cell, or in all cells, above another row."""
    label = plain_cell(row[0]) if row else ""
    if len(row) < 2 or not below or not any(map(str.isalpha, label)) or len(label) > LONGEST_LABEL:
        return False
    same = all(cell == row[0] for cell in row)
    alone = len(row) > 2 and all(MARKS.fullmatch(cell) for cell in row[1:])
    return (same or alone) and not MARKS.match(label)[0].strip()  # type: ignore[index]


def goes_on(row: Sequence[str]) -> bool:
    """Whether a row has no name of its own and a part of one: "F" under "ALT | M". A total has neither."""
    return len(row) > 2 and not plain_cell(row[0]) and any(map(str.isalpha, row[1])) and any(row[2:])


def plain_cell(text: str) -> str:
    """A cell without emphasis."""
    return EMPHASIS.sub(r"\2", text).strip()


def caption_above(text: str, above: Block | None, before: Block | None, heading: str) -> str:
    """The caption above a table: the paragraph that names it, announces it with a colon, or stands there as
    a title; else the heading.

    `above` is the block above the table and `before` the one above that.
    """
    if above is None or above.kind is not BlockKind.PARAGRAPH:
        return heading
    paragraph = text[above.start : above.end]
    if is_caption(paragraph):
        return paragraph
    last = text[slice(*above.lines[-1])]
    if is_caption(last) or last.rstrip("*_ ").endswith(":"):
        return last
    if len(paragraph) > LONGEST or SENTENCE.search(paragraph):
        return heading
    if before is not None and before.kind is BlockKind.PARAGRAPH:
        whole = f"{text[before.start : before.end]} {paragraph}"
        if is_caption(whole) and UNIT.fullmatch(paragraph.strip()):
            return whole
    labels = LABELS.match(paragraph) or UNIT.fullmatch(paragraph.strip())
    return f"{heading} {paragraph}" if heading and (labels or LISTING.match(heading)) else paragraph


def caption_below(text: str, below: Sequence[Block]) -> str:
    """The caption directly below a table, if it is not that of a table which follows it."""
    if not below or below[0].kind is not BlockKind.PARAGRAPH:
        return ""
    paragraph = text[below[0].start : below[0].end]
    next_is_table = len(below) > 1 and below[1].kind is BlockKind.TABLE
    return paragraph if is_caption(paragraph) and not next_is_table else ""


def notes_below(text: str, below: Sequence[Block]) -> str:
    """The notes directly below a table: what its signs, letters and abbreviations mean."""
    found: list[str] = []
    for block, following in zip(below[:MOST_NOTES], [*below[1:], None][:MOST_NOTES], strict=False):
        paragraph = text[block.start : block.end]
        if block.kind not in (BlockKind.PARAGRAPH, BlockKind.ITEM) or is_caption(paragraph):
            break
        over_table = following is not None and following.kind is BlockKind.TABLE
        marked = text[text.rfind("\n", 0, block.start) + 1 : block.end]  # "* P<0.05" is read as an item
        if not NOTE.match(marked) or over_table:
            break
        found.append(" ".join(marked.split()))
    return " ".join(found)[:LONGEST_NOTES]
