"""From Markdown to runs of plain text with a look. Text from documents stays text: it can mention nobody.

Slack and Teams show the same lines, each with its own marks. Teams shows runs as `TextRun`, which it never
reads as Markdown, so that no text can make a link, a mention or a list of its own.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from markdown_it.token import Token

from adapters.markdown import reader
from agents.reports.marked import CITED, CLOSES, OPENS, bracketed
from bot.values import Table

LIVE = re.compile(r"https?://[^\s<>|\"]+", re.IGNORECASE)
"""An address that opens when it is pressed."""
_LOOKS = {"strong": "bold", "em": "italic", "s": "strike"}
_markdown = reader()

BULLETS = -1
"""In place of the next number, for a list that has none."""


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of text with one look. `address` is what it opens; `cites` marks a citation of the report."""

    text: str
    bold: bool = False
    italic: bool = False
    strike: bool = False
    mono: bool = False
    address: str = ""
    cites: bool = False


@dataclass(frozen=True, slots=True)
class MarkupLine:
    """A paragraph, a heading, an item of a list or a line of code.

    `mark` stands before it, `depth` says how far it is indented, `quoted` that a person or a document said
    it, `gap` that there is some space above, `code` that it is a line of a program.
    """

    runs: tuple[Run, ...]
    mark: str = ""
    depth: int = 0
    heading: bool = False
    quoted: bool = False
    gap: bool = True
    code: bool = False

    @property
    def text(self) -> str:
        """What it says."""
        return self.mark + "".join(run.text for run in self.runs)


def lines_of(markdown: str) -> list[MarkupLine | Table]:
    """Markdown as lines and tables, in reading order.

    What nests so deep that the reader gives it up is shown as it is written.
    """
    read = _Reading().read(_markdown.parse(markdown.replace("\r\n", "\n").replace("\r", "\n")))
    return read if read or not markdown.strip() else [MarkupLine(runs_of(markdown))]


def runs_of(text: str, *, bold: bool = False) -> tuple[Run, ...]:
    """A text that is no Markdown, its citations in bold."""
    runs: list[Run] = []
    start = 0
    for found in CITED.finditer(text):
        runs.append(Run(text[start : found.start()], bold))
        runs.append(Run(bracketed(found[0]), bold=True, cites=True))
        start = found.end()
    runs.append(Run(text[start:], bold))
    return tuple(run for run in runs if run.text)


@dataclass(slots=True)
class _Reading:
    """The state of reading Markdown's tokens one after the other: however deep they nest, none recurses."""

    lists: list[int] = field(default_factory=list)
    """The next number of each open list, or `BULLETS`."""
    quotes: int = 0
    mark: str = ""
    """What stands before the next line."""
    begins: bool = False
    """Whether the next item is the first of its list."""
    heading: bool = False
    cells: list[list[str]] | None = None
    """The rows of an open table."""
    read_: list[MarkupLine | Table] = field(default_factory=list)

    def read(self, tokens: Sequence[Token]) -> list[MarkupLine | Table]:
        """All blocks of a text."""
        for token in tokens:
            if token.type == "inline":
                self._inline(token)
            elif token.type in ("fence", "code_block"):
                self._code(token.content)
            elif token.type == "hr":
                self.read_.append(MarkupLine((Run("———"),)))
            elif token.nesting > 0:
                self._opened(token)
            elif token.nesting < 0:
                self._closed(token)
        return self.read_

    def _opened(self, token: Token) -> None:
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                ordered = token.type == "ordered_list_open"
                self.lists.append(int(token.attrs.get("start", 1)) if ordered else BULLETS)
                self.begins = True
            case "list_item_open":
                number = self.lists[-1]
                self.mark = "• " if number == BULLETS else f"{number}. "
                self.lists[-1] += number != BULLETS
            case "blockquote_open":
                self.quotes += 1
            case "heading_open":
                self.heading = True
            case "table_open":
                self.cells = []
            case "tr_open" if self.cells is not None:
                self.cells.append([])

    def _closed(self, token: Token) -> None:
        match token.type:
            case "bullet_list_close" | "ordered_list_close":
                self.lists.pop()
            case "blockquote_close":
                self.quotes -= 1
            case "heading_close":
                self.heading = False
            case "table_close" if self.cells:
                head, *rows = (tuple(row) for row in self.cells)
                self.read_.append(Table("", head, tuple(rows)))
                self.cells = None

    def _inline(self, token: Token) -> None:
        runs = tuple(_merged(_runs(token.children or (), bold=self.heading)))
        if self.cells is not None:
            self.cells[-1].append("".join(_marked(run) for run in runs))
        else:
            self._line(runs)

    def _code(self, content: str) -> None:
        for number, text in enumerate(content.rstrip("\n").split("\n")):
            self._line((Run(bracketed(text) or " ", mono=True),), gap=number == 0, code=True)

    def _line(self, runs: tuple[Run, ...], *, gap: bool = True, code: bool = False) -> None:
        gap = gap and (self.begins or not self.mark)
        mark, self.mark, self.begins = self.mark, "", False
        depth = max(0, len(self.lists) - bool(mark))
        self.read_.append(MarkupLine(runs, mark, depth, self.heading, self.quotes > 0, gap, code))


def _runs(tokens: Sequence[Token], *, bold: bool) -> Iterator[Run]:
    """The runs of a line."""
    depth, addresses, labels = Counter(bold=int(bold)), list[str](), list[list[Run]]()
    for token in tokens:
        kind = token.type.rpartition("_")[0]
        if kind in _LOOKS:
            depth[_LOOKS[kind]] += token.nesting
        elif token.type == "link_open":
            addresses.append(str(token.attrs["href"]))
            labels.append([])
        elif token.type == "link_close":
            inner = _linked(labels.pop(), addresses.pop())
            if labels:
                labels[-1] += inner
            else:
                yield from inner
        else:
            look = Run("", depth["bold"] > 0, depth["italic"] > 0, depth["strike"] > 0)
            if labels:
                labels[-1] += _piece(token, look)
            else:
                yield from _piece(token, look)


def _piece(token: Token, look: Run) -> Iterator[Run]:
    match token.type:
        case "softbreak" | "hardbreak":
            yield replace(look, text="\n")
        case "code_inline":
            yield replace(look, text=bracketed(token.content), mono=True)
        case "image":
            yield from _linked([replace(look, text=bracketed(token.content))], str(token.attrs["src"]))
        case _:
            for run in runs_of(token.content, bold=look.bold):
                yield run if run.cites else replace(look, text=run.text)


def _linked(label: list[Run], address: str) -> list[Run]:
    """What a link says and, beside it, what it opens: nobody opens another page than the one that is read."""
    told = "".join(run.text for run in label)
    if address == f"mailto:{told}":
        return label
    opened = Run(address, address=address if LIVE.fullmatch(address) else "")
    return [opened] if told in ("", address) else [*label, Run(" ("), opened, Run(")")]


def _marked(run: Run) -> str:
    """A run of a cell, its citation marked once more."""
    return f"{OPENS}{run.text[1:-1]}{CLOSES}" if run.cites else run.text


def _merged(runs: Iterator[Run]) -> Iterator[Run]:
    """Neighbours of one look as one run."""
    held: Run | None = None
    for run in runs:
        if not run.text:
            continue
        if held and not run.cites and replace(run, text="") == replace(held, text=""):
            held = replace(held, text=held.text + run.text)
            continue
        if held:
            yield held
        held = run
    if held:
        yield held
