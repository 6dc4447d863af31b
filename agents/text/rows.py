"""A row of a table: told in one line, and which of its cells name it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from retrieval.tables import LEVELS
from retrieval.values import TableRow

NAMING = re.compile(
    r"(?:(?:study|test|treatment|dose|cohort) )?(?:animal|subject|patient|participant|group|cohort|arm|sex|"
    r"gender|day|week|month|time(?: ?point)?|batch|lot|visit|sample|analyte|compound|species|route|"
    r"dam|litter|u?subjid|dose|level|regimen)(?: (?:no|nr|id|code|number|name)\b\.?)?(?:\s*\([^)]*\))?",
    re.I,
)
"""A head whose cells name their rows, wherever its column stands; "Animals" counts them."""
_JOINED = re.compile(r"(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])|_+")
_CLOCK = re.compile(r"(?<=\d )([01]\d|2[0-3])([0-5]\d)\Z")
"""A time of the day without its colon, behind another number."""
_CODED = re.compile(r"(.+?)_([mnuµ]?g(?:_\w+)?|h|hr|min)")
LONG_HEAD = 40
"""Characters from which on a head over several columns is told once."""


def render_heads(header: Sequence[str]) -> str:
    """The heads of a table as its row; a long one that stands over the next column too is told once."""
    told = []
    for before, head in pairwise(("", *header)):
        upper, _, own = head.rpartition(LEVELS)
        goes_on = len(upper) >= LONG_HEAD and before.startswith(f"{upper}{LEVELS}")
        told.append(f"…{LEVELS}{own}" if goes_on else head)
    return f"| {' | '.join(told)} |" if any(header) else ""


def row_in_words(header: Iterable[str], cells: Iterable[str]) -> str:
    """The cells that are filled, each behind its head: "Dose: 5 mg; Route: oral".

    A cell that ends with a colon is itself the label of the next: "Vehicle: 0.5 % methylcellulose".
    """
    told = ""
    for head, cell in zip(header, cells, strict=False):
        if cell:
            between = "" if not told else " " if told.endswith(":") else "; "
            told += f"{between}{head.rstrip(': ')}: {cell}" if head else f"{between}{cell}"
    return told


def plain_head(head: str) -> str:
    """The name of a column in words, where it joins words and numbers with "_" as data files do: "day28_1000"
    is day 28, 10:00.
    """
    if "_" not in head or " " in head:
        return head
    return _CLOCK.sub(r"\1:\2", _JOINED.sub(" ", head).strip())


def spelled(head: str) -> str:
    """A head of a data file as a report writes it: "dose_mg_per_kg" is "dose (mg/kg)"."""
    if found := _CODED.fullmatch(head):
        return f"{plain_head(found[1])} ({re.sub('_(?:per_)?', '/', found[2])})"
    return plain_head(head)


def labels_of(row: TableRow) -> tuple[tuple[str, str], ...]:
    """What names a row, each with its head in words: ("Dose (mg/kg)", "50"), ("Sex", "M")."""
    return tuple((spelled(row.header[place]), row.cells[place]) for place in label_places(row))


def under(row: TableRow, head: re.Pattern[str]) -> Iterator[str]:
    """The cells of a row, white space around them left out, under heads that match a pattern as a whole."""
    cells = zip(row.header, row.cells, strict=True)
    return (cell.strip() for title, cell in cells if head.fullmatch(title.strip()))


def label_places(row: TableRow) -> tuple[int, ...]:
    """Which cells name a row: the first, those behind it that hold no number, those under a naming head."""
    first = next(
        (i for i, cell in enumerate(row.cells) if i and (not cell or any(map(str.isdigit, cell)))), None
    )
    naming = (
        i
        for i, head in enumerate(row.header)
        if NAMING.fullmatch(spelled(head.rpartition(LEVELS)[2].strip()))
    )
    places = {*range(len(row.cells))[:first], *naming}
    return tuple(i for i in sorted(places) if i < len(row.cells) and row.cells[i])
