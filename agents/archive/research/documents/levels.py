"""Dose levels that a study ended with (NOAEL, maximum tolerated dose), each with its species.

Only a value right beside the level's name is read: "the NOAEL was 3 mg/kg/day", "3 mg/kg/day was the NOAEL".
"Exceeded at", "below" and "not established" lead from a level to a dose that it is not.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from agents.archive.research.documents.attribution import attributed_drug
from agents.archive.research.documents.context import species_of
from agents.archive.research.documents.document import AnnotatedDocument
from agents.archive.research.documents.kinetics import (
    NUMBER,
    KineticValue,
    how_known,
    next_term,
    values_in_row,
)
from agents.archive.research.documents.lines import Line
from agents.archive.research.patterns.amounts import FREQUENCY_WORDS
from agents.archive.research.patterns.species import HUMAN, species_in
from agents.archive.research.vocabulary import any_term, terms
from agents.trust.quantities import parse_quantities
from agents.trust.quantity import Quantity
from agents.trust.unit_table import DOSE_SYMBOLS

UNITS = {term.name: DOSE_SYMBOLS for term in terms("levels")}
_OF_WHOM = (
    r"both|sexes|males?|females?|(?:sprague|wistar|beagle|cynomolgus|rhesus|han|dawley|zealand|white|new|cd-1)"
    r"|in|for|of|from|the|this|these|an?|and|respectively"
)
_JOINT = rf"[\s,;:=()-]|(?:{_OF_WHOM}|{any_term('species').pattern})\b"
_LINK = (
    rf"{_JOINT}|(?:was|is|were|are|be|being|as|at|to|by|therefore|thus|hence|considered|determined|set|judged"
    r"|established|identified|concluded|defined|estimated|equal|general|systemic|overall|study|studies|toxicity"
    r"|chronic|subchronic|oral|intravenous|repeat(?:ed)?|dose|\d+[- ](?:day|week|month)s?"
    r"|(?:thirteen|two|four|six|nine|twenty-six)[- ](?:day|week|month)s?)\b"
)
JOINT, LINK = (re.compile(rf"(?:{words})*", re.IGNORECASE) for words in (_JOINT, _LINK))
"""What may stand between two values of a level, and between its name and its value."""
AHEAD = re.compile(
    r"[\s,/()]*(?:(?:per|a) day|daily)?[\s,()]*(?:which )?(?:was|is|were|as)\s"
    r"(?:(?:therefore|thus|hence|also|clearly) )?(?:(?:considered|judged|determined|established|identified"
    r"|concluded|defined|taken|regarded)\s)?(?:to be |as )?(?:the |an? )?(?:overall )?",
    re.IGNORECASE,
)
"""What leads from a value to the name behind it."""
BOTH_SEXES = re.compile(r"\bmales and females\b", re.IGNORECASE)
"""Words of a report on animals that elsewhere stand for people."""
OFTEN = re.compile(r"\s?(?:(?:once |twice )?(?:daily|weekly)|b\.?i\.?d\b\.?|q\.?d\b\.?)", re.IGNORECASE)
PLAIN = re.compile(rf"(?:{NUMBER.pattern})(?:\s?[^\d\s;,()]\S*)?")
"""A cell with one value and nothing else."""


def values_in(document: AnnotatedDocument, line: Line) -> Iterator[KineticValue]:
    """The levels that a sentence or a table row states of the molecule."""
    if line.is_heading:
        return
    if line.row is not None:
        plain = [cell.strip() for cell in line.row.cells if PLAIN.fullmatch(cell.strip())]
        for value in values_in_row(document, line, UNITS, "levels"):
            number = NUMBER.match(value.quantity)
            if number and any(cell.startswith(number[0]) for cell in plain):
                yield replace(value, species=row_species(document, line, value.species))
        return
    text = BOTH_SEXES.sub(lambda found: "both sexes".ljust(len(found[0])), line.text)
    line = replace(line, text=text)
    for term in terms("levels"):
        for match in term.words.finditer(line.text):
            drug = attributed_drug(document, line, match.start(), match.end())
            if drug is not None and drug.is_this:
                yield from values_beside(document, line, term.name, match)


def values_beside(
    document: AnnotatedDocument, line: Line, name: str, match: re.Match[str]
) -> Iterator[KineticValue]:
    """The values right before or behind a level's name; none where it is unclear which belongs to whom."""
    doses = [one for one in parse_quantities(line.text) if one.standard_unit in UNITS[name]]
    ahead = [one for one in doses if one.end <= match.start()][-1:]
    if ahead and AHEAD.fullmatch(line.text[ahead[0].end : match.start()]):
        told = ahead
    else:
        stop = next_term(line.text, "levels", match.end())
        told = in_a_row(line.text, match.end(), [one for one in doses if match.end() <= one.start < stop])
    for dose, species in zip(told, species_each(document, line, match, told), strict=False):
        known = how_known(document, line, dose.start)
        yield KineticValue(name, text_of(line.text, dose), species, "", document, line, known)


def in_a_row(text: str, start: int, doses: Sequence[Quantity]) -> list[Quantity]:
    """The doses that follow a name and one another with only linking words between."""
    found: list[Quantity] = []
    for dose in doses:
        between = JOINT if found else LINK
        if not between.fullmatch(text[start : dose.start]):
            break
        found.append(dose)
        start = dose.start + len(text_of(text, dose))
    return found


def species_each(
    document: AnnotatedDocument, line: Line, match: re.Match[str], told: Sequence[Quantity]
) -> list[str]:
    """The species of each value; none where a sentence names several and does not pair them with its values.

    Each stands before its value ("in rats 30 and in dogs 10") or behind it ("30 in rats and 10 in dogs").
    """
    everything = {name for _, name in species_in(line.text)}
    if len(everything) < 2 or len(told) < 2:
        return [level_species(document, line, match.start())] * len(told)
    places = [match.end(), *(one.end for one in told)]
    before = [line.text[a : one.start] for a, one in zip(places, told, strict=False)]
    ends = [*(one.start for one in told[1:]), len(line.text)]
    behind = [line.text[one.end : end] for one, end in zip(told, ends, strict=True)]
    for parts in (before, behind):
        named = [{name for _, name in species_in(part)} for part in parts]
        if all(len(names) == 1 for names in named):
            return [names.pop() for names in named]
    return []


def row_species(document: AnnotatedDocument, line: Line, read: str) -> str:
    """The species read for a row: people only where the level can be theirs."""
    return level_species(document, line) if read in (HUMAN, "animal") else read


def level_species(document: AnnotatedDocument, line: Line, place: int = 0) -> str:
    """The species of a level; "" where nothing tells.

    People that a sentence names are of a level only in the report of their study: elsewhere they are those
    that animals are compared with.
    """
    species = species_of(document, line, place)
    return "" if species == "animal" or (species == HUMAN and not document.of_one_study) else species


def text_of(text: str, dose: Quantity) -> str:
    """A dose with how often it was given, where that follows it at once."""
    often = OFTEN.match(text, dose.end) if dose.frequency in FREQUENCY_WORDS else None
    return text[dose.start : often.end() if often else dose.end]
