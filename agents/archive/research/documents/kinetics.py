"""Pharmacokinetic values in sentences and tables, each in the dimension of its parameter."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from agents.archive.answer import Realisation
from agents.archive.research.documents.attribution import attributed_drug, table_drug
from agents.archive.research.documents.context import realisation_of, species_of
from agents.archive.research.documents.document import AnnotatedDocument, DocumentKind
from agents.archive.research.documents.doses import DOSE_HEAD, cell_quantities, drugs_named
from agents.archive.research.documents.lines import Line
from agents.archive.research.patterns.amounts import dose_quantities
from agents.archive.research.patterns.clauses import is_taken_back
from agents.archive.research.patterns.species import species_in
from agents.archive.research.vocabulary import Term, any_term, terms, wording
from agents.text.quantities import parse_quantities
from agents.text.quantity import Quantity
from agents.text.rows import label_places

CONCENTRATION = frozenset({"ng/mL", "nM", "IU/mL", "U/mL"})
UNITS = {
    "half-life": frozenset({"h"}),
    "tmax": frozenset({"h"}),
    "AUC": frozenset({"ng·h/mL", "nM·h"}),
    "Cmax": CONCENTRATION,
    "clearance": frozenset({"mL/h", "mL/h/kg", "mL/h/m2"}),
    "volume of distribution": frozenset({"mL", "mL/kg"}),
    "bioavailability": frozenset({"%"}),
    "protein binding": frozenset({"%"}),
    "excretion": frozenset({"%"}),
    "accumulation": frozenset({"fold", "%", ""}),
}
"""The dimension of each parameter, as standard units; "" is a plain ratio in a table of them."""
REACH = 110
IN_BRACKETS = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
CLAUSE_ENDS = re.compile(r";\s|\.\s")
PHRASE_ENDS = re.compile(r"[;,]|\)(?! and)|\.(?:\s|$)")
SEX_HEAD = re.compile(r"sex|gender", re.IGNORECASE)
CONDITION = re.compile(r"\b(?:(?:day|week) \d+|fasted|fasting|fed|high[- ]fat)\b", re.IGNORECASE)
UNIT_HEAD = re.compile(r"units?", re.IGNORECASE)
NUMBER = re.compile(r"(?:about |>|<|~)?\d[\d.,]*(?:\s?(?:to|-|–|±)\s?\d[\d.,]*)?")
WITH = re.compile(
    r"(?:\b(?:with|plus|added to|in the presence of)|\+)\s*(?:[\d.,]+\s?[mµ]?g\s)?$", re.IGNORECASE
)
"""What stands before a drug that is given beside another."""
CHANGED_BY = re.compile(r"\b(?:by|rose|fell)\s$")
PREDICTED = re.compile(
    r"\b(?:predict\w*|estimat\w*|expected|assum\w*|simulat\w*|extrapolat\w*|allometr\w*)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class KineticValue:
    """A parameter's value in a species; `dose` is the one named beside it with day and meal, `sex` its row's.

    Where a sentence gives several values, `quantity` holds them all in its words, and no species.
    """

    parameter: str
    quantity: str
    species: str
    dose: str
    document: AnnotatedDocument
    line: Line
    realisation: Realisation
    sex: str = ""


def values_of(document: AnnotatedDocument) -> Iterator[KineticValue]:
    """Values in the sentences and rows of a document; what a plan hopes for is none."""
    plan = document.kind in (DocumentKind.REGISTRY, DocumentKind.PROTOCOL)
    for line in document.lines:
        if line.is_heading:
            continue
        if line.row is not None:
            yield from values_in_row(document, line)
        elif not line.names_others and not (plan and wording("hypothetical").search(line.text)):
            for term in terms("kinetics"):
                for match in term.words.finditer(line.text):
                    yield from values_behind(document, line, term, match)


def values_behind(
    document: AnnotatedDocument, line: Line, term: Term, match: re.Match[str]
) -> Iterator[KineticValue]:
    """The fitting quantities behind a parameter's name and before the next one."""
    drug = attributed_drug(document, line, match.start(), match.end())
    if drug is None or not drug.is_this:
        return
    named = (other.words.search(line.text, match.end()) for other in terms("kinetics") if other is not term)
    part, place = in_its_bracket(line, match.start())
    reach = min(match.end() + REACH, *(found.start() for found in named if found), len(part.text))
    ends = CLAUSE_ENDS.search(line.text, match.end(), reach)
    reach = ends.start() if ends else reach
    fitting = [
        one
        for one in parse_quantities(line.text)
        if match.end() <= one.start < reach
        and one.standard_unit in UNITS[term.name]
        and not is_taken_back(line.text, one.start)
    ]
    if not fitting or is_difference(line.text, term, fitting[0]):
        return
    first, last = fitting[0], fitting[-1]
    phrase = PHRASE_ENDS.search(line.text, last.end, reach)
    start, end = first.start, phrase.start() if phrase else reach
    if line.text[start - 1] == "(" and phrase and phrase[0] == ")":  # "women (20 L/h) and men (22 L/h)"
        start, end = line.text.rfind(" ", 0, start - 2) + 1, phrase.end()
    told = line.text[start:end].strip(" .")
    alone = len(fitting) == 1
    yield KineticValue(
        term.name,
        first.text if alone else told,
        species_of(document, part, place) if alone or not species_in(told) else "",
        at_which(
            line, next((one.text for one in dose_quantities(line.text) if alone and one.start > last.end), "")
        ),
        document,
        line,
        how_known(document, part, first.start),
    )


def in_its_bracket(line: Line, place: int) -> tuple[Line, int]:
    """The line up to the end of a bracket that holds the place, and the start of that bracket: what stands
    there belongs to the word before.
    """
    for bracket in IN_BRACKETS.finditer(line.text):
        if bracket.start() < place < bracket.end():
            return replace(line, text=line.text[: bracket.end()]), bracket.start()
    return line, place


def is_difference(text: str, term: Term, quantity: Quantity) -> bool:
    """Whether a percentage or a multiple says by how much something changed: "by 40%", "lower by 2-fold"."""
    changed = CHANGED_BY.search(text[: quantity.start])
    return quantity.standard_unit in ("%", "fold") and changed is not None and term.name != "excretion"


def how_known(document: AnnotatedDocument, line: Line, place: int, column: int | None = None) -> Realisation:
    """Whether a value was measured, or only predicted."""
    if PREDICTED.search(" | ".join((*line.passage.section[-1:], line.text))):
        return Realisation.PROJECTED
    return realisation_of(document, line, place, column)


def values_in_row(document: AnnotatedDocument, line: Line) -> Iterator[KineticValue]:
    """Cells under a parameter's head, and cells behind a parameter's name in the first column."""
    assert line.row is not None
    if not any_term("kinetics").search(" | ".join((*line.row.header, line.row.cells[0]))):
        return
    for column, cell in enumerate(line.row.cells[1:], 1):
        head = line.row.header[column]
        if not NUMBER.match(cell.strip()) or not is_of_this_alone(document, line, head):
            continue
        for label in (head, line.row.cells[0]):
            term = next((t for t in terms("kinetics") if t.words.search(label)), None)
            if (
                term
                and not is_share(line, label)
                and (
                    value := cell_value(
                        UNITS[term.name], f"{label} ({row_cell(line, UNIT_HEAD)})", cell.strip()
                    )
                )
            ):
                yield KineticValue(
                    term.name,
                    value,
                    cell_species(document, line, head),
                    at_which(line, row_dose(line) if label is head else head_dose(head), head),
                    document,
                    line,
                    how_known(document, line, 0, column),
                    row_cell(line, SEX_HEAD),
                )
                break


def is_of_this_alone(document: AnnotatedDocument, line: Line, head: str) -> bool:
    """Whether column and row name no drug but the molecule, or none, and the table is about it."""
    assert line.row is not None
    text = " | ".join((head, *line.row.cells))
    if named := drugs_named(document, text):
        return all(drug.may_be_this and not WITH.search(text[: drug.start]) for drug in named)
    drug = table_drug(document, line)
    return drug is not None and drug.is_this


def is_share(line: Line, label: str) -> bool:
    """Whether "F (%)" may be the share of females: no other head is a parameter."""
    assert line.row is not None
    others = " | ".join(head for head in line.row.header if head is not label)
    return label.strip().startswith("F") and not any_term("kinetics").search(others)


def cell_value(units: frozenset[str], label: str, cell: str) -> str:
    """The value of a cell with its unit, from the cell or its label; "" if none fits."""
    number = NUMBER.match(cell)
    assert number is not None
    brackets = [found[1] for found in IN_BRACKETS.finditer(label)][::-1]
    for unit in (cell[number.end() :].strip(), *brackets, label.rsplit(",", 1)[-1].strip()):
        read = parse_quantities(f"1 {unit}")
        if read and read[0].start == 0 and read[0].standard_unit in units:
            return f"{number[0]} {read[0].unit}"
    plain_ratio = "" in units and number.end() == len(cell)
    return cell if plain_ratio else ""


def cell_species(document: AnnotatedDocument, line: Line, head: str) -> str:
    """The species of a cell: that of its column, of its row, or else of the table."""
    assert line.row is not None
    named = (name for text in (head, *line.row.cells) for _, name in species_in(text) if name != "animal")
    return next(named, "") or species_of(document, line)


def row_cell(line: Line, head: re.Pattern[str]) -> str:
    """The sex or the unit of a row, where a column under such a head gives it."""
    assert line.row is not None
    cells = zip(line.row.header, line.row.cells, strict=True)
    return next((cell.strip() for title, cell in cells if head.fullmatch(title.strip())), "")


def at_which(line: Line, dose: str, head: str = "") -> str:
    """A dose with the day, week or meal of its cell or sentence, or else of its caption or heading."""
    row = line.row
    labels = (f"{row.header[i]} {row.cells[i]}" for i in label_places(row)) if row else (line.text,)
    texts = (head, "; ".join(labels), row.caption if row else "", *line.passage.section[-1:])
    found = next(filter(None, (set(CONDITION.findall(text)) for text in texts)), set[str]())
    return ", ".join(filter(None, (dose, *(found if len(found) == 1 else ()))))


def head_dose(head: str) -> str:
    """The dose that a column is about, as its head tells it: "PO 5 mg/kg fasted"."""
    return IN_BRACKETS.sub("", head).strip() if any(dose_quantities(head)) else ""


def row_dose(line: Line) -> str:
    """The dose that a row is about, from its cell under "Dose (mg)"."""
    assert line.row is not None
    for head, cell in zip(line.row.header, line.row.cells, strict=True):
        if (DOSE_HEAD.search(head) or head == line.row.header[0]) and (
            found := next(iter(cell_quantities(cell, head)), None)
        ):
            return f"{found.high:g} {found.unit}"
    return ""
