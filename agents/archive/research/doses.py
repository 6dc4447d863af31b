"""Every dose in the documents of a molecule, with all that decides whether it answers a question.

A dose is a `DoseMention`: whose it is, given to whom, once or repeatedly, in which phase, done or planned.
The
questions for doses differ only in the guards that they ask (`agents.archive.research.guards`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from agents.archive.answer import Realisation
from agents.archive.research.amounts import (
    OFTEN,
    TIMES_A_DAY,
    dose_quantities,
    frequency_of,
    often_at,
    rate_of,
    unit_text,
)
from agents.archive.research.attribution import owner, settled, topic
from agents.archive.research.context import (
    Design,
    design_of,
    is_human,
    nearest_population,
    phases_at,
    realisation_of,
)
from agents.archive.research.reading import Agent, Line, Role
from agents.archive.research.study import Kind, Study
from agents.trust.quantities import Quantity

HAS_DIGIT_OR_UNIT = re.compile(r"\d|gram|\bmg\b", re.IGNORECASE)


HEADER_UNIT = re.compile(r"\((?P<unit>[^()]*(?:mg|µg|mcg|g|IU|U)(?:/\w+)*[^()]*)\)")


BARE = re.compile(r"\d[\d.,]*")


SHORT_BID = re.compile(r"\s?(b\.i\.d\.|t\.i\.d\.|q\.i\.d\.)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DoseMention:
    """A dose in its place. `place` is its offset in the line's text; `column` that of a table cell it stands
    in or heads.

    `human` is None where nothing tells, `agent` None where the dose cannot be attributed.
    """

    study: Study
    line: Line
    quantity: Quantity
    place: int
    agent: Agent | None
    human: bool | None
    design: Design | None
    phases: frozenset[int]
    realisation: Realisation
    column: int | None = None

    @property
    def is_this(self) -> bool:
        """Whether it is a dose of the molecule asked about."""
        return self.agent is not None and self.agent.role is Role.THIS

    @property
    def amount(self) -> float:
        """The upper bound in standard units, over a day where a daily frequency is known; for comparison."""
        return self.quantity.standard_high * TIMES_A_DAY.get(self.quantity.frequency, 1)

    @property
    def dimension(self) -> str:
        """What amounts can be compared with: flat, per body weight, per body surface."""
        return self.quantity.standard_unit.removesuffix("/day").removesuffix("/week")

    @property
    def text(self) -> str:
        """The dose as an answer writes it, "15 mg b.i.d."."""
        return " ".join(filter(None, (self.single_text, self.often)))

    @property
    def single_text(self) -> str:
        """Value and unit without the frequency."""
        q = self.quantity
        value = f"{q.low:g}-{q.high:g}" if q.is_range else f"{q.high:g}"
        return f"{value} {unit_text(q)}"

    @property
    def often(self) -> str:
        """The frequency in words; "" where none is stated."""
        if short := SHORT_BID.match(self.line.text, self.place + len(self.quantity.text)):
            return short[1]
        if self.quantity.standard_unit.endswith("/day"):
            return ""
        return OFTEN.get(self.quantity.frequency, self.quantity.frequency.lower())

    @property
    def lower(self) -> float:
        """The lower bound in standard units."""
        return self.quantity.standard_low


@lru_cache(maxsize=256)
def doses_of(study: Study) -> tuple[DoseMention, ...]:
    """Every dose in a document, in order. Kept, because most question types ask for them."""
    return tuple(
        dose for line in study.lines if HAS_DIGIT_OR_UNIT.search(line.text) for dose in doses_in(study, line)
    )


def all_doses(studies: Sequence[Study]) -> tuple[DoseMention, ...]:
    """Every dose in several documents."""
    return tuple(dose for study in studies for dose in doses_of(study))


def doses_in(study: Study, line: Line) -> Iterator[DoseMention]:
    """Doses of a sentence, or of a table row with those that head its columns."""
    if line.row is not None:
        yield from doses_in_row(study, line)
    else:
        for quantity in dose_quantities(line.text):
            yield mention(study, line, quantity, owner(study, line, quantity.start, quantity.end))


def mention(study: Study, line: Line, quantity: Quantity, agent: Agent | None) -> DoseMention:
    """A dose of a sentence in its context."""
    quantity = replace(quantity, frequency=often_at(line.text, quantity))
    return DoseMention(
        study,
        line,
        quantity,
        quantity.start,
        agent,
        given_to_humans(study, line, quantity.start, quantity),
        design_of(study, line, quantity.start, rate_of(quantity)),
        phases_at(study, line, quantity.start),
        realisation_of(study, line, quantity.start),
    )


def given_to_humans(study: Study, line: Line, place: int, quantity: Quantity) -> bool | None:
    """Whether a dose was given to humans.

    Where its line names no animals, an amount without a body weight was: animals get mg/kg.
    """
    told = is_human(study, line, place)
    if told or "/kg" in quantity.standard_unit or study.kind is Kind.NONCLINICAL:
        return told
    return True if nearest_population(line.text, place) is None else told


def doses_in_row(study: Study, line: Line) -> Iterator[DoseMention]:
    """Doses in the cells of a row, read with the drugs that the cell, its column or the row names."""
    assert line.row is not None
    for column, cell in enumerate(line.row.cells):
        for quantity in cell_quantities(cell, line.row.header[column]):
            yield cell_mention(study, line, column, quantity, cell_agent(study, line, column))


def column_doses(study: Study, line: Line) -> Iterator[DoseMention]:
    """The doses that head the columns of a row ("| 5 mg b.i.d. | 10 mg b.i.d. |")."""
    assert line.row is not None
    for column, head in enumerate(line.row.header):
        for quantity in list(dose_quantities(head))[:1] if column else []:
            yield cell_mention(study, line, column, quantity, head_agent(study, line, column))


def cell_quantities(cell: str, head: str) -> Iterator[Quantity]:
    """Doses of a cell; a bare number takes the unit of a column headed "Dose (mg)"."""
    found = list(dose_quantities(cell))
    unit = HEADER_UNIT.search(head)
    if (
        not found
        and unit
        and re.search(r"\bdos(?:e|es|age)\b", head, re.IGNORECASE)
        and BARE.fullmatch(cell.strip())
    ):
        found = list(dose_quantities(f"{cell.strip()} {unit['unit']}"))
    yield from found


def cell_mention(
    study: Study, line: Line, column: int, quantity: Quantity, agent: Agent | None
) -> DoseMention:
    """A dose of a table in its context."""
    assert line.row is not None
    place = sum(len(cell) + 3 for cell in line.row.cells[:column])
    around = f"{line.row.header[column]} {line.row.caption}"
    often = quantity.frequency or frequency_of(around)
    return DoseMention(
        study,
        line,
        replace(quantity, frequency=often) if often else quantity,
        place + quantity.start,
        agent,
        given_to_humans(study, line, place, quantity),
        design_of(study, line, place, often or rate_of(quantity)),
        phases_at(study, line, place),
        realisation_of(study, line, place, column),
        column,
    )


def cell_agent(study: Study, line: Line, column: int) -> Agent | None:
    """Whose a cell is: of the drug in the cell, in its column's head, in the row's first cell, or of the
    table's.
    """
    assert line.row is not None
    for text in (line.row.cells[column], line.row.header[column], line.row.cells[0]):
        if found := drugs(study, text):
            return settled(study, found[0])
    return table_agent(study, line)


def head_agent(study: Study, line: Line, column: int) -> Agent | None:
    """Whose the dose in a column's head is."""
    assert line.row is not None
    found = drugs(study, line.row.header[column])
    return settled(study, found[0]) if found else table_agent(study, line)


def drugs(study: Study, text: str) -> list[Agent]:
    """Drugs in a cell, without placebo."""
    return [agent for agent in study.names.agents(text) if agent.role is not Role.PLACEBO]


def table_agent(study: Study, line: Line) -> Agent | None:
    """What a table is about, whatever its cells name."""
    return topic(study, replace(line, agents=()))
