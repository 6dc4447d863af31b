"""How a passage that comes closest is told: the sentence, or the one cell with what names it."""

import re
from collections.abc import Iterator, Sequence

from agents.archive.general.candidates import PAIR
from agents.text.quantities import parse_quantities
from agents.text.rows import NAMING, label_places, row_in_words
from retrieval.values import Passage, PassageKind, TableRow

MOST_WORDS = 60
CAPTION_WORDS = 20
MARKS = re.compile(r"(?<!\\)(\*\*|__|`)(?=\S)(.+?)(?<=\S)\1|^[-*•]\s+|^#+\s+")
"""Emphasis around words, and what begins a line; "96**" is a value with a sign of significance."""
WITHOUT_VALUE = re.compile(r"(?<=;)[^;:]{1,20}:\s*;")
"""A label of a caption behind which nothing stands: "Study: 7; Code:; Species: rat"."""
IN_BRACKETS = re.compile(r"\(([^()]{1,20})\)\s*$")


def render_passage(
    passage: Passage, column: int | None = None, beside: Sequence[tuple[TableRow, int]] = ()
) -> str:
    """A passage as a reader is shown it: a sentence word for word, of a row a cell with what names it, and
    `beside` it others of its table.
    """
    row = passage.row
    if row is None:
        return cut(clean(passage.text))
    filled = [clean(cell) for cell in row.cells if cell]
    if len(filled) <= PAIR and (passage.kind is PassageKind.HEADING or not any(row.header)):
        return cut(pair(filled))
    if len(filled) <= PAIR:
        column = max(i for i, cell in enumerate(row.cells) if cell)
    line = render_cells([(row, column), *beside]) if column else cut(render_row(row))
    caption = WITHOUT_VALUE.sub("", clean(row.caption))
    return ", ".join(filter(None, (line, cut(caption, CAPTION_WORDS))))


def pair(filled: list[str]) -> str:
    """A label with its value: "Vehicle: 0.5 % methylcellulose"."""
    label, *value = filled
    return f"{label.rstrip(' :：')}: {' '.join(value).lstrip(' :：')}" if value else label


def render_cells(cells: Sequence[tuple[TableRow, int]]) -> str:
    """Cells of a table with their units: of several each with what names it alone, then what names all."""
    every = [tuple(dict.fromkeys(filter(None, named(row, column)))) for row, column in cells]
    shared = [name for name in every[0] if all(name in names for names in every)]
    told = []
    for (row, column), names in zip(cells, every, strict=True):
        own = ", ".join(name for name in names if name not in shared)
        value = with_unit(clean(row.cells[column]), spelled(row.header[column]))
        told.append(f"{value} ({own})" if own else value)
    return f"{', '.join(told)} — {', '.join(shared)}"


def named(row: TableRow, column: int) -> Iterator[str]:
    """What names a cell: the labels of its row, sub-heads, its head.

    A number, and what names the row by its head ("Animal No. 7"), is told with the head.
    """
    for place in label_places(row):
        label, head = clean(row.cells[place]), spelled(row.header[place])
        if place != column:
            named = (label[:1].isdigit() or NAMING.fullmatch(head)) and not label.startswith(head)
            yield f"{head} {label}".strip() if named else label
    yield from (*row.group, spelled(row.header[column]))


def render_row(row: TableRow) -> str:
    """A whole row, each cell behind its head."""
    return row_in_words(map(spelled, row.header), map(clean, row.cells))


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
    return " ".join(MARKS.sub(r"\2", text).split())


def cut(text: str, most: int = MOST_WORDS) -> str:
    """At most so many words."""
    words = text.split(" ")
    return text if len(words) <= most else f"{' '.join(words[:most])} …"
