"""Elements of Adaptive Cards (1.5), as JSON. Pure.

Text is shown as `TextRun`, which is never read as Markdown. What is long is given in pieces, each small
enough that a card can hold it.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from adapters.markup import MarkupLine, Run, runs_of
from adapters.pages import groups
from agents.counts import shortened
from bot.values import Button, Table

Element = dict[str, Any]

PIECE = 4_000
"""Characters of a paragraph, and roughly bytes of a piece of a table."""
MOST_COLUMNS = 6
"""Of a table that can be read in Teams' narrow column; a wider one is shown row by row."""
ROW_OF_ACTIONS = 6
"""Teams shows no more actions in a row."""
LABEL = 80
INDENT = "\u2003"
WORDS = "words"
"""The field of a button that takes words."""
_ASKS = {"revise": "What should change?", "give": "The text that is the source"}
"""Buttons that are of use with words only, with what their field asks for."""
_STYLES = {"primary": "positive", "danger": "destructive"}


def size(element: object) -> int:
    """Bytes of an element as JSON."""
    return len(json.dumps(element))


def paragraph(line: MarkupLine, **look: Any) -> Element:
    """A line of text. `look` holds further properties of each run ("isSubtle", "size")."""
    before = INDENT * line.depth + line.mark
    runs = (Run(before), *line.runs) if before else line.runs
    inlines = [_run(run, line, look) for run in runs or (Run(" "),)]
    return {"type": "RichTextBlock", "inlines": inlines, "spacing": "Small" if line.gap else "None"}


def paragraphs(line: MarkupLine, **look: Any) -> Iterator[Element]:
    """A line of text in pieces, quoted text on a ground of its own."""
    for piece in pieces(line):
        made = paragraph(piece, **look)
        quoted = {"type": "Container", "style": "emphasis", "items": [made], "spacing": "Small"}
        yield quoted if line.quoted else made


def pieces(line: MarkupLine) -> Iterator[MarkupLine]:
    """A line in lines of at most `PIECE` characters, cut at a word if there is one."""
    runs: list[Run] = []
    left = PIECE
    for run in line.runs:
        text = run.text
        while len(text) > left:
            cut = max(text.rfind(" ", left // 2, left), text.rfind("\n", left // 2, left))
            cut = cut + 1 if cut > 0 else left
            yield replace(line, runs=(*runs, replace(run, text=text[:cut])))
            line, runs, text, left = replace(line, mark="", gap=False), [], text[cut:], PIECE
        runs.append(replace(run, text=text))
        left -= len(text)
    yield replace(line, runs=tuple(runs))


def table(of: Table) -> Iterator[Element]:
    """A table in pieces, each with its heads; one with many columns or long cells row by row."""
    longest = max((len(cell) for row in of.rows for cell in row), default=0)
    if len(of.columns) > MOST_COLUMNS or longest > PIECE or size(of.columns) > PIECE:
        for cells in of.rows:
            yield from _as_lines(of.columns, cells)
        return
    for rows in list(groups(map(_row, of.rows), size, 2 * PIECE)) or [[]]:
        yield _table(of, rows)


def actions(buttons: Sequence[Element]) -> Iterator[Element]:
    """Actions in rows."""
    for row in groups(buttons, size, 3 * PIECE, ROW_OF_ACTIONS):
        yield {"type": "ActionSet", "actions": row}


def button(of: Button) -> Element:
    """A button, with a field where it is of use with words only. What is pressed comes back as data."""
    data = {"action": of.action, "value": of.value}
    style = {"style": _STYLES[of.style]} if of.style in _STYLES else {}
    if of.action not in _ASKS:
        return _execute(of.label, data) | style
    asked = {"type": "Input.Text", "id": WORDS, "isMultiline": True, "placeholder": _ASKS[of.action]}
    asked |= {"label": _ASKS[of.action], "maxLength": PIECE}
    card = {"type": "AdaptiveCard", "body": [asked], "actions": [_execute(of.label.rstrip("…"), data)]}
    return {"type": "Action.ShowCard", "title": shortened(of.label, LABEL), "card": card}


def opening(label: str, body: Sequence[Element]) -> Element:
    """A button that opens something below it, for who presses it alone."""
    card = {"type": "AdaptiveCard", "body": [*body]}
    return {"type": "Action.ShowCard", "title": shortened(label, LABEL), "card": card}


def link(label: str, address: str) -> Element:
    """A button that opens an address."""
    return {"type": "Action.OpenUrl", "title": shortened(label, LABEL), "url": address}


def _execute(label: str, data: Element) -> Element:
    """An action that Teams hands to the bot; older clients send it as a message instead."""
    title = {"title": shortened(label, LABEL)}
    return {
        "type": "Action.Execute",
        **title,
        "verb": data["action"],
        "data": data,
        "fallback": {"type": "Action.Submit", **title, "data": data},
    }


def _run(run: Run, line: MarkupLine, look: Element) -> Element:
    made: Element = {"type": "TextRun", "text": run.text, **look}
    if run.bold or line.heading:
        made["weight"] = "Bolder"
    if run.cites:
        made["color"] = "Accent"
    if run.mono:
        made["fontType"] = "Monospace"
    if run.address:
        made["selectAction"] = {"type": "Action.OpenUrl", "url": run.address}
    return made | {name: True for name, on in (("italic", run.italic), ("strikethrough", run.strike)) if on}


def _table(of: Table, rows: Iterable[Element]) -> Element:
    head = _row(of.columns, bold=True)
    return {
        "type": "Table",
        "columns": [{"width": width} for width in _widths(of)],
        "firstRowAsHeaders": True,
        "showGridLines": True,
        "rows": [head, *rows],
    }


def _widths(of: Table) -> list[int]:
    """How wide the columns are beside one another, by their longest cells."""
    columns = zip(of.columns, *of.rows, strict=True)
    return [min(8, max(2, max(map(len, column)) // 10)) for column in columns]


def _row(cells: Sequence[str], *, bold: bool = False) -> Element:
    return {"type": "TableRow", "cells": [_cell(cell, bold=bold) for cell in cells]}


def _cell(text: str, *, bold: bool) -> Element:
    line = MarkupLine(runs_of(" ".join(text.split()), bold=bold), gap=False)
    return {"type": "TableCell", "items": [paragraph(line)]}


def _as_lines(columns: Sequence[str], row: Sequence[str]) -> Iterator[Element]:
    """A row under its first cell, each further cell on a line of its own."""
    yield from paragraphs(MarkupLine(runs_of(row[0], bold=True)))
    for name, cell in zip(columns[1:], row[1:], strict=True):
        if cell:
            yield from paragraphs(MarkupLine((Run(f"{name}: "), *runs_of(cell)), gap=False))
