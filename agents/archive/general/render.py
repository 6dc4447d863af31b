"""How a passage that comes closest is told: the sentence, or the one cell with what names it; and its table,
whole or not at all.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from operator import itemgetter

from agents.archive.general.candidates import PAIR, labels_of
from agents.evidence.values import Citation
from agents.reports.values import Cell, Table
from agents.text.quantities import parse_quantities
from retrieval.markdown import cells, is_delimiter
from retrieval.values import Passage, PassageKind, TableRow

MOST_WORDS = 60
CAPTION_WORDS = 12
SHARED = 3
"""Columns from which what their heads have in common is told once, above the table."""
MARKS = re.compile(r"(?<!\\)(?:\*\*|__|`)|^[-*•]\s+|^#+\s+")
IN_BRACKETS = re.compile(r"\(([^()]{1,20})\)\s*$")


def render_passage(passage: Passage, column: int | None = None) -> str:
    """A passage as a reader is shown it: a sentence word for word, of a row a cell with what names it."""
    row = passage.row
    if row is None:
        return cut(clean(passage.text))
    filled = [clean(cell) for cell in row.cells if cell]
    if len(filled) <= PAIR and (passage.kind is PassageKind.HEADING or not any(row.header)):
        return cut(pair(filled))
    if len(filled) <= PAIR:
        column = max(i for i, cell in enumerate(row.cells) if cell)
    line = render_cell(row, column) if column else render_row(row)
    return ", ".join(filter(None, (cut(line), cut(clean(row.caption), CAPTION_WORDS))))


def pair(filled: list[str]) -> str:
    """A label with its value: "Vehicle: 0.5 % methylcellulose"."""
    label, *value = filled
    return f"{label.rstrip(' :：')}: {' '.join(value)}" if value else label


def render_cell(row: TableRow, column: int) -> str:
    """A cell with its unit, the labels of its row and the head of its column."""
    head = spelled(row.header[column])
    names = [name for name in (*named(row, column), *row.group, head) if name]
    return f"{with_unit(clean(row.cells[column]), head)} — {', '.join(dict.fromkeys(names))}"


def named(row: TableRow, column: int) -> Iterator[str]:
    """The labels of a row; one that is a number with its head."""
    for label in labels_of(row):
        if label != row.cells[column]:
            head = spelled(row.header[0]) if label[:1].isdigit() and label == row.cells[0] else ""
            yield f"{head} {clean(label)}".strip()


def render_row(row: TableRow) -> str:
    """A whole row, each cell behind its head."""
    pairs = zip(map(spelled, row.header), map(clean, row.cells), strict=False)
    return "; ".join(f"{head}: {cell}" if head and head != cell else cell for head, cell in pairs if cell)


def spelled(head: str) -> str:
    """The lines of a head as one: "Time (hours) / 4" as "Time (hours) 4"."""
    return clean(head.replace(" / ", " "))


def with_unit(cell: str, head: str) -> str:
    """A bare number with the unit that its head gives in brackets."""
    found = IN_BRACKETS.search(head)
    if found is None or not re.fullmatch(r"[<>≤≥~±]?\s*[\d.,]+", cell):
        return cell
    quantity = f"{cell} {found[1]}"
    return quantity if any(one.end == len(quantity) for one in parse_quantities(quantity)) else cell


def clean(text: str) -> str:
    """Without emphasis marks, list marks and line breaks, for display only."""
    return " ".join(MARKS.sub("", text).split())


def cut(text: str, most: int = MOST_WORDS) -> str:
    """At most so many words."""
    words = text.split(" ")
    return text if len(words) <= most else f"{' '.join(words[:most])} …"


def whole_table(cited: Citation) -> Table | None:
    """The table that a citation quotes from its heads to its last row; None where it quotes none, or a part.

    Every row cites it, as its values rest on it.
    """
    lines = cited.quote.splitlines()
    if len(lines) < 3 or not is_delimiter(lines[1]) or not all(one.lstrip().startswith("|") for one in lines):
        return None
    rows = [cells(line) for line in lines[2:]]
    columns = cited.header or cells(lines[0])
    if any(len(row) != len(columns) for row in rows):
        return None
    told = tuple((Cell(row[0], (cited.number,)), *map(Cell, row[1:])) for row in rows)
    title = cited.caption or " ".join(cited.section[-1:]) or cited.title
    shared, heads = shared_head(columns)
    return Table(", ".join(filter(None, (title, shared))), heads, told, folded=True)


def shared_head(heads: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """What most heads begin with ("Time (hours) / 1", "Time (hours) / 2", …), and the heads without it."""
    above = Counter(filter(None, (head.rpartition(" / ")[0] for head in heads)))
    shared, times = max(above.items(), key=itemgetter(1), default=("", 0))
    if times < SHARED:
        return "", tuple(heads)
    return shared, tuple(head.removeprefix(f"{shared} / ") for head in heads)
