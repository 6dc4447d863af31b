"""What the evaluation commands share: tables of figures."""

from collections.abc import Sequence

from rich import box
from rich.markup import escape
from rich.table import Table


def figures_table(title: str, names: Sequence[str], columns: Sequence[str]) -> Table:
    """A table of rows with `names`, left-aligned, and `columns` of figures, right-aligned."""
    made = Table(title=escape(title) or None, title_justify="left", box=box.SIMPLE_HEAD, padding=0)
    for name in names:
        made.add_column(name)
    for column in columns:
        made.add_column(column, justify="right", no_wrap=True)
    return made


def share(value: float | None) -> str:
    """A share, or that its denominator is empty."""
    return "empty" if value is None else f"{value:.3f}"
