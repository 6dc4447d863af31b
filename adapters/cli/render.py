"""From neutral cards to the terminal, with Rich. Text from documents is never read as Rich markup."""

import re
from collections.abc import Iterator
from dataclasses import replace

from rich import box
from rich.console import Group, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table as RichTable
from rich.text import Text

from adapters.markdown import reader
from adapters.structures import in_words
from agents.reports.marked import CLOSES, OPENS, bracketed
from agents.reports.values import Code, Figure, Structure
from bot.values import Attachment, Card, CardKind, Source, Table
from bot.values import Text as Prose
from bot.words import cited_records, source_line, step_line

COLOURS = {
    CardKind.ANSWER: "green",
    CardKind.SECTION: "green",
    CardKind.REQUEST: "magenta",
    CardKind.ERROR: "red",
    CardKind.NOTICE: "yellow",
}
CITED = re.compile(f"(?:{OPENS}[0-9]+{CLOSES})+")
_markdown = reader(links=False)
MOST_COLUMNS, NARROW, LONG_ROW = 4, 66, 200
"""A table with more columns, longer words or longer rows than this is told row by row."""
SHORT = 60
"""Characters of a cell that shares a line with others there."""
MORE = "More: `--more` with the question, or `sources` in a chat, shows the passages whole."
LOOK = ": write `sources`"
"""What a footer tells of further passages, which `MORE` tells here."""


def card(shown: Card, *, more: bool = False) -> RenderableType:
    """A card as a panel; with `more`, what is folded is shown too."""
    colour = COLOURS.get(shown.kind, "cyan")
    return Panel(
        Group(*_parts(shown, more)), title=Text(shown.title), border_style=colour, title_align="left"
    )


def _parts(shown: Card, more: bool) -> Iterator[RenderableType]:
    """What the panel holds, top to bottom."""
    if shown.text:
        yield markdown(shown.text)
    for step in shown.steps:
        yield Text(step_line(step))
    for part in shown.parts if more else shown.unfolded:
        yield Text()
        yield grid(part) if isinstance(part, Table) else markdown(markdown_of(part))
    yield from _list("Not found", shown.not_found, "yellow")
    yield from _list("Notes", shown.notes, "yellow")
    if shown.sources and shown.kind is CardKind.SECTION:
        yield Text(f"\n{cited_records(shown.sources).replace(chr(10), ' · ')}", style="dim")
    elif shown.sources and (more or shown.unfolded or not shown.parts or CITED.search(shown.text)):
        yield Text()
        for before, source in zip((None, *shown.sources), shown.sources, strict=False):
            yield source_lines(source if not more else replace(source, folded=False), before)
    whole = shown.unfolded == shown.parts and not any(one.folded for one in shown.sources)
    if not (more or whole or shown.kind is CardKind.SECTION):
        yield Text(f"\n{MORE}", style="dim")
    asking = [one.label for one in shown.buttons if one.action in ("ask", "say")]
    if offered := [label for label in asking if label not in shown.text]:
        yield Text("\n".join(("\nFor example:", *offered)), style="dim")
    if shown.footer:
        yield Text(f"\n{shown.footer.replace(LOOK, '')}", style="dim")


def markdown(text: str) -> Markdown:
    """Markdown of a card, its citations in bold; what looks like HTML or a link in it stays text."""
    made = Markdown("", hyperlinks=False)
    made.parsed = _markdown.parse(CITED.sub(lambda found: f"**{bracketed(found[0])}**", text))
    return made


def markdown_of(part: Prose | Figure | Structure | Code | Attachment) -> str:
    """A part that is no table, as Markdown."""
    return part.markdown if isinstance(part, Prose) else in_words(part)


def progress_line(shown: Card) -> str:
    """A progress card in one line: what is being done now."""
    running = [step.label for step in shown.steps if step.state == "running"]
    return running[-1] if running else shown.title


def grid(table: Table) -> RenderableType:
    """A table; one whose columns would be cut tells each row by itself."""
    words = (max(map(len, " ".join(column).split()), default=1) for column in zip(*table.rows, strict=True))
    texts = [sum(map(len, row)) for row in table.rows]
    many = len(table.columns) > MOST_COLUMNS and _width(table) > NARROW
    if many or sum(words) > NARROW or max(texts, default=0) > LONG_ROW:
        return rows_apart(table)
    made = RichTable(box=box.SIMPLE_HEAD, show_edge=False)
    for column in table.columns:
        made.add_column(Text(column))
    for row in table.rows:
        made.add_row(*(Text(bracketed(cell)) for cell in row))
    # A title of Rich's own would wrap at the width of the table.
    return Group(Text(table.title, style="italic"), made)


def _width(table: Table) -> int:
    """Characters of a table's lines where only heads are broken, at blanks."""
    heads = (max(map(len, head.split()), default=0) for head in table.columns)
    cells = (max(map(len, column)) for column in zip(*table.rows, strict=True))
    return sum(max(pair) + 3 for pair in zip(heads, cells, strict=False))


def rows_apart(table: Table) -> RenderableType:
    """A wide table, row by row: the first cell, a number with its head, then what the others say."""
    lines: list[RenderableType] = [Text(table.title, style="italic")]
    for row in table.rows:
        head = f"{table.columns[0]}: " if row[0][:1].isdigit() else ""
        lines.append(Text(f"{head}{bracketed(row[0])}", style="bold"))
        named = zip(table.columns[1:], row[1:], strict=True)
        told = [(f"{head}: ", bracketed(cell)) for head, cell in named if cell]
        short = " · ".join("".join(one) for one in told if len(one[1]) <= SHORT)
        long = ("".join(one) for one in told if len(one[1]) > SHORT)
        lines += [Padding(Text(text), (0, 0, 0, 2)) for text in (short, *long) if text]
    return Group(*lines)


def source_lines(source: Source, before: Source | None) -> RenderableType:
    """A numbered source with its verbatim quote; the title of a document once."""
    head = Text(f"[{source.number}] ", style="bold") + Text(source_line(source, before), style="dim")
    quote = (
        ()
        if source.told or source.folded
        else (Padding(Text(f"“{source.quote}”", style="italic"), (0, 0, 0, 4)),)
    )
    return Group(head, *quote)


def _list(title: str, items: tuple[str, ...], colour: str) -> Iterator[RenderableType]:
    """A heading and its items; nothing without items."""
    if items:
        yield Text(f"\n{title}", style=f"bold {colour}")
    for item in items:
        line = RichTable.grid(padding=(0, 1))
        line.add_row(Text("•", style=colour), Text(item, style=colour))
        yield line
