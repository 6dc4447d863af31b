"""Pharmacokinetic values in sentences and tables, each in the dimension of its parameter."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from agents.archive.answer import Realisation
from agents.archive.research.documents.attribution import attributed_drug
from agents.archive.research.documents.context import realisation_of, species_of
from agents.archive.research.documents.document import AnnotatedDocument, DocumentKind
from agents.archive.research.documents.doses import cell_quantities
from agents.archive.research.documents.given_with import is_added, row_drug
from agents.archive.research.documents.lines import Line
from agents.archive.research.patterns.amounts import dose_quantities
from agents.archive.research.patterns.species import species_in
from agents.archive.research.vocabulary import Term, any_term, terms, wording
from agents.text.quantities import parse_quantities
from agents.text.quantity import Quantity

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
UNIT_HEAD = re.compile(r"units?", re.IGNORECASE)
DOSE_HEAD = re.compile(r"\bdos(?:e|es|age)\b", re.IGNORECASE)
NUMBER = re.compile(r"(?:about |>|<|~)?\d[\d.,]*(?:\s?(?:to|-|–|±)\s?\d[\d.,]*)?")
SHARE_F = re.compile(r"\W*F\W*%")
"""The letter of bioavailability as a head or label."""
KINETIC = re.compile(r"\b(?:pharmaco|toxico)?kinetic|\bPK\b|bioavailab", re.IGNORECASE)
ASIDE_AHEAD = re.compile(
    r"(?:\b(?:for|over|within|until|till|every|after|at|to|per|from|between|than|through|by|before)\s(?:about\s)?"
    r"|\([^()]*|\d\s?(?:±|\+/-)\s?)$",
    re.IGNORECASE,
)
"""What stands before a time or a share that is no further value: "for 24 h", "(range 5 h"."""
OF_WHOM = re.compile(r"\s?(?:\([^()]*\)\s?)?,?\s?(?:in|for|after|at|with|following)\b", re.IGNORECASE)
"""What leads from a value to whose it is."""
SEXES = dict.fromkeys(("male", "males", "men"), "males") | dict.fromkeys(
    ("female", "females", "women"), "females"
)
SEX = re.compile(rf"\b(?:{'|'.join(SEXES)})\b", re.IGNORECASE)
SEX_HEAD = re.compile(r"sex|gender", re.IGNORECASE)
SEX_LETTERS = {"M": "male", "F": "female"}
PREDICTED = re.compile(
    r"\b(?:predict\w*|estimat\w*|expected|assum\w*|simulat\w*|extrapolat\w*|allometr\w*)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class KineticValue:
    """A parameter's value in a species; `dose` is the one named beside it, `sex` that of a value of one."""

    parameter: str
    quantity: str
    species: str
    dose: str
    document: AnnotatedDocument
    line: Line
    realisation: Realisation
    sex: str = ""


def names_parameter(line: Line) -> bool:
    """Whether a sentence, or a row with its head, names a parameter."""
    if line.is_heading:
        return False
    text = " | ".join((*line.row.header, line.row.cells[0])) if line.row else line.text
    return any_term("kinetics").search(text) is not None


def values_in(document: AnnotatedDocument, line: Line) -> Iterator[KineticValue]:
    """Values of a sentence or a table row."""
    if line.row is not None:
        yield from values_in_row(document, line, UNITS, "kinetics")
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
    """The first fitting quantity behind a parameter's name, if the sentence is about the molecule alone."""
    drug = attributed_drug(document, line, match.start(), match.end())
    beside = any(
        is_added(document, line.text, line.drugs, other) for other in line.drugs if other.end <= match.end()
    )
    if drug is None or not drug.is_this or beside:
        return
    reach = min(match.end() + REACH, next_term(line.text, "kinetics", match.end(), term))
    quantities = [q for q in parse_quantities(line.text) if match.end() <= q.start < reach]
    fitting = [q for q in quantities if q.standard_unit in UNITS[term.name]]
    if not fitting or difference(line.text, term, fitting[0]):
        return
    part, place = in_its_bracket(line, match.start())
    for quantity, told in each_told_apart(line.text, fitting, reach) or [(fitting[0], "")]:
        dose = next((q.text for q in dose_quantities(line.text) if q.start > fitting[0].end), "")
        yield KineticValue(
            term.name,
            quantity.text,
            next((name for _, name in species_in(told)), "") or species_of(document, part, place),
            next((q.text for q in dose_quantities(told)), "") or dose,
            document,
            line,
            how_known(document, part, quantity.start),
            sex_in(told),
        )


def each_told_apart(text: str, fitting: Sequence[Quantity], end: int) -> list[tuple[Quantity, str]]:
    """Values that each name their own sex, species or dose, with the words that do.

    "6 h in males and 8 h in females" holds two of them; nothing where one value says not whose it is.
    """
    ends = [*(one.start for one in fitting[1:]), end]
    told = [(one, text[one.end : until]) for one, until in zip(fitting, ends, strict=True)]
    apart = [
        (bool(sex_in(words)), bool(species_in(words)), bool(dose_quantities(words)))
        if OF_WHOM.match(words)
        else (False, False, False)
        for _, words in told
    ]
    return told if len(told) > 1 and any(map(all, zip(*apart, strict=True))) else []


def sex_in(text: str) -> str:
    """The sex that a text names; "" for none and for both."""
    named = {SEXES[found[0].lower()] for found in SEX.finditer(text)}
    return named.pop() if len(named) == 1 else ""


def next_term(text: str, vocabulary: str, place: int, term: Term | None = None) -> int:
    """Where the next term other than `term` is named: what stands behind it is no longer of this one."""
    named = (other.words.search(text, place) for other in terms(vocabulary) if other is not term)
    return min((found.start() for found in named if found), default=len(text))


def tells_more(line: Line, read: Sequence[KineticValue], units: frozenset[str]) -> bool:
    """Whether a sentence tells a value that was not read: of a species of which none was, or behind a value.

    "4 h in rats and 11 h in dogs", "14 h after 10 mg and 30 h after 100 mg".
    """
    if line.row is not None or not read:
        return False
    known = [line.text.find(one.quantity) for one in read]
    amounts = [
        one for one in parse_quantities(line.text) if one.standard_unit in units and one.start not in known
    ]
    named = {name for _, name in species_in(line.text)} - {"animal"}
    if amounts and not named <= {one.species for one in read}:
        return True
    end = next_term(line.text, "kinetics", max(known) + 1)
    return read[0].parameter in UNITS and any(
        max(known) < one.start < end and not ASIDE_AHEAD.search(line.text[: one.start]) for one in amounts
    )


def difference(text: str, term: Term, quantity: Quantity) -> bool:
    """Whether a percentage or a multiple says by how much something changed: "by 40%", "lower by 2-fold"."""
    changed = re.search(r"\b(?:by|rose|fell)\s$", text[: quantity.start])
    return quantity.standard_unit in ("%", "fold") and changed is not None and term.name != "excretion"


def in_its_bracket(line: Line, place: int) -> tuple[Line, int]:
    """The line up to the end of a bracket that holds the place; what stands behind says nothing of it.

    The place is then the start of the bracket, as its content belongs to the word before.
    """
    for bracket in IN_BRACKETS.finditer(line.text):
        if bracket.start() < place < bracket.end():
            return replace(line, text=line.text[: bracket.end()]), bracket.start()
    return line, place


def how_known(document: AnnotatedDocument, line: Line, place: int, column: int | None = None) -> Realisation:
    """Whether a value was measured, or only predicted."""
    found = realisation_of(document, line, place, column)
    predicted = PREDICTED.search(" | ".join((*line.passage.section[-1:], line.text)))
    return Realisation.PROJECTED if predicted else found


def values_in_row(
    document: AnnotatedDocument, line: Line, units: Mapping[str, frozenset[str]], vocabulary: str
) -> Iterator[KineticValue]:
    """Cells under a parameter's head, and cells behind a parameter's name in the first column.

    `units` are those of the parameters of a vocabulary.
    """
    assert line.row is not None
    for column, cell in enumerate(line.row.cells[1:], 1):
        head = line.row.header[column]
        drug = row_drug(document, line, head)
        if drug is None or not drug.is_this or not NUMBER.match(cell.strip()):
            continue
        for label in (head, line.row.cells[0]):
            term = next((t for t in terms(vocabulary) if t.words.search(label)), None)
            value = cell_value(line, units[term.name], label, cell.strip()) if term else ""
            if term is None or not value or is_of_females(line, label):
                continue
            yield KineticValue(
                term.name,
                value,
                cell_species(document, line, head),
                row_dose(line) if label is head else "",
                document,
                line,
                how_known(document, line, 0, column),
                row_sex(line, head),
            )
            break


def is_of_females(line: Line, label: str) -> bool:
    """Whether "F (%)" may be the share of females: neither another head nor the title tells of kinetics."""
    assert line.row is not None
    if not SHARE_F.match(label):
        return False
    others = (head for head in line.row.header if head is not label)
    named = any(any_term("kinetics").search(other) for other in others)
    return not named and not KINETIC.search(" | ".join(line.passage.section))


def cell_value(line: Line, units: frozenset[str], label: str, cell: str) -> str:
    """The value of a cell with its unit, from the cell, its label or a column of units; "" if none fits."""
    assert line.row is not None
    number = NUMBER.match(cell)
    assert number is not None
    column = [
        c for h, c in zip(line.row.header, line.row.cells, strict=True) if UNIT_HEAD.fullmatch(h.strip())
    ]
    brackets = [found[1] for found in IN_BRACKETS.finditer(label)][::-1]
    for unit in (cell[number.end() :].strip(), *column, *brackets, label.rsplit(",", 1)[-1].strip()):
        read = parse_quantities(f"1 {unit}")
        if read and read[0].start == 0 and read[0].standard_unit in units:
            return f"{number[0]} {read[0].unit}"
    plain_ratio = "" in units and number.end() == len(cell)
    return cell if plain_ratio else ""


def cell_species(document: AnnotatedDocument, line: Line, head: str) -> str:
    """The species of a cell: that of its column, of its row, or else of the table."""
    assert line.row is not None
    for text in (head, *line.row.cells):
        if named := [name for _, name in species_in(text) if name != "animal"]:
            return named[0]
    return species_of(document, line)


def row_sex(line: Line, head: str) -> str:
    """The sex of a cell: that of its column, of its row, or of the sub-head above it."""
    assert line.row is not None
    for label, cell in zip(line.row.header, line.row.cells, strict=True):
        if SEX_HEAD.fullmatch(label.strip()):
            return SEXES.get(SEX_LETTERS.get(cell.strip(), cell.strip().lower()), "")
    return next(filter(None, map(sex_in, (head, line.row.cells[0], *line.row.group))), "")


def row_dose(line: Line) -> str:
    """The dose that a row is about, from its cell under "Dose (mg)"."""
    assert line.row is not None
    for head, cell in zip(line.row.header, line.row.cells, strict=True):
        if (DOSE_HEAD.search(head) or head == line.row.header[0]) and (
            found := next(iter(cell_quantities(cell, head)), None)
        ):
            return f"{found.high:g} {found.unit}"
    return ""
