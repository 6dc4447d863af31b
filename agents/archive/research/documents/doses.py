"""Every dose in the documents of a molecule, in sentences and in tables."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from agents.archive.research.documents.attribution import (
    attributed_drug,
    resolved,
    table_drug,
)
from agents.archive.research.documents.context import (
    design_of,
    is_human,
    phases_at,
    realisation_of,
)
from agents.archive.research.documents.document import AnnotatedDocument
from agents.archive.research.documents.dose_mentions import DoseMention
from agents.archive.research.documents.lines import DrugMention, Line, Referent
from agents.archive.research.patterns.amounts import dose_quantities, frequency_at, frequency_of, rate_of
from agents.text.quantity import Quantity

HAS_DIGIT_OR_UNIT = re.compile(r"\d|gram|\bmg\b", re.IGNORECASE)
DOSE_HEAD = re.compile(r"\bdos(?:e|es|age)\b", re.IGNORECASE)
HEADER_UNIT = re.compile(r"\((?P<unit>[^()]*(?:mg|µg|mcg|g|IU|U)(?:/\w+)*[^()]*)\)")
BARE = re.compile(r"\d[\d.,]*")


@lru_cache(maxsize=256)
def doses_of(document: AnnotatedDocument) -> tuple[DoseMention, ...]:
    """Every dose in a document, in order. Kept, because most question types ask for them."""
    return tuple(
        dose
        for line in document.lines
        if HAS_DIGIT_OR_UNIT.search(line.text)
        for dose in doses_in(document, line)
    )


def all_doses(documents: Sequence[AnnotatedDocument]) -> tuple[DoseMention, ...]:
    """Every dose in several documents."""
    return tuple(dose for document in documents for dose in doses_of(document))


def doses_in(document: AnnotatedDocument, line: Line) -> Iterator[DoseMention]:
    """Doses of a sentence, or of a table row with those that head its columns."""
    if line.row is not None:
        yield from doses_in_row(document, line)
    else:
        for quantity in dose_quantities(line.text):
            drug = attributed_drug(document, line, quantity.start, quantity.end)
            often = frequency_at(line.text, quantity)
            yield mention(document, line, replace(quantity, frequency=often), quantity.start, drug)


def mention(
    document: AnnotatedDocument,
    line: Line,
    quantity: Quantity,
    place: int,
    drug: DrugMention | None,
    column: int | None = None,
) -> DoseMention:
    """A dose in its context."""
    return DoseMention(
        document,
        line,
        quantity,
        place,
        drug,
        is_human(document, line, place),
        design_of(document, line, place, rate_of(quantity)),
        phases_at(document, line, place),
        realisation_of(document, line, place, column),
        column,
    )


def doses_in_row(document: AnnotatedDocument, line: Line) -> Iterator[DoseMention]:
    """Doses in the cells of a row, read with the drugs that the cell, its column or the row names."""
    assert line.row is not None
    for column, cell in enumerate(line.row.cells):
        for quantity in cell_quantities(cell, line.row.header[column]):
            drug = first_named(document, line, cell, line.row.header[column], line.row.cells[0])
            yield mention_in_cell(document, line, column, quantity, drug)


def column_doses(document: AnnotatedDocument, line: Line) -> Iterator[DoseMention]:
    """The doses that head the columns of a row ("| 5 mg b.i.d. | 10 mg b.i.d. |")."""
    assert line.row is not None
    for column, head in enumerate(line.row.header):
        for quantity in list(dose_quantities(head))[:1] if column else []:
            drug = first_named(document, line, head)
            yield mention_in_cell(document, line, column, quantity, drug)


def cell_quantities(cell: str, head: str) -> Iterator[Quantity]:
    """Doses of a cell; a bare number takes the unit of a column headed "Dose (mg)"."""
    unit = HEADER_UNIT.search(head) if DOSE_HEAD.search(head) else None
    bare = unit is not None and BARE.fullmatch(cell.strip())
    yield from dose_quantities(f"{cell.strip()} {unit['unit']}" if unit and bare else cell)


def mention_in_cell(
    document: AnnotatedDocument, line: Line, column: int, quantity: Quantity, drug: DrugMention | None
) -> DoseMention:
    """A dose of a table in its context."""
    assert line.row is not None
    place = sum(len(cell) + 3 for cell in line.row.cells[:column]) + quantity.start
    often = quantity.frequency or frequency_of(f"{line.row.header[column]} {line.row.caption}")
    return mention(document, line, replace(quantity, frequency=often), place, drug, column)


def first_named(document: AnnotatedDocument, line: Line, *texts: str) -> DrugMention | None:
    """The drug of the first of some texts of a table that names one, or else of the table."""
    named = next((found for text in texts if (found := drugs_named(document, text))), None)
    return resolved(document, named[0]) if named else table_drug(document, line)


def drugs_named(document: AnnotatedDocument, text: str) -> list[DrugMention]:
    """Drugs in a cell, without placebo."""
    return [drug for drug in document.names.drugs_in(text) if drug.referent is not Referent.PLACEBO]
