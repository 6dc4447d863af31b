"""A result as blocks of a report: what was found, the first rows, figures and files, and the code whole."""

import csv
import io
from collections.abc import Iterator, Sequence

from agents.protocol.lab.results import State, TaskResult
from agents.reports.computed import as_figures, computation
from agents.reports.values import (
    Block,
    Cell,
    Code,
    Computation,
    Heading,
    Origin,
    Paragraph,
    Points,
    Statement,
    Table,
)

ROWS = 10
HEADS = {"log2fc": "log fold change", "padj": "adjusted p"}
"""What a column is called for readers."""
LEVELS = ("", "minor", "moderate", "major", "severe")


def task_blocks(result: TaskResult) -> tuple[Block, ...]:
    """What a report shows of a task. Put `computations` of the same results into its section."""
    return tuple(_blocks(result))


def computations(results: Sequence[TaskResult]) -> tuple[Computation, ...]:
    """What the computed parts rest on."""
    return tuple(computation(one.ran) for one in results if one.ran)


def success_rate(results: Sequence[TaskResult]) -> float:
    """The share of tasks whose program ended well and left what it promised; 0 without tasks."""
    return sum(one.state is State.DONE for one in results) / len(results) if results else 0.0


def _blocks(result: TaskResult) -> Iterator[Block]:
    yield Heading(f"{result.task}: {result.title}", 3)
    if result.state is State.NOT_RUN:
        yield Paragraph(f"Not run. {result.reason}", remark=True)
        return
    if result.state is State.FAILED:
        level = f"{LEVELS[result.level]} error, level {result.level} of 4"
        yield Paragraph(f"The program failed ({level}). {result.reason}", remark=True)
    if result.ran is None or result.ready is None:
        return
    origin = computation(result.ran).origin
    if result.state is State.DONE:
        yield from _found(result, origin)
    for source in result.ready.sources:
        yield Code(source.language, source.text, origin=origin)


def _found(result: TaskResult, origin: Origin) -> Iterator[Block]:
    assert result.ran is not None
    if lines := result.text("summary.txt").splitlines():
        yield Points(tuple(Statement(line, origin=origin) for line in lines if line.strip()))
    rows = list(csv.reader(io.StringIO(result.text("top.csv"))))
    if len(rows) > 1:
        heads = tuple(HEADS.get(one, one.replace("_", " ")) for one in rows[0])
        cells = tuple(tuple(map(Cell, row)) for row in rows[1 : ROWS + 1])
        yield Table(f"First rows of results.csv of {result.task}", heads, cells, origin)
    yield from as_figures(result.ran.files, origin)
