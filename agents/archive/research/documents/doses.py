"""Every dose in the documents of a molecule, in sentences and in tables."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from agents.archive.answer import Realisation
from agents.archive.research.documents.attribution import (
    added_partner,
    attributed_drug,
    resolved,
    table_drug,
    unknown_drug,
)
from agents.archive.research.documents.context import (
    design_of,
    dose_realisation,
    is_human,
    phases_at,
)
from agents.archive.research.documents.document import AnnotatedDocument, DocumentKind
from agents.archive.research.documents.dose_mentions import DoseMention
from agents.archive.research.documents.given import denied, says_dosed
from agents.archive.research.documents.lines import DrugMention, Line, Referent
from agents.archive.research.patterns.amounts import dose_quantities, frequency_at, frequency_of, rate_of
from agents.archive.research.patterns.designs import Design
from agents.archive.research.patterns.species import nearest_population
from agents.text.quantity import Quantity

HAS_DIGIT_OR_UNIT = re.compile(r"\d|gram|\bmg\b", re.IGNORECASE)
DOSE_HEAD = re.compile(r"\bdos(?:e|es|age)\b", re.IGNORECASE)
HEADER_UNIT = re.compile(r"\((?P<unit>[^()]*(?:mg|µg|mcg|g|IU|U)(?:/\w+)*[^()]*)\)")
WITH_PARTNER = re.compile(r"\s?(?:\+|plus\b|(?:in combination )?with\b)\s?(?=[^;]{3,50}$)[^;]*[A-Za-z]{2}")
BARE = re.compile(r"\d[\d.,]*")


@lru_cache(maxsize=256)
def doses_of(document: AnnotatedDocument) -> tuple[DoseMention, ...]:
    """Every dose in a document, in order. Kept, because most question types ask for them.

    A level that the document says was not given was so nowhere in it, unless a sentence says who got it.
    """
    found = [
        dose
        for line in document.lines
        if HAS_DIGIT_OR_UNIT.search(line.text)
        for dose in doses_in(document, line)
    ]
    never = {level_of(dose) for dose in found if is_denied(dose)}
    return tuple(
        replace(dose, realisation=Realisation.PLANNED) if level_of(dose) in never and is_bare(dose) else dose
        for dose in found
    )


def is_bare(dose: DoseMention) -> bool:
    """Whether a dose only counts as given because nothing is said against it where it stands."""
    return dose.realisation is Realisation.ACTUAL and not says_dosed(dose.line.text)


def level_of(dose: DoseMention) -> tuple[bool, str, float, Design | None]:
    """What makes a dose level of a study: drug, amount, single or repeated."""
    return dose.is_this, dose.dimension, dose.quantity.standard_high, dose.design


def is_denied(dose: DoseMention) -> bool:
    """Whether the sentence of a dose says that it was not given."""
    return dose.line.row is None and denied(dose.document.lines, dose.line, dose.place)


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
            often = frequency_at(line.text, quantity) or frequency_together(line, quantity)
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
        given_to_humans(document, line, place, quantity),
        design_of(document, line, place, rate_of(quantity)),
        phases_at(document, line, place),
        dose_realisation(document, line, place, column),
        column,
    )


def frequency_together(line: Line, quantity: Quantity) -> str:
    """The frequency of a partner's dose that the dose is given with: "X 60 mg + Y 400 mg once daily"."""
    following = next((q for q in dose_quantities(line.text) if q.start > quantity.end), None)
    if following is None or not WITH_PARTNER.match(line.text[quantity.end : following.start]):
        return ""
    return frequency_at(line.text, following)


def given_to_humans(document: AnnotatedDocument, line: Line, place: int, quantity: Quantity) -> bool | None:
    """Whether a dose was given to humans.

    Where its line names no animals, an amount without a body weight was: animals get mg/kg. Where it does,
    such an amount is of nobody known ("the NOAEL in the minipig and the AUC at 45 mg").
    """
    told = is_human(document, line, place)
    if told or "/" in quantity.standard_unit.removesuffix("/day").removesuffix("/week"):
        return told
    if document.kind is DocumentKind.NONCLINICAL:
        return told
    return True if nearest_population(line.text, place) is None else None


def doses_in_row(document: AnnotatedDocument, line: Line) -> Iterator[DoseMention]:
    """Doses in the cells of a row, read with the drugs that the cell, its column or the row names."""
    assert line.row is not None
    for column, cell in enumerate(line.row.cells):
        for quantity in cell_quantities(cell, line.row.header[column]):
            drug = cell_drug(document, line, column, quantity)
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


def cell_drug(
    document: AnnotatedDocument, line: Line, column: int, quantity: Quantity | None = None
) -> DrugMention | None:
    """Whose a cell is: that of its own drug, of its column, of the first cell of the row, or of the table.

    Of several drugs in the cell, a dose belongs to the last before it, or else to the first behind it.
    """
    assert line.row is not None
    cell = line.row.cells[column]
    if quantity is not None:
        if (partner := added_partner(drugs_named(document, cell), cell[: quantity.start])) is not None:
            return partner
        if unknown := unknown_drug(cell, drugs_named(document, cell), quantity.start, quantity.end):
            return unknown
        if earlier := [drug for drug in drugs_named(document, cell) if drug.end <= quantity.start]:
            return resolved(document, earlier[-1])
    return first_named(document, line, cell, line.row.header[column], line.row.cells[0])


def first_named(document: AnnotatedDocument, line: Line, *texts: str) -> DrugMention | None:
    """The drug of the first of some texts of a table that names one, or else of the table."""
    named = next((found for text in texts if (found := drugs_named(document, text))), None)
    return resolved(document, named[0]) if named else table_drug(document, line)


def drugs_named(document: AnnotatedDocument, text: str) -> list[DrugMention]:
    """Drugs in a cell, without placebo."""
    return [drug for drug in document.names.drugs_in(text) if drug.referent is not Referent.PLACEBO]
