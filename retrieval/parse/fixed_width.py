"""Tables of plain text, whose cells are parted by blanks, tabs or bars, as pipe tables.

A line is laid out as one of print, a character six points wide, and read as the tables of pages are. What
does not stand in columns with a name each stays as it is written.
"""

import re
from collections.abc import Iterator, Sequence

from retrieval.captions import CAPTION, UNIT
from retrieval.markdown import cells, is_delimiter
from retrieval.parse.blocks import Table, write
from retrieval.parse.layout.cells import columns_of, is_number, number_share, placed_table
from retrieval.parse.layout.geometry import Row, Rule, TextRun, Word
from retrieval.parse.layout.header import Column
from retrieval.parse.spans import LEVELS

RUN = re.compile(r"\S+(?: \S+)*")
RULE = re.compile(r"[ \t]*[-=_–—]{3,}(?:[ \t+]+[-=_–—]{2,})*[ \t]*")
DASHES = re.compile(r"[-=_–—]+")
BARRED = re.compile(r"(?:^(?![ \t]*\|)[^|\n]{1,300}(?:\|[^|\n]{0,300})+(?:\n|\Z)){2,}", re.MULTILINE)
"""Lines with bars between their cells and none before the first."""
OTHER = re.compile(
    r"[ \t]*(?:>|#{1,6}\s|[-*•▪‣+]\s|```|~~~|\(?(?:\d{1,2}|[a-z]|[ivx]+)[.)]\s)|"
    r".*(?:\||\.{4}|(?:\. ){4}|: *$)"
)
"""A quoted line, a heading, an item of a list, a row of another kind, an entry of contents, a lead-in."""
LONGEST, LONGEST_LABEL = 300, 45
"""Characters of a line, and of the first cell of a row without a rule above: prose is no table."""
WIDTH, SIZE, PITCH = 6.0, 10.0, 14.0
"""Points of a character, of its font and of a line: where print of one width stands on a page."""


def with_tables(text: str) -> str:
    """A text with its tables as pipe tables."""
    lines = BARRED.sub(_in_bars, text).split("\n")
    made: list[str] = []
    at = 0
    for first, last in _stretches(lines):
        if table := _table(lines[first:last]):
            made += [*lines[at:first], write(table)]
            at = last
    return "\n".join((*made, *lines[at:]))


def _in_bars(lines: re.Match[str]) -> str:
    """Lines of equally many cells between bars as a pipe table; others as they are."""
    rows = [tuple(cells(line)) for line in lines[0].splitlines() if not is_delimiter(line)]
    same = len(set(map(len, rows))) == 1
    return f"{write(Table(rows[0], tuple(rows[1:])))}\n" if same else lines[0]


def _stretches(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The lines from a first one in columns to the last one before a blank line or one of another kind."""
    first = last = 0
    for place, line in enumerate((*lines, "")):
        ruled = RULE.fullmatch(line) is not None
        runs = RUN.findall(line.expandtabs()) if len(line) <= LONGEST else []
        ends = not runs or (not ruled and OTHER.match(line))
        if ends and last > first:
            yield first, last
        if ends or (first == place and (ruled or len(runs) < 2 or CAPTION.match(runs[0]))):
            first = last = place + 1
        elif len(runs) > 1 or ruled:
            last = place + 1


def _table(lines: Sequence[str]) -> Table | None:
    """The table of these lines; None where a row does not stand in the columns, or a column has no name."""
    rows: list[Row] = []
    rules: list[Rule] = []
    for line in lines:
        if RULE.fullmatch(line):
            rules += (_rule(dashes.start(), dashes.end(), len(rows)) for dashes in DASHES.finditer(line))
        else:
            rows.append(_row(line, len(rows) * PITCH))
    drawn = [rule for rule in rules if rule.top < rows[-1].top]
    left = min(row.runs[0].x0 for row in rows) + 2 * WIDTH
    below = (i for i, row in enumerate(rows) if i and row.runs[0].x0 <= left)
    depth = sum(row.top < drawn[0].top for row in rows) if drawn else next(below, 1)
    head, body = rows[depth - 1], [row for row in rows[depth:] if len(row.runs) > 1]
    columns = columns_of((head, *body))
    if len(body) < 2 or not (drawn or _differs(head, body, columns)) or not _in_columns(body, columns):
        return None
    drawn = drawn or [_rule(0, LONGEST, depth)]
    placed = placed_table(rows, drawn, drawn)
    table = placed.blocks[-1] if placed is not None else None
    if not isinstance(table, Table) or len(table.header) != len(columns):
        return None
    return table if _is_sound(table) else None


def _rule(start: int, end: int, above: int) -> Rule:
    """A line of dashes below so many rows."""
    top = above * PITCH - 2
    return Rule(start * WIDTH, top, end * WIDTH, top)


def _differs(head: Row, body: Sequence[Row], columns: Sequence[Column]) -> bool:
    """Whether a row of heads without a line below it has names, over numbers or beside codes."""
    names = [run.text for run in head.runs]
    labels = [row.runs[0].text for row in body]
    coded = all(any(map(str.isdigit, label)) for label in labels) and not any(map(str.isdigit, names[0]))
    named = not any(map(is_number, names[1:])) and max(map(len, labels)) <= LONGEST_LABEL
    return named and len(columns) > 2 and (coded or number_share(body) > 0.3)


def _in_columns(body: Sequence[Row], columns: Sequence[Column]) -> bool:
    """Whether each cell stands in a column of its own."""
    for row in body:
        over = [[one for one in columns if run.x0 < one.x1 and one.x0 < run.x1] for run in row.runs]
        if any(len(one) != 1 for one in over) or len({one[0] for one in over}) < len(over):
            return False
    return True


def _is_sound(table: Table) -> bool:
    """Whether each column has a name of its own (that of units needs none), on the level of its neighbours,
    and no row is shifted, so that words stand among numbers.
    """
    names, columns = table.header, [*zip(*table.rows, strict=True)][1:]
    if not all(names[1:-1]) or len(set(names)) < len(names):
        return False
    last = {name.rsplit(LEVELS)[-1] for name in names}
    if len(last) < len(names) and not all(LEVELS in name for name in names[1:]):
        return False
    shifted = any(any(map(is_number, one)) and any(cell[:5].isalpha() for cell in one) for one in columns)
    return not (shifted and any("" in row for row in table.rows))


def _row(line: str, top: float) -> Row:
    """A line in runs that two blanks or a tab part, units alone in it in brackets."""
    parts = [(found.start(), found[0]) for found in RUN.finditer(line.expandtabs())]
    if "\t" in line.strip():
        fields = enumerate(map(str.strip, line.strip(" ").split("\t")))
        parts = [(i * LONGEST, field) for i, field in fields if field]
    if all(UNIT.fullmatch(f"({text})") for _, text in parts):
        parts = [(start, f"({text})") for start, text in parts]
    runs = tuple(TextRun(tuple(_words(text, start, top))) for start, text in parts)
    return Row(runs, tuple(word for run in runs for word in run.words))


def _words(text: str, start: int, top: float) -> Iterator[Word]:
    """The words of a run that begins at a character of its line."""
    for word in re.finditer(r"\S+", text):
        left = (start + word.start()) * WIDTH
        yield Word(word[0], left, top, left + len(word[0]) * WIDTH, top + SIZE, SIZE)
