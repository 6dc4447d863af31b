"""Columns of a table of molecules that no question type answers: dose levels such as the NOAEL, and where a
molecule stands.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agents.archive.overview.measured import Measure, of_documents
from agents.archive.overview.page import Desk
from agents.archive.overview.ranked import with_asides
from agents.archive.overview.status_table import state_of
from agents.archive.research.drafting import listed
from agents.archive.research.patterns.species import species_in
from agents.archive.research.vocabulary import terms
from agents.reports.compose import Composer
from agents.reports.values import Cell
from retrieval.molecules.lookup import mentions
from retrieval.values import Molecule, Passage, TableRow

STATUS = re.compile(r"\b(?:status|stages?|phases?)\b(?! ?(?:\d|[IV]+\b))", re.I)
TARGET_HEAD = re.compile(r"(?:(?:molecular |drug )?targets?|mechanism(?: of action)?|mode of action)", re.I)
NOT_STATED = "not stated"
UNREAD = "not read for certain"
"""What a cell says where passages name a quantity and no value of it was read."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its head, and for molecules that it knows a text with the keys of its passages."""

    name: str
    cells: dict[str, tuple[str, tuple[str, ...]]]

    def cell(self, composer: Composer, molecule: str) -> Cell:
        """What the column says of a molecule, cited."""
        text, keys = self.cells.get(molecule, (NOT_STATED, ()))
        return composer.cell(text, keys)


def levels_in(text: str) -> list[str]:
    """The dose levels that a question names."""
    return [term.name for term in terms("levels") if term.words.search(text)]


async def columns_asked(
    desk: Desk, text: str, names: Sequence[str], registry: Sequence[Molecule], projects: Sequence[Passage]
) -> list[Column]:
    """The columns that a question names; that of the status where rows of a table of projects tell it."""
    species = frozenset(name for _, name in species_in(text)) - {"animal"}
    levels = [Measure(name, name, "levels", species) for name in levels_in(text)]
    found = [await of_level(desk, text, measure, names, registry) for measure in levels]
    return [*found, of_status(desk, projects, registry)] if projects else found


async def of_level(
    desk: Desk, text: str, measure: Measure, names: Sequence[str], registry: Sequence[Molecule]
) -> Column:
    """The values of a dose level that the documents of each molecule state, with their species."""
    cells: dict[str, tuple[str, tuple[str, ...]]] = {}
    for name in names:
        told = await of_documents(desk, text, measure, name, registry)
        shown = dict.fromkeys(with_asides(value.text, value.species, value.dose) for value in told.values)
        if shown:
            cells[name] = listed(list(shown)), tuple(key for value in told.values for key in value.keys)
        elif told.unread:
            cells[name] = UNREAD, told.unread
    return Column(measure.name, cells)


def of_status(desk: Desk, projects: Sequence[Passage], registry: Sequence[Molecule]) -> Column:
    """Where the rows of a table of projects say that each molecule stands, with its date in the head."""
    dates = dict.fromkeys(desk.checker.records[passage.doc_id].date for passage in projects)
    dated = "".join(f" ({date})" for date in dates if date)
    return of_rows(desk, projects, registry, f"Status{dated}", state_of)


def of_targets(desk: Desk, projects: Sequence[Passage], registry: Sequence[Molecule]) -> Column:
    """What the rows of a table of projects say that each molecule acts on."""
    return of_rows(desk, projects, registry, "Target", target_of)


def target_of(row: TableRow) -> str:
    """The cell that says what a molecule acts on; "" where no column does."""
    cells = zip(row.header, row.cells, strict=True)
    return next((cell.strip() for head, cell in cells if TARGET_HEAD.fullmatch(head.strip())), "")


def of_rows(
    desk: Desk,
    projects: Sequence[Passage],
    registry: Sequence[Molecule],
    head: str,
    read: Callable[[TableRow], str],
) -> Column:
    """What is read from the row of each molecule that has it first."""
    cells: dict[str, tuple[str, tuple[str, ...]]] = {}
    for passage in projects:
        if (row := passage.row) is None or not (told := read(row)):
            continue
        for _, _, name in mentions(row.cells[0], registry):
            cells[name] = told, (desk.key(passage),)
    return Column(head, cells)
