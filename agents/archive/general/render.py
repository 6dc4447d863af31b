"""How a passage that comes closest is told: the sentence, or the one cell with what names it."""

import re
from collections.abc import Iterator

from agents.archive.general.candidates import PAIR
from agents.text.quantities import parse_quantities
from agents.text.rows import NAMING, label_places, row_in_words
from retrieval.values import Passage, PassageKind, TableRow

MOST_WORDS = 60
CAPTION_WORDS = 12
MARKS = re.compile(r"(?<!\\)(?:\*\*|__|`)|^[-*•]\s+|^#+\s+")
WITHOUT_VALUE = re.compile(r"(?<=;)[^;:]{1,20}:\s*;")
"""A label of a caption behind which nothing stands: "Study: 7; Code:; Species: rat"."""
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
    caption = WITHOUT_VALUE.sub("", clean(row.caption))
    return ", ".join(filter(None, (cut(line), cut(caption, CAPTION_WORDS))))


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
    """The labels of a row: a number, and what names the row by its head ("Animal No. 7"), with the head."""
    for place in label_places(row):
        label, head = clean(row.cells[place]), spelled(row.header[place])
        if place != column:
            named = (label[:1].isdigit() or NAMING.fullmatch(head)) and not label.startswith(head)
            yield f"{head} {label}".strip() if named else label


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
    return " ".join(MARKS.sub("", text).split())


def cut(text: str, most: int = MOST_WORDS) -> str:
    """At most so many words."""
    words = text.split(" ")
    return text if len(words) <= most else f"{' '.join(words[:most])} …"
