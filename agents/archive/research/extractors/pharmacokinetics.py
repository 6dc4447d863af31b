"""Pharmacokinetic values of a molecule by species: half-life, exposure, clearance and others."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.archive.answer import Realisation
from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.attribution import attributed_drug, table_drug, topic
from agents.archive.research.documents.context import realisation_of, species_of
from agents.archive.research.documents.document import AnnotatedDocument, DocumentKind
from agents.archive.research.documents.lines import DrugMention, Line
from agents.archive.research.drafting import absent, claims_of
from agents.archive.research.patterns.amounts import dose_quantities
from agents.archive.research.vocabulary import Term, any_term, terms, wording
from agents.archive.values import Draft, DraftField, ResearchInput
from agents.trust.quantities import parse_quantities
from agents.trust.quantity import Quantity

UNITS = {
    "half-life": re.compile(r"h|day|week"),
    "tmax": re.compile(r"h"),
    "AUC": re.compile(r".*[·*].*|.*h.*/.*mL.*"),
    "Cmax": re.compile(r"(?:ng|mg|nM|nmol)(?:/mL)?"),
    "clearance": re.compile(r".*mL.*|.*/h.*"),
    "volume of distribution": re.compile(r"mL.*"),
    "bioavailability": re.compile(r"%"),
    "protein binding": re.compile(r"%"),
    "excretion": re.compile(r"%"),
    "accumulation": re.compile(r"fold|%"),
}
"""Standard units in which a parameter can be given."""
REACH = 110
HEAD_UNIT = re.compile(r"\(([^()]*)\)\s*$")
NUMBER = re.compile(r"(?:about |>|<|~)?\d[\d.,]*(?:\s?(?:to|-|–)\s?\d[\d.,]*)?")
MOST = 10


@dataclass(frozen=True, slots=True)
class KineticValue:
    """A parameter's value in a species; `dose` is the one named beside it."""

    parameter: str
    quantity: str
    species: str
    dose: str
    document: AnnotatedDocument
    line: Line
    realisation: Realisation


def extract(research_input: ResearchInput) -> Draft:
    """Pharmacokinetic values of a molecule."""
    documents = annotated_documents(research_input)
    name = research_input.molecule.name
    found = [
        value
        for document in documents
        for line in document.lines
        if names_parameter(line)
        for value in values_in(document, line)
    ]
    if not found:
        return absent(f"The archive states no pharmacokinetic values of {name}.")
    return draft(name, found)


def names_parameter(line: Line) -> bool:
    """Whether a sentence, or a row with its head, names a parameter."""
    if line.is_heading:
        return False
    text = " | ".join((*line.row.header, line.row.cells[0])) if line.row else line.text
    return any_term("kinetics").search(text) is not None


def values_in(document: AnnotatedDocument, line: Line) -> Iterator[KineticValue]:
    """Values of a sentence or a table row."""
    if line.row is not None:
        yield from values_in_row(document, line)
    elif not wording("hypothetical").search(line.text) or document.kind not in (
        DocumentKind.REGISTRY,
        DocumentKind.PROTOCOL,
    ):
        for term in terms("kinetics"):
            for match in term.words.finditer(line.text):
                yield from values_behind(document, line, term, match)


def values_behind(
    document: AnnotatedDocument, line: Line, term: Term, match: re.Match[str]
) -> Iterator[KineticValue]:
    """The first fitting quantity behind a parameter's name, if the sentence is about the molecule."""
    drug = attributed_drug(document, line, match.start(), match.end())
    if drug is None or not drug.is_this:
        return
    quantities = [q for q in parse_quantities(line.text) if match.end() <= q.start <= match.end() + REACH]
    fitting = next((q for q in quantities if fits(term.name, q)), None)
    if fitting is None:
        return
    dose = next((q.text for q in dose_quantities(line.text) if q.start > fitting.end), "")
    yield KineticValue(
        term.name,
        fitting.text,
        species_of(document, line, match.start()),
        dose,
        document,
        line,
        realisation_of(document, line, fitting.start),
    )


def fits(parameter: str, quantity: Quantity) -> bool:
    """Whether a quantity has a unit of the parameter."""
    unit = UNITS.get(parameter)
    return unit is not None and unit.fullmatch(quantity.standard_unit) is not None


def values_in_row(document: AnnotatedDocument, line: Line) -> Iterator[KineticValue]:
    """Cells under a parameter's head, and cells behind a parameter's name in the first column."""
    assert line.row is not None
    drug = row_drug(document, line)
    for column, cell in enumerate(line.row.cells[1:], 1):
        head = line.row.header[column]
        for label in (head, line.row.cells[0]):
            term = next((t for t in terms("kinetics") if t.words.search(label)), None)
            mine = next(
                (a for a in document.names.drugs_in(head) if a.is_of_archive),
                drug,
            )
            if term is None or mine is None or not mine.is_this or not NUMBER.match(cell.strip()):
                continue
            unit = HEAD_UNIT.search(label)
            value = (
                cell.strip() if re.search(r"[a-zA-Z%]", cell) or unit is None else f"{cell.strip()} {unit[1]}"
            )
            dose = (
                line.row.cells[0]
                if label is head and next(iter(dose_quantities(line.row.cells[0])), None)
                else ""
            )
            yield KineticValue(
                term.name,
                value,
                species_of(document, line),
                dose,
                document,
                line,
                realisation_of(document, line, 0, column),
            )
            break


def row_drug(document: AnnotatedDocument, line: Line) -> DrugMention | None:
    """Whose values a row holds: of the molecule named in its first cell, or of the table's."""
    assert line.row is not None
    named = [a for a in document.names.drugs_in(line.row.cells[0]) if a.is_of_archive]
    return named[0] if named else table_drug(document, line) or topic(document, line)


def draft(name: str, found: Sequence[KineticValue]) -> Draft:
    """Each parameter and species once in short; all of them as fields."""
    ordered = sorted(found, key=lambda v: (v.species != "human", -v.document.authority))
    first: dict[tuple[str, str], KineticValue] = {}
    for value in ordered:
        first.setdefault((value.parameter, value.species), value)
    shown = list(first.values())[:MOST]
    short = "; ".join(text_of(value) for value in shown)
    fields = tuple(field for value in list(first.values())[:40] for field in fields_of(value))
    return Draft(
        True,
        short,
        f"Pharmacokinetics of {name}: {short}.",
        claims_of((v.line for v in first.values()), 16),
        fields,
    )


def text_of(value: KineticValue) -> str:
    """ "half-life 5 h (human, at 10 mg)"."""
    projected = "projected" if value.realisation is Realisation.PROJECTED else ""
    where = ", ".join(filter(None, [value.species, f"at {value.dose}" if value.dose else "", projected]))
    return f"{value.parameter} {value.quantity}" + (f" ({where})" if where else "")


def fields_of(value: KineticValue) -> Iterator[DraftField]:
    """Parameter, value, species and study of one value."""
    at = (value.line.passage,)
    yield DraftField("parameter", value.parameter, passages=at, note=value.species)
    yield DraftField(
        "value",
        value.quantity,
        passages=at,
        realisation=value.realisation,
        note=f"{value.parameter}, {value.species}",
    )
    if value.species:
        yield DraftField("species", value.species, passages=at, note=value.parameter)
    if value.dose:
        yield DraftField("dose", value.dose, passages=at, note=value.parameter)
    yield DraftField("study", value.document.doc_id, passages=at, note=value.parameter)
