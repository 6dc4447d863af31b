"""How a part of a document is told of which only some lines are shown: each under its headings and the heads
of its table, with a mark wherever something is left out.
"""

from collections.abc import Sequence
from itertools import takewhile

from agents.archive.reading.choose import Choice
from agents.archive.reading.shown import heads_of
from agents.minds.readable import readable
from retrieval.values import Passage

CUT = "[…]"
"""Stands where something is left out."""
MARKS = "#*|-_ \n\t"
"""Characters that say nothing by themselves."""


def render_lines(choice: Choice, part: Passage, runs: Sequence[Passage]) -> str:
    """A part as it is shown."""
    shown: list[str] = []
    over, end = section_of(choice, runs), part.start
    heads: tuple[str, ...] = ()
    for run in runs:
        own = heads_of(run)
        above_it = [*_new(over, run.section), *(() if own == heads else own)]
        if _says(part, end, run.start):
            shown.append(CUT)
        told = {line.strip(MARKS) for line in (*shown, *run.text.splitlines()[:1])}
        shown += [line for line in dict.fromkeys(above_it) if line.strip(MARKS) not in told]
        shown.append(run.text)
        over, heads, end = choice.sections(run)[-1], own, run.end
    if _says(part, end, part.end):
        shown.append(CUT)
    return readable("\n".join(shown))


def section_of(choice: Choice, runs: Sequence[Passage]) -> tuple[str, ...]:
    """The headings over all lines of some runs."""
    levels = zip(*(section for run in runs for section in choice.sections(run)), strict=False)
    return tuple(level[0] for level in takewhile(lambda level: len(set(level)) == 1, levels))


def _new(over: tuple[str, ...], section: tuple[str, ...]) -> tuple[str, ...]:
    """The last heading of a section that is not over what was shown before."""
    return section[-1:] if section != over[: len(section)] else ()


def _says(part: Passage, start: int, end: int) -> bool:
    return bool(part.text[start - part.start : max(start, end) - part.start].strip(MARKS))
