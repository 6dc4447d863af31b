"""How a part of a document is told of which only some lines are shown: each under its headings and the heads
of its table, with a mark wherever something is left out.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Protocol

from agents.archive.reading.shown import table_head
from agents.minds.readable import readable
from retrieval.values import Passage, TableRow

CUT = "[…]"
"""Stands where something is left out."""
MARKS = "#*|-_ \n\t"
"""Characters that say nothing by themselves."""

Section = tuple[str, ...]


class Lines(Protocol):
    """What is known of the lines of a document around those that are shown."""

    def before(self, run: Passage) -> Passage | None:
        """The line before a run; None for the first one of the document."""
        ...

    def opening(self, run: Passage) -> int:
        """Where the headings, caption and heads begin that stand right above a run."""
        ...

    def sections(self, run: Passage) -> list[Section]:
        """The headings over each line of a run."""
        ...


def render_lines(lines: Lines, part: Passage, head: str, runs: Sequence[Passage]) -> str:
    """A part as it is shown. `head` is what stands above its first line: caption and heads of a table."""
    shown: list[str] = []
    over, end = section_of(lines, runs), part.start
    heads: tuple[str, ...] = ()
    for run in runs:
        own = tuple(head.splitlines()) if head and run.start == part.start else heads_of(run)
        above_it = [*_new(over, run.section), *(() if own == heads else own)]
        opens, before = lines.opening(run), lines.before(run)
        if shown and _says(part, end, opens):
            shown.append(CUT)
        inside = opens == run.start and before is not None and before.section == run.section
        told_above = _once(above_it, [*shown, *run.text.splitlines()[:1]])
        shown += told_above
        if inside and (told_above or not shown):
            shown.append(CUT)
        shown.append(run.text)
        over, heads, end = lines.sections(run)[-1], heads_of(run), run.end
    if _says(part, end, part.end):
        shown.append(CUT)
    return readable("\n".join(shown))


def section_of(lines: Lines, runs: Sequence[Passage]) -> Section:
    """The headings over all lines of some runs."""
    levels = zip(*(section for run in runs for section in lines.sections(run)), strict=False)
    return tuple(level[0] for level in takewhile(lambda level: len(set(level)) == 1, levels))


def above(row: TableRow) -> TableRow:
    """What is told above a row: caption, heads and sub-heads; above the row of heads the caption."""
    if row.cells != row.header:
        return replace(row, cells=("",) * len(row.header))
    return TableRow(row.caption, (), ())


def heads_of(run: Passage) -> tuple[str, ...]:
    """Caption, heads and sub-heads of the table in which a run of lines begins."""
    if run.row is None:
        return ()
    return tuple(filter(None, (*table_head(run).splitlines(), *run.row.group)))


def _new(over: Section, section: Section) -> Section:
    """The last heading of a section that is not over what was shown before."""
    return section[-1:] if section != over[: len(section)] else ()


def _says(part: Passage, start: int, end: int) -> bool:
    return bool(part.text[start - part.start : max(start, end) - part.start].strip(MARKS))


def _once(above_it: Sequence[str], around: Sequence[str]) -> list[str]:
    """What is told above a run, without what the lines beside it say: a caption that is the heading, too."""
    beside = {line.strip(MARKS) for line in around}
    return [line for line in dict.fromkeys(above_it) if line.strip(MARKS) not in beside]
