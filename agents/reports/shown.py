"""Every text that a report shows, with what it rests on. The gate and its evaluation read reports through
this walk, so that neither can forget a place.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from agents.reports.values import (
    Block,
    Cell,
    Figure,
    Heading,
    Paragraph,
    Points,
    Prose,
    Report,
    Section,
    Statement,
    Structure,
    Table,
)
from agents.trust.carrier import Carrier, carrier_of, text_carrier
from agents.trust.measures import measure_named
from agents.trust.support import Support, sound
from agents.trust.units import find_units
from agents.trust.values import Derivation

MARK = re.compile(r"\[(\d+)\]")
_OF_THE_WORK = re.compile(
    r"\bwithin [\d.]+ s(?:econds)?\b|\basked again in \d+ (?:s|minutes)\b"
    r"|\bstatus \d{3}\b|\b(?:once|twice|(?:three|four|\d) times)\b|\bp at most 5E-8\b"
)
"""What the work itself is told with: time given to a source, its status, attempts, the usual threshold."""
_MODEL_AT = re.compile(r"\b(?<=language model) at https?://\S+")
"""The address of a language model that failed, which no document carries."""
_NUMBER_ALONE = re.compile(r"[\d\s.,–<>≤≥~±-]+")


@dataclass(frozen=True, slots=True)
class Shown:
    """A text of a report: where it stands, and what it rests on.

    A cell is read with what stands `before` it, the property and the subject of its row, and with the unit of
    its column `after` it. `whole` texts stand or fall as one; of the others each clause does by itself. A
    `remark` tells of the work alone: plain numbers and what `_OF_THE_WORK` names are its own.
    """

    place: str
    text: str
    support: Support
    before: str = ""
    after: str = ""
    whole: bool = True
    remark: bool = False

    @property
    def verbatim(self) -> bool:
        """Whether the text stands word for word in a citation that also names what the text is read with.

        A text that is read with the unit of its column does not: its citation may give another unit.
        """
        about = self.before.strip(": ")
        return not (self.support.orphan or self.after) and any(
            one.says(self.text) and (not about or one.names(about)) for one in self.support.carriers
        )

    def read(self, clause: str) -> str:
        """A clause of the text as it is understood in its place."""
        clause = _OF_THE_WORK.sub("", clause) if self.remark else _MODEL_AT.sub("", clause)
        return f"{self.before}{clause.strip('; ')}{self.after}"


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
            short=self._free("short answer", source.short, support),
            notes=self._lines("note", source.notes, derived),
            not_found=self._lines("what was not found", source.not_found, derived),
        )

    def section(self, section: Section) -> Section:
        """A section, heading by heading."""
        blocks: list[Block] = []
        for part in parts(section.blocks):
            numbers = tuple(dict.fromkeys(chain.from_iterable(map(cited_by, part))))
            derived = (*self.derived, *self._computed([replace(section, blocks=tuple(part))]))
            support = self._support(
                self._cited(numbers or [one.number for one in section.citations]), derived
            )
            blocks += filter(None, (self.block(block, support, section.title) for block in part))
        return replace(section, blocks=tuple(blocks))

    def block(self, block: Block, support: Support, title: str) -> Block | None:
        """A block, or None if nothing of it is left. `support` is that of its part of the section."""
        if isinstance(block, Paragraph) and block.remark:
            text = self._remark(block.text)
            return replace(block, text=text) if text else None
        if isinstance(block, Heading | Paragraph):
            place = "heading" if isinstance(block, Heading) else "headline" if block.strong else "paragraph"
            rests = replace(support, message=support.message or isinstance(block, Heading))
            text = self._free(place, block.text, rests)
            return replace(block, text=text) if text else None
        if isinstance(block, Prose | Points):
            strong = isinstance(block, Prose) and block.strong
            kept = (replace(one, text=self._kept(one, support, strong)) for one in block.statements)
            statements = tuple(one for one in kept if one.text)
            return replace(block, statements=statements) if statements else None
        if isinstance(block, Table):
            return self.table(block, support)
        if isinstance(block, Figure | Structure):
            text = f"{block.title}. {block.text}" if isinstance(block, Figure) else block.name
            own = replace(support, carriers=self._cited(block.citations) or support.carriers)
            return block if not text or self.keep(Shown(f"figure in {title}", text, own)) else None
        return block

    def table(self, table: Table, support: Support) -> Table | None:
        """A table; a cell that falls leaves a dash, and a table whose heads fall is gone."""
        heads = " ; ".join(filter(None, (table.title, *table.columns)))
        if not self.keep(Shown(f"heads of table “{table.title}”", heads, replace(support, message=True))):
            return None
        rows = tuple(
            tuple(self.cell(table, row, place, support) for place in range(len(row))) for row in table.rows
        )
        return replace(table, rows=rows)

    def cell(self, table: Table, row: Sequence[Cell], place: int, support: Support) -> Cell:
        """A cell in its row. One without citations of its own rests on those of the row."""
        cell = row[place]
        numbers = cell.citations or tuple(chain.from_iterable(one.citations for one in row))
        own = replace(support, carriers=self._cited(numbers))
        before, after = around(table, row, place)
        shown = Shown(f"table “{table.title}”", cell.text, own, before, after, whole=False)
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
        place = "headline" if strong else "statement"
        return self._free(place, statement.text, rests)

    def _lines(self, place: str, lines: Iterable[str], derived: tuple[Derivation, ...]) -> tuple[str, ...]:
        """Lines beside the sections; one that marks its citations rests on these alone."""
        kept = []
        for line in lines:
            numbers = [int(number) for number in MARK.findall(line)]
            carriers = self._cited(numbers) if numbers else tuple(self.carriers.values())
            support = replace(self._support(carriers, derived), message=not numbers)
            marks = "".join(f"[{number}]" for number in numbers)
            words = self._free(place, MARK.sub("", line).strip(), support)
            kept.append(f"{words} {marks}".strip() if words else "")
        return tuple(filter(None, kept))

    def _remark(self, text: str) -> str:
        """A remark on the work; an amount, a date or an identifier in it is a finding without a source."""
        support = Support((), names=(*self.source.about, *self.source.options), message=True)
        return self.keep(Shown("remark", text, support, whole=False, remark=True))

    def _free(self, place: str, text: str, support: Support) -> str:
        return self.keep(Shown(place, text, support, whole=False)) if text else ""

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


def parts(blocks: Sequence[Block]) -> list[list[Block]]:
    """The blocks of a section from one large heading to the next."""
    found: list[list[Block]] = [[]]
    for block in blocks:
        if isinstance(block, Heading) and block.level <= 2 and found[-1]:
            found.append([])
        found[-1].append(block)
    return found


def cited_by(block: Block) -> tuple[int, ...]:
    """The numbers that a block cites."""
    if isinstance(block, Prose | Points):
        return tuple(number for one in block.statements for number in one.citations)
    if isinstance(block, Table):
        return tuple(number for row in block.rows for cell in row for number in cell.citations)
    return block.citations if isinstance(block, Figure | Structure) else ()


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
