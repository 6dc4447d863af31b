"""A section as it is read: no mark more than it takes, and no sentence twice.

A report keeps every citation of every fact. Whoever reads it needs the best two: further ones, and the same
marks again along a row, only hide the text. What no mark stands for any more is counted, not shown. A quote
that the text itself gives is not given once more below it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from agents.evidence.values import Citation
from agents.reports.marked import TYPED
from agents.reports.origins import with_origins
from agents.reports.quoted_table import cell_told
from agents.reports.values import (
    Block,
    Cell,
    Figure,
    Paragraph,
    Points,
    Prose,
    Section,
    Statement,
    Table,
    cited_by,
)
from retrieval.markdown import Span, is_delimiter

MOST_MARKS = 2
"""Citations shown on one statement or cell."""
MARKS_OF_MANY = 6
"""The same in a report of several sections, where a cell tells of several findings."""
LEFT_OUT = re.compile(r"(?<!\\)\|| … ")
"""Between what is quoted: the border of a cell, or words that are left out."""
WORD = re.compile(r"\w+")
MARKS = re.compile(r"((?:\[\d{1,3}\]){2})(?:\[\d{1,3}\])+")
"""More marks in a row than are shown, in a note."""


@dataclass(frozen=True, slots=True)
class Brief:
    """A section's blocks with few marks, and the citations that these stand for.

    `told` are numbers of citations whose quote the text gives word for word, of a table's a row at least, or
    that only name their document; `folded` those of which the text tells a part. `left` counts further
    citations, `titled` are those whose title a table gives, as one of studies does. `notes` are those of the
    report, with as few marks. `cells` are the offsets of the cells that the text tells of quoted tables.
    """

    blocks: tuple[Block, ...]
    citations: tuple[Citation, ...]
    told: frozenset[int]
    left: int
    titled: frozenset[int] = frozenset()
    folded: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()
    cells: Mapping[int, Span] = field(default_factory=dict)


def brief(section: Section, notes: Sequence[str] = (), most: int = MOST_MARKS) -> Brief:
    """The section as it is read, with at most so many marks on a statement or cell. One whose text marks
    nothing shows all its citations.
    """
    blocks = tuple(with_origins(_block(block, most) for block in section.blocks))
    marked = {number for block in blocks for number in marks_of(block)}
    notes = tuple(MARKS.sub(r"\1", note) for note in notes)
    if marked:
        marked |= {int(number) for note in notes for number in TYPED.findall(note)}
    shown = tuple(one for one in section.citations if one.number in marked or not marked)
    texts = [(text, numbers) for block in section.blocks for text, numbers in _texts(block)]
    told = frozenset(
        one.number
        for one in shown
        if says(f"{one.doc_id} {one.title}", one.quote)
        or any(one.number in numbers and tells(text, one.quote) for text, numbers in texts)
    )
    titles = {" ".join(cell.text.split()) for table in section.tables for row in table.rows for cell in row}
    titled = frozenset(one.number for one in shown if " ".join(one.title.split()) in titles)
    folded = frozenset(
        number
        for block in section.blocks
        if isinstance(block, Points) and block.open_sources
        for number in marks_of(block)
    )
    lines = [line for block in section.blocks if not isinstance(block, Table) for line in _texts(block)]
    cells = {
        one.number: cell
        for one in shown
        if (cell := cell_told(one, [text for text, numbers in lines if one.number in numbers]))
    }
    return Brief(blocks, shown, told, len(section.citations) - len(shown), titled, folded, notes, cells)


def marks_of(block: Block) -> Iterator[int]:
    """The citation numbers of a block."""
    if isinstance(block, Paragraph) and block.cites:
        yield from map(int, TYPED.findall(block.text))
    yield from cited_by(block)


def says(text: str, quote: str) -> bool:
    """Whether a text gives a quote: its words in a row, or cells and parts of it one after the other."""
    told = _words(text)
    place = 0
    for cell in filter(None, map(_words, LEFT_OUT.split(quote))):
        found = f" {told} ".find(f" {cell} ", place)
        if found < 0:
            return False
        place = found + len(cell)
    return place > 0


def tells(text: str, quote: str) -> bool:
    """Whether a text gives a quote, or a row of the table that is quoted: the others open with the source."""
    lines = quote.splitlines()
    if says(text, quote) or not all(line.lstrip().startswith("|") for line in lines):
        return says(text, quote)
    below = 1 + next((i for i, line in enumerate(lines) if is_delimiter(line)), -1)
    return any(says(text, line) for line in lines[below:] if len(set(_words(line).split())) > 1)


def _words(text: str) -> str:
    return " ".join(WORD.findall(text.casefold()))


def _block(block: Block, most: int) -> Block:
    if isinstance(block, Prose | Points):
        return replace(block, statements=tuple(_few(one, most) for one in block.statements))
    if isinstance(block, Table):
        return replace(block, rows=tuple(_rows(block.rows, most)))
    return replace(block, citations=block.citations[:most]) if isinstance(block, Figure) else block


def _few(statement: Statement, most: int) -> Statement:
    return replace(statement, citations=statement.citations[:most])


def _rows(rows: Sequence[Sequence[Cell]], most: int) -> Iterator[tuple[Cell, ...]]:
    """A table's rows; where all that cite cite the same, the first of them marks it."""
    cited = [place for place, row in enumerate(rows) if any(cell.citations for cell in row)]
    same = len({tuple(cell.citations for cell in rows[place]) for place in cited}) == 1
    for place, row in enumerate(rows):
        bare = same and place > cited[0]
        yield tuple(replace(cell, citations=()) for cell in row) if bare else tuple(_row(row, most))


def _row(row: Iterable[Cell], most: int) -> Iterator[Cell]:
    """A row's cells; a citation is marked where it comes first."""
    before: set[int] = set()
    for cell in row:
        numbers = tuple(number for number in cell.citations[:most] if number not in before)
        before.update(cell.citations)
        yield replace(cell, citations=numbers)


def _texts(block: Block) -> Iterator[tuple[str, Sequence[int]]]:
    if isinstance(block, Prose | Points):
        yield from ((one.text, one.citations) for one in block.statements)
    elif isinstance(block, Paragraph) and block.cites:
        yield block.text, tuple(marks_of(block))
    elif isinstance(block, Table):
        for row in block.rows:
            numbers = [number for cell in row for number in cell.citations]
            yield " ".join(cell.text for cell in row), numbers
