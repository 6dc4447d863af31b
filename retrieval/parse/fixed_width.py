"""Tables of plain text, whose cells are parted by blanks, tabs or bars, as pipe tables.

A table has rows of names over rows that stand in the same columns, and differs from them in kind: a line of
dashes stands between, or a column of numbers is under a word. A line of heads that are units puts them in
brackets behind the names above. All else stays as it is written.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from retrieval.captions import CAPTION, UNIT
from retrieval.markdown import cells, is_delimiter
from retrieval.parse.blocks import Table, write
from retrieval.parse.flat_table import with_flat_tables
from retrieval.parse.layout.cells import columns_of, is_number, placed_table
from retrieval.parse.layout.geometry import Row, Rule, TextRun, Word
from retrieval.parse.layout.header import Column

RUN = re.compile(r"\S+(?: \S+)*")
RULE = re.compile(r"[ \t]*[-=_–—]{3,}(?:[ \t+]+[-=_–—]{2,})*[ \t]*")
BARRED = re.compile(r"(?:^(?![ \t]*\|)[^|\n]{1,300}(?:\|[^|\n]{0,300})+(?:\n|\Z)){2,}", re.MULTILINE)
"""Lines with bars between their cells and none before the first."""
DASHES = re.compile(r"[-=_–—]+")
OTHER = re.compile(r"[ \t]*(?:>|#{1,6}\s|[-*•▪‣+]\s|```|~~~)|.*(?:\||\.{4}|(?:\. ){4}|: *$)")
"""A quoted line, a heading, an item of a list, a row of another kind, an entry of contents, a lead-in."""
STUB = re.compile(
    r"(?:[\w-]+ )?(?:dose|group|finding|parameter|week|day|month|visit|time|organ|event|sex|year|species|"
    r"tissue|strain|lot|batch)s?\b.{0,24}",
    re.IGNORECASE,
)
"""The name of a column of labels, beside which numbers can be names of columns ("Finding  0  5  15")."""
MARK = re.compile(r"\(?(?:\d{1,2}|[a-z]|[ivx]+)[.)]")
"""The mark of an item in a list."""
STARTS_WITH_NUMBER = re.compile(r"[<>≤≥~±+\-−–]?\s?\d|[-–—]+$|N\.?[ADS]\.?$", re.IGNORECASE)
AMOUNT = re.compile(r"[<>≤≥~±+\-−–]?\s?\d[\d.,]*\s?(?P<rest>.*)")
SUB_HEAD = re.compile(r"[^\W\d_].{0,38}[^.;,]")
MOST_HEADS, LONGEST, LONGEST_LABEL = 3, 300, 45
"""Lines of heads; characters of a line, and of a label: prose beside a table is none."""
FIRST_READ = 40
"""Lines that tell whether a table begins."""
WIDTH, SIZE, PITCH = 6.0, 10.0, 12.0
"""Points of a character, of its font and of a line: where print of one width stands on a page."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text in its runs; `rule` for a line of dashes."""

    row: Row
    rule: bool = False

    @property
    def first(self) -> TextRun:
        """The run at the left."""
        return self.row.runs[0]

    @property
    def texts(self) -> list[str]:
        """The runs as texts."""
        return [run.text for run in self.row.runs]


def with_tables(text: str) -> str:
    """A text with its tables as pipe tables."""
    written = BARRED.sub(_in_bars, text).split("\n")
    made: list[str] = []
    i = 0
    while i < len(written):
        found = _table_at(written, i)
        if found is None:
            made.append(written[i])
            i += 1
        else:
            table, length = found
            made += write(table).split("\n")
            i += length
    return with_flat_tables("\n".join(made))


def _in_bars(lines: re.Match[str]) -> str:
    """Lines of equally many cells between bars as a pipe table; others as they are."""
    rows = [tuple(cells(line)) for line in lines[0].splitlines() if not is_delimiter(line)]
    same = len(set(map(len, rows))) == 1
    return f"{write(Table(rows[0], tuple(rows[1:])))}\n" if same else lines[0]


def _table_at(written: Sequence[str], start: int) -> tuple[Table, int] | None:
    """The table that begins at a line, and how many lines it takes.

    A few lines tell whether one begins: a long text without tables is not read anew from each of its lines.
    """
    most = FIRST_READ
    while found := _table(_stretch(written[start : start + most])):
        if found[1] < most // 2 or start + most >= len(written):
            return found
        most *= 4
    return None


def _stretch(written: Sequence[str]) -> list[TextLine]:
    """The first lines that can be those of a table: none blank, the first one in columns."""
    lines: list[TextLine] = []
    tabs = "\t" in written[0].strip()
    for number, text in enumerate(written):
        if (
            not text.strip()
            or len(text) > LONGEST
            or (tabs and "\t" not in text and not RULE.fullmatch(text))
        ):
            break
        rule = RULE.fullmatch(text) is not None
        if not rule and OTHER.match(text):
            break
        row = _tabbed(text, number) if tabs and not rule else _row(text.expandtabs(), number)
        if not lines and (rule or len(row.runs) < 2 or CAPTION.match(row.runs[0].text)):
            break
        lines.append(TextLine(row, rule))
    return lines


def _row(text: str, number: int) -> Row:
    """A line in runs that two blanks part, each word where it stands."""
    pattern = DASHES if RULE.fullmatch(text) else RUN
    return _of_runs([(found.start(), found[0]) for found in pattern.finditer(text)], number)


def _tabbed(text: str, number: int) -> Row:
    """A line in runs that tabs part, a column wide each."""
    cells = enumerate(text.strip(" ").split("\t"))
    return _of_runs([(i * LONGEST, cell.strip()) for i, cell in cells if cell.strip()], number)


def _of_runs(runs: Sequence[tuple[int, str]], number: int) -> Row:
    top = number * PITCH
    made = [
        TextRun(
            tuple(
                Word(
                    word[0],
                    (start + word.start()) * WIDTH,
                    top,
                    (start + word.end()) * WIDTH,
                    top + SIZE,
                    SIZE,
                )
                for word in re.finditer(r"\S+", text)
            )
        )
        for start, text in runs
    ]
    return Row(tuple(made), tuple(word for run in made for word in run.words))


def _table(lines: Sequence[TextLine]) -> tuple[Table, int] | None:
    """The table with which some lines begin, and how many of them it takes; None where there is none."""
    for depth in _depths(lines) if len(lines) > 2 else ():
        heads = [line for line in lines[:depth] if not line.rule]
        ruled = depth < len(lines) and lines[depth].rule
        begin = depth + ruled
        body = _body(lines[begin:])
        if body and _differs(heads, body, ruled) and (table := _made(heads, body, lines[:begin])):
            last = begin + len(body)
            return table, last + (last < len(lines) and lines[last].rule)
    return None


def _depths(lines: Sequence[TextLine]) -> Iterator[int]:
    """How many of the first lines may be heads: those over a line of dashes, else one with lines of units or
    names that leave the first column empty.
    """
    for depth in range(1, min(MOST_HEADS, len(lines) - 2) + 1):
        if lines[depth].rule:
            yield depth
            return
    depth = 1
    while depth < min(MOST_HEADS, len(lines) - 2) and _goes_on(lines[depth], lines[0], lines[depth + 1 :]):
        depth += 1
    yield depth


def _goes_on(line: TextLine, head: TextLine, below: Sequence[TextLine]) -> bool:
    """Whether a line goes on with the heads above it."""
    if line.rule or any(map(is_number, line.texts)):
        return False
    units = all(UNIT.fullmatch(text) or UNIT.fullmatch(f"({text})") for text in line.texts)
    left = min(one.first.x0 for one in (head, *below[:2]))
    return units or (line.first.x0 > left + 2 * WIDTH and len(line.texts) > 1)


def _body(lines: Sequence[TextLine]) -> list[TextLine]:
    """The rows under the heads, with wrapped cells and sub-heads between them; none where a row that has
    numbers stands in other columns.
    """
    body: list[TextLine] = []
    columns: list[Column] = []
    for line, below in pairwise([*lines, None]):
        if line is None or line.rule:
            break
        if len(line.texts) > 1:
            grown = _grown(columns, line.row)
            if grown is None:
                return [] if any(map(is_number, line.texts[1:])) else body
            columns = grown
        elif not (_wraps(line.first, columns) or _is_sub_head(line, below, columns)):
            break
        body.append(line)
    return body


def _grown(columns: Sequence[Column], row: Row) -> list[Column] | None:
    """The columns with a row added; None if its runs do not stand in a column each."""
    made = list(columns)
    for run in row.runs:
        over = [one for one in columns if run.x0 < one.x1 and one.x0 < run.x1]
        if len(over) > 1 or any(one not in made for one in over):
            return None
        joined = [Column(run.x0, run.x1), *over]
        made = [one for one in made if one not in over]
        made.append(Column(min(one.x0 for one in joined), max(one.x1 for one in joined)))
    return sorted(made, key=lambda one: one.x0)


def _wraps(run: TextRun, columns: Sequence[Column]) -> bool:
    """Whether a run goes on within one cell beside the first."""
    over = [one for one in columns if run.x0 < one.x1 and one.x0 < run.x1]
    return len(over) == 1 and over[0] is not columns[0] and abs(run.x0 - over[0].x0) < 4 * WIDTH


def _is_sub_head(line: TextLine, below: TextLine | None, columns: Sequence[Column]) -> bool:
    """Whether a line of one run names the rows below it."""
    text = line.first.text
    if below is None or len(below.texts) < 3 or not text[0].isupper():
        return False
    left = min((one.x0 for one in columns), default=below.first.x0)
    if line.first.x0 > left:
        return False
    return SUB_HEAD.fullmatch(text) is not None and _grown(columns, below.row) is not None


def _differs(heads: Sequence[TextLine], body: Sequence[TextLine], ruled: bool) -> bool:
    """Whether heads differ in kind from the rows, which no list of labels with values does."""
    rows = [line.texts for line in body if len(line.texts) > 1]
    names = heads[0].texts
    if len(rows) < 2 or any(MARK.fullmatch(row[0]) for row in rows):
        return False
    if any(": " in cell for cell in names) or sum(row[0].endswith(":") for row in rows) > 0.3 * len(rows):
        return False
    if _is_mixed(body):
        return False
    if ruled:
        return True
    if max(len(row[0]) for row in rows) > LONGEST_LABEL:
        return False
    width = max(map(len, rows))
    numbered = [STARTS_WITH_NUMBER.match(cell) is not None for cell in names]
    if any(numbered[1:]) and not (STUB.fullmatch(names[0]) and len(names) == width and not numbered[0]):
        return False
    if width == 2:
        tails = {found["rest"] if (found := AMOUNT.fullmatch(row[-1])) else row[-1] for row in rows}
        return len(rows) > 2 and len(tails) == 1 and all(STARTS_WITH_NUMBER.match(row[-1]) for row in rows)
    full = [row for row in rows if len(row) == width]
    if len(full) < 0.5 * len(rows):
        return False
    if full == rows and len(names) == width - 1 and heads[0].first.x0 > body[0].first.x1:
        return True
    counted = any(all(STARTS_WITH_NUMBER.match(row[i]) for row in full) for i in range(1, width))
    named = all(any(map(str.isdigit, row[0])) for row in full) and not any(map(str.isdigit, names[0]))
    return counted or (named and len(names) == width)


def _is_mixed(body: Sequence[TextLine]) -> bool:
    """Whether rows lack cells and a column has words and numbers: rows that were shifted."""
    rows = [line.row for line in body if len(line.texts) > 1]
    if len({len(row.runs) for row in rows}) == 1:
        return False
    for column in columns_of(rows)[1:]:
        cells = [run.text for row in rows for run in row.runs if run.x0 < column.x1 and column.x0 < run.x1]
        words = sum(cell[:2].isalpha() and len(cell) > 4 for cell in cells)
        if words and any(map(is_number, cells)):
            return True
    return False


def _made(heads: Sequence[TextLine], body: Sequence[TextLine], above: Sequence[TextLine]) -> Table | None:
    """The table of these lines, if each of its columns has a name of its own and no word is lost."""
    edge = body[0].row.top - 1
    right = max(line.row.runs[-1].x1 for line in (*heads, *body))
    boundary = Rule(0.0, edge, right, edge)
    drawn = [
        Rule(run.x0, line.row.top, run.x1, line.row.top + 1)
        for line in above
        if line.rule
        for run in line.row.runs
    ]
    if not _in_columns_of(heads, body):
        return None
    rows = [
        *(_bracketed(line) if i else line.row for i, line in enumerate(heads)),
        *(line.row for line in body),
    ]
    placed = placed_table(rows, (boundary,), drawn)
    table = placed.blocks[-1] if placed is not None else None
    if not isinstance(table, Table) or len(table.header) < 2 or not _all_named(table):
        return None
    return None if _shares_names(heads, table.header) else table


def _all_named(table: Table) -> bool:
    """Whether all columns but that of the labels have a name; a last one of units needs none."""
    if all(table.header[1:]):
        return True
    units = [bool(UNIT.fullmatch(f"({row[-1].split(' ')[0]})")) for row in table.rows if row[-1]]
    return all(table.header[1:-1]) and sum(units) > len(units) / 2


def _shares_names(heads: Sequence[TextLine], header: Sequence[str]) -> bool:
    """Whether columns have one name ("n  %  n  %"), and fewer heads above do not tell them all apart."""
    names = heads[-1].texts
    if len(set(header)) < len(header):
        return True
    if len(heads) == 1 or len(heads[0].texts) >= len(names):
        return False
    twice = tuple(name for name in names if names.count(name) > 1)
    return any(head.endswith(twice) and " / " not in head for head in header)


def _bracketed(line: TextLine) -> Row:
    """A line of heads; one of nothing but units has them in brackets, behind the names above."""
    if not all(UNIT.fullmatch(f"({text})") for text in line.texts):
        return line.row
    runs = tuple(_in_brackets(run) for run in line.row.runs)
    return Row(runs, tuple(word for run in runs for word in run.words))


def _in_brackets(run: TextRun) -> TextRun:
    first, last = run.words[0], run.words[-1]
    return TextRun((replace(first, x1=last.x1, text=f"({run.text})"),))


def _in_columns_of(heads: Sequence[TextLine], body: Sequence[TextLine]) -> bool:
    """Whether the last heads stand over one column each and every head over one at least."""
    columns = columns_of([line.row for line in body])
    for line in heads:
        for run in line.row.runs:
            over = [one for one in columns if run.x0 < one.x1 + WIDTH and one.x0 - WIDTH < run.x1]
            if not over or (len(over) > 1 and line is heads[-1]):
                return False
    return True
