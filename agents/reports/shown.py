"""Every text that a report shows, with what it rests on. The gate and its evaluation read reports through
this walk, so that neither can forget a place.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeGuard

from agents.evidence.values import Citation
from agents.reports.computed import has_run, is_sound
from agents.reports.marked import TYPED
from agents.reports.origins import is_honest, origins_of
from agents.reports.values import (
    PROPOSED,
    Block,
    Cell,
    Code,
    Computation,
    Figure,
    Heading,
    Origin,
    Paragraph,
    Points,
    Prose,
    Report,
    Section,
    Statement,
    Structure,
    Table,
    cited_by,
)
from agents.text.units import find_units
from agents.trust.carrier import Carrier, carrier_of, text_carrier
from agents.trust.measures import measure_named
from agents.trust.support import Support, sound
from agents.trust.values import Derivation
from retrieval.markdown import cells

_OF_THE_WORK = re.compile(
    r"\bwithin [\d.]+ s(?:econds)?\b|\basked again in \d+ (?:s|minutes)\b"
    r"|\bstatus \d{3}\b|\b(?:once|twice|(?:three|four|\d) times)\b|\bp at most 5E-8\b"
    r"|\blabel that was read is of \d{4}\b"
)
"""What the work itself is told with: time given to a source, its status, attempts, the usual threshold, the
year of a label.
"""
_MODEL_AT = re.compile(r"\b(?<=language model) at https?://\S+")
"""The address of a language model that failed, which no document carries."""
_REVISED = r"\d+[A-Z]?(?:\(R\d\))?"
_GUIDELINE = re.compile(rf"\bICH [EMQS]{_REVISED}(?:(?:,| and|, and) (?:ICH )?[EMQS]{_REVISED})*(?!\w)")
"""Guidelines that a study follows: no finding, and carried by no record."""
_NUMBER_ALONE = re.compile(r"[\d\s.,–<>≤≥~±-]+")


@dataclass(frozen=True, slots=True)
class Shown:
    """A text of a report: where it stands, and what it rests on.

    A cell is read with what stands `before` it, the property and the subject of its row, and with the unit of
    its column `after` it. `whole` texts stand or fall as one; of the others each clause does by itself. A
    `remark` tells of the work alone: plain numbers and what `_OF_THE_WORK` names are its own. `outputs` are
    the texts of its `origin`'s computation. `beside` is what is
    proposed or computed under the same heading. What `never` stands claims an origin that it has not.
    """

    place: str
    text: str
    support: Support
    before: str = ""
    after: str = ""
    whole: bool = True
    remark: bool = False
    origin: Origin | None = None
    outputs: tuple[str, ...] = ()
    beside: "Beside" = ()
    never: bool = False

    @property
    def verbatim(self) -> bool:
        """Whether the text stands word for word in a citation that also names what the text is read with.

        A text that is read with the unit of its column does not: its citation may give another unit.
        """
        about = self.before.strip(": ")
        return not (self.support.orphan or self.after or self.never) and any(
            one.says(self.text) and (not about or one.names(about)) for one in self.support.carriers
        )

    def read(self, clause: str) -> str:
        """A clause of the text as it is understood in its place."""
        clause = _OF_THE_WORK.sub("", clause) if self.remark else _MODEL_AT.sub("", clause)
        clause = _GUIDELINE.sub("", clause)
        return f"{self.before}{clause.strip('; ')}{self.after}"


Beside = tuple[tuple[str, tuple[str, ...]], ...]
"""Texts by the kind of their origin."""
NOT_MADE = "no computation of this run made it"
Keep = Callable[[Shown], str]
"""What is kept of a text: all, some clauses, or "" for nothing."""
STRUCK_CELL = "–"


def rewritten(report: Report, keep: Keep) -> Report:
    """The report with what `keep` leaves of each text; blocks and sections without any are gone."""
    return _Walk(report, keep).report()


class _Walk:
    """One walk over one report."""

    def __init__(self, report: Report, keep: Keep) -> None:
        self.source = report
        self.keep = keep
        self.carriers = {one.number: carrier_of(one) for one in report.citations}
        titles = (section.title for section in report.sections)
        self.asked = (text_carrier("\n".join((report.title, *titles, *report.options, *report.about))),)
        self.derived: tuple[Derivation, ...] = sound(
            report.derived, tuple(self.carriers.values()), self.asked
        )
        self.message = not report.found
        self.computed: dict[str, Computation] = {}

    def report(self) -> Report:
        """The report, texts of sections first: the short answer rests on what is left of them."""
        source = self.source
        sections = tuple(self.section(section) for section in source.sections)
        everything = tuple(self.carriers.values())
        derived = tuple(dict.fromkeys((*self.derived, *self._computed(source.sections))))
        support = self._support(everything, derived)
        return replace(
            source,
            sections=sections,
            short=self._free("short answer", source.short, support, beside(sections)),
            notes=self._lines("note", source.notes, derived),
            not_found=self._lines("what was not found", source.not_found, derived),
        )

    def section(self, section: Section) -> Section:
        """A section, heading by heading."""
        blocks: list[Block] = []
        self.computed = {one.key: one for one in section.computations if is_sound(one)}
        for part in parts(section.blocks):
            numbers = tuple(dict.fromkeys(chain.from_iterable(map(cited_by, part))))
            derived = (*self.derived, *self._computed([replace(section, blocks=tuple(part))]))
            support = self._support(
                self._cited(numbers or [one.number for one in section.citations]), derived
            )
            kept = [None if is_line(one) else self.block(one, support, section.title) for one in part]
            left = [one for one in kept if one]
            told = beside([replace(section, blocks=tuple(left))])
            by = next(
                (one for one in chain.from_iterable(map(origins_of, left)) if one.kind == PROPOSED), None
            )
            blocks += filter(
                None,
                (
                    self.line(one, support, told, by) if is_line(one) else stands
                    for one, stands in zip(part, kept, strict=True)
                ),
            )
        return replace(section, blocks=tuple(blocks))

    def line(
        self, block: Heading | Paragraph, support: Support, told: Beside, by: Origin | None
    ) -> Block | None:
        """A heading or a paragraph, or None if nothing of it is left. A smaller heading over what somebody
        proposed (`by`) is proposed with it.
        """
        if isinstance(block, Paragraph) and block.remark:
            text = self._remark(block.text)
            return replace(block, text=text) if text else None
        place = "heading" if isinstance(block, Heading) else "headline" if block.strong else "paragraph"
        rests = replace(support, message=support.message or isinstance(block, Heading))
        if isinstance(block, Heading) and block.level > 2 and by:
            text = self.keep(Shown(place, block.text, replace(rests, carriers=()), origin=by))
        else:
            text = self._free(place, block.text, rests, told)
        return replace(block, text=text) if text else None

    def block(self, block: Block, support: Support, title: str) -> Block | None:
        """A block, or None if nothing of it is left. `support` is that of its part of the section."""
        if isinstance(block, Prose | Points):
            strong = isinstance(block, Prose) and block.strong
            honest = (
                replace(one, origin=self._honest(one.origin, one.citations)) for one in block.statements
            )
            kept = (replace(one, text=self._kept(one, support, strong)) for one in honest)
            statements = tuple(one for one in kept if one.text)
            return replace(block, statements=statements) if statements else None
        if isinstance(block, Table):
            return self.table(block, support)
        if isinstance(block, Figure | Structure):
            return self.picture(block, support, title)
        return self.code(block, title) if isinstance(block, Code) else block

    def picture(self, block: Figure | Structure, support: Support, title: str) -> Block | None:
        """A figure or a structure; a figure that is computed is a file of its computation."""
        origin = self._honest(block.origin, block.citations)
        text = f"{block.title}. {block.text}" if isinstance(block, Figure) else block.name
        carriers = self._cited(block.citations) or (() if origin else support.carriers)
        shown = self._of(Shown(f"figure in {title}", text, replace(support, carriers=carriers)), origin)
        if isinstance(block, Figure) and block.origin and not self._made(block, origin):
            shown = replace(shown, text=text or block.sha256, never=True)
        return replace(block, origin=origin) if not shown.text or self.keep(shown) else None

    def code(self, code: Code, title: str) -> Block | None:
        """A program, with what it printed if it ran; None for one of which neither a computation nor somebody
        who proposes it is known.
        """
        origin = self._honest(code.origin, ())
        ran = origin is not None and origin.key in self.computed and has_run(code, self.computed[origin.key])
        stands = ran or (origin is not None and origin.kind == PROPOSED and not code.output)
        if stands:
            return code
        return code if self.keep(Shown(f"program in {title}", code.text, Support(()), never=True)) else None

    def table(self, table: Table, support: Support) -> Table | None:
        """A table; a cell that falls leaves a dash, and a table whose heads fall is gone. Heads of one that
        somebody proposes are proposed. One that a citation quotes row by row is shown as it stands there.
        """
        cited = [one for one in self.source.citations if one.number in cited_by(table)]
        if table.origin is None and any(quotes_table(one, table) for one in cited):
            return table
        origin = self._honest(table.origin, cited_by(table))
        text = " ; ".join(filter(None, (table.title, *table.columns)))
        heads = Shown(f"heads of table “{table.title}”", text, replace(support, message=True))
        if not self.keep(self._of(heads, origin) if origin and origin.kind == PROPOSED else heads):
            return None
        honest = replace(table, origin=origin)
        rows = tuple(
            tuple(self.cell(honest, row, place, support) for place in range(len(row))) for row in table.rows
        )
        return replace(table, rows=rows, origin=origin)

    def cell(self, table: Table, row: Sequence[Cell], place: int, support: Support) -> Cell:
        """A cell in its row. One without citations of its own rests on those of the row."""
        cell = row[place]
        numbers = cell.citations or tuple(chain.from_iterable(one.citations for one in row))
        own = replace(support, carriers=self._cited(numbers))
        before, after = around(table, row, place)
        shown = Shown(f"table “{table.title}”", cell.text, own, before, after, whole=False)
        if table.origin and not cell.citations:
            shown = self._of(replace(shown, support=replace(own, carriers=())), table.origin)
        kept = self.keep(shown) if cell.text else ""
        return replace(cell, text=kept) if kept else Cell(STRUCK_CELL if cell.text else "", ())

    def _kept(self, statement: Statement, support: Support, strong: bool) -> str:
        """What of a statement stands. One without citations rests on those around it.

        It may lose a clause or an aside. The `strong` one is the line that answers.
        """
        claim = statement.claim
        own = self._cited(statement.citations)
        if claim is not None and claim.keys:
            own = tuple(one for one in own if one.key in claim.keys)
        cites = bool(statement.citations) or bool(claim and claim.keys)
        derived = (*self.derived, *(sound(claim.derived, own) if claim else ()))
        rests = replace(support, carriers=own, derived=derived) if cites else support
        rests = replace(rests, orphan=cites and not own)
        rests = replace(rests, carriers=()) if statement.origin and not cites else rests
        shown = Shown("headline" if strong else "statement", statement.text, rests, whole=False)
        return self.keep(self._of(shown, statement.origin)) if statement.text else ""

    def _lines(self, place: str, lines: Iterable[str], derived: tuple[Derivation, ...]) -> tuple[str, ...]:
        """Lines beside the sections; one that marks its citations rests on these alone."""
        kept = []
        for line in lines:
            numbers = [int(number) for number in TYPED.findall(line)]
            carriers = self._cited(numbers) if numbers else tuple(self.carriers.values())
            support = replace(self._support(carriers, derived), message=not numbers)
            marks = "".join(f"[{number}]" for number in numbers)
            words = self._free(place, TYPED.sub("", line).strip(), support)
            kept.append(f"{words} {marks}".strip() if words else "")
        return tuple(filter(None, kept))

    def _remark(self, text: str) -> str:
        """A remark on the work; an amount, a date or an identifier in it is a finding without a source."""
        support = Support((), names=(*self.source.about, *self.source.options), message=True)
        return self.keep(Shown("remark", text, support, whole=False, remark=True))

    def _free(self, place: str, text: str, support: Support, told: Beside = ()) -> str:
        return self.keep(Shown(place, text, support, whole=False, beside=told)) if text else ""

    def _honest(self, origin: Origin | None, citations: Sequence[int]) -> Origin | None:
        """An origin, if it is what it says."""
        if origin is None or is_honest(origin, self.computed, bool(citations)):
            return origin
        self.keep(Shown("origin", origin.line, Support(()), never=True))
        return None

    def _of(self, shown: Shown, origin: Origin | None) -> Shown:
        """A text with its origin."""
        by = self.computed.get(origin.key) if origin else None
        return replace(shown, origin=origin, outputs=by.texts if by else ())

    def _made(self, figure: Figure, origin: Origin | None) -> bool:
        """Whether a figure is a file of the computation that it names, if it names one."""
        if origin is None or not origin.key:
            return origin is not None
        return {figure.sha256, figure.dark or figure.sha256} <= set(self.computed[origin.key].files)

    def _support(self, carriers: tuple[Carrier, ...], derived: tuple[Derivation, ...]) -> Support:
        given = self.asked if self.message else ()
        return Support(
            carriers,
            derived,
            given,
            (*self.source.about, *self.source.options),
            self.message,
            self.source.title,
        )

    def _cited(self, numbers: Iterable[int]) -> tuple[Carrier, ...]:
        return tuple(self.carriers[number] for number in dict.fromkeys(numbers) if number in self.carriers)

    def _computed(self, sections: Iterable[Section]) -> tuple[Derivation, ...]:
        """The derived numbers of statements, where they are sound."""
        claims = [
            (one.claim, one.citations) for section in sections for one in section.statements if one.claim
        ]
        return tuple(one for claim, numbers in claims for one in sound(claim.derived, self._cited(numbers)))


def is_line(block: Block) -> TypeGuard[Heading | Paragraph]:
    """Whether a block is a line of text, which rests on what stands below it."""
    return isinstance(block, Heading | Paragraph)


def beside(sections: Iterable[Section]) -> Beside:
    """What is proposed or computed in some sections, a table as one text: a line above may retell it."""
    told: dict[str, list[str]] = {}
    for block in chain.from_iterable(section.blocks for section in sections):
        if isinstance(block, Prose | Points):
            for one in block.statements:
                told.setdefault(one.origin.kind if one.origin else "", []).append(one.text)
        elif isinstance(block, Table) and block.origin:
            lines = [block.columns, *(tuple(cell.text for cell in row) for row in block.rows)]
            told.setdefault(block.origin.kind, []).append("\n".join(map(" ".join, lines)))
    return tuple((kind, tuple(texts)) for kind, texts in told.items() if kind)


def parts(blocks: Sequence[Block]) -> list[list[Block]]:
    """The blocks of a section from one large heading to the next."""
    found: list[list[Block]] = [[]]
    for block in blocks:
        if isinstance(block, Heading) and block.level <= 2 and found[-1]:
            found.append([])
        found[-1].append(block)
    return found


def quotes_table(citation: Citation, table: Table) -> bool:
    """Whether a citation quotes a table: each of its rows, under the same heads and caption."""
    lines = {cells(line) for line in citation.quote.splitlines() if line.lstrip().startswith("|")}
    titles = (citation.caption, citation.title, *citation.section[-1:])
    heads = table.columns in lines or table.columns == citation.header
    return (
        heads
        and table.title in titles
        and lines.issuperset(tuple(one.text for one in row) for row in table.rows)
    )


def around(table: Table, row: Sequence[Cell], place: int) -> tuple[str, str]:
    """What a cell is read with: what its row is about and the property that its head or another cell names,
    before it; the unit of its head after it, or with the property where more than a number stands there.
    """
    text = row[place].text
    head = table.columns[place] if place < len(table.columns) else ""
    units, alone = find_units(head), bool(_NUMBER_ALONE.fullmatch(text))
    label = f"{row[0].text}: " if place and row[0].text and not row[0].citations else ""
    if not re.match(r"[\s<>≤≥~≈]*\d", text):
        return label, ""
    named = [measure_named(head), *(measure_named(cell.text, whole=True) for cell in row)]
    measured = next(filter(None, named), "")
    unit = f" ({units[0].text})" if units and not alone else ""
    before = f"{measured}{unit}: " if measured else ""
    return label + before, f" {units[0].text}" if units and alone else ""
