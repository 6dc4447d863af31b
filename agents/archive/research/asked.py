"""What a question for pharmacokinetic values names, and whether a value fits all of it."""

import re
from dataclasses import dataclass

from agents.archive.research.documents.kinetics import UNITS, KineticValue, sex_in, tells_more
from agents.archive.research.patterns.amounts import dose_quantities
from agents.archive.research.patterns.species import HUMAN, species_in
from agents.archive.research.vocabulary import terms

BIOAVAILABILITY = "bioavailability"
"""Of one route by the other: every line of it names both."""
LETTER_F = re.compile(r"\b(?:[Ii]s|[Ww]as|[Tt]he) F(?= (?:of|in|for|after)\b|\s*\?)")
"""Bioavailability, as a question may write it."""
EXPOSURE = re.compile(r"\bexposures?\b", re.IGNORECASE)
ANIMALS = re.compile(r"\banimals?\b|\b(?:pre|non)-?clinical", re.IGNORECASE)
POINTED_AT = re.compile(
    r"\b(?:that|this|same|those|these|such|highest|lowest|top|low|mid|high|therapeutic|recommended)\s"
    r"(?:single |daily |oral )?(?:doses?|levels?)\b",
    re.IGNORECASE,
)
"""A dose that only other words tell, which no value names."""
MATRICES = (
    r"vitre(?:ous|al)|vitreous humou?r",
    r"aqueous humou?r",
    r"retinal?",
    r"csf|cerebrospinal fluid",
    r"brains?",
    r"milk",
    r"saliva",
    r"sputum|epithelial lining fluid|elf|lavage",
    r"synovial(?: fluid)?",
    r"tumou?rs?|intratumou?ral",
    r"lungs?",
    r"livers?|hepatic",
    r"skin|dermal",
    r"tissues?",
)
"""Where a concentration can be measured other than in the blood."""
MATRIX = tuple(re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for words in MATRICES)
BLOOD = re.compile(r"\b(?:plasma|serum|blood)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question names; an empty field lets every value pass."""

    parameters: frozenset[str]
    species: frozenset[str]
    animals: bool
    matrices: tuple[re.Pattern[str], ...]
    blood: bool
    doses: frozenset[tuple[float, str]]
    unknown_dose: bool
    routes: frozenset[str]
    words: frozenset[str]
    sex: str

    def fits(self, value: KineticValue) -> bool:
        """Whether a value is of everything that the question names."""
        return (
            (not self.parameters or value.parameter in self.parameters)
            and self.fits_species(value.species)
            and self.fits_matrix(value)
            and self.fits_dose(value)
            and self.fits_route(value)
            and self.fits_sex(value)
        )

    def fits_sex(self, value: KineticValue) -> bool:
        """Whether a value is of the sex asked for: its own, or the only one told about a lone value."""
        if not self.sex or value.sex:
            return not self.sex or value.sex == self.sex
        alone = not tells_more(value.line, [value], UNITS.get(value.parameter, frozenset()))
        return alone and sex_in(told_around(value)) == self.sex

    def fits_route(self, value: KineticValue) -> bool:
        """Whether a line tells of no other route than the one asked about."""
        return (
            not self.routes
            or value.parameter == BIOAVAILABILITY
            or routes_in(told_around(value)) <= self.routes
        )

    def fits_species(self, species: str) -> bool:
        """Whether the question is about this species, or names none."""
        if not self.species and not self.animals:
            return True
        return species in self.species or (self.animals and species not in ("", HUMAN))

    def fits_matrix(self, value: KineticValue) -> bool:
        """Whether a line tells the matrix asked for; one without any tells of the blood."""
        around = told_around(value)
        if self.matrices:
            return any(matrix.search(around) for matrix in self.matrices)
        elsewhere = any(matrix.search(around) for matrix in MATRIX)
        return not self.blood or not elsewhere or bool(BLOOD.search(around))

    def fits_dose(self, value: KineticValue) -> bool:
        """Whether a value is told with the dose asked for, and with no other one in its place."""
        if self.unknown_dose:
            return False
        return not self.doses or doses_in(value.dose or told_around(value)) == self.doses


def asked_of(text: str) -> Asked:
    """What a question names."""
    parameters = {term.name for term in terms("kinetics") if term.words.search(text)}
    parameters |= {BIOAVAILABILITY} if LETTER_F.search(text) else set()
    if EXPOSURE.search(text) and not parameters:
        parameters = {"AUC", "Cmax"}
    named = {name for _, name in species_in(text)} - {"animal"}
    doses = doses_in(text)
    return Asked(
        frozenset(parameters),
        frozenset(named),
        bool(ANIMALS.search(text)) and not named,
        tuple(matrix for matrix in MATRIX if matrix.search(text)),
        bool(BLOOD.search(text)),
        doses,
        not doses and bool(POINTED_AT.search(text)),
        routes_in(text),
        frozenset(word.strip(".,;:?!()").casefold() for word in text.split()),
        sex_in(text),
    )


def of_study(asked: Asked, values: list[KineticValue]) -> list[KineticValue]:
    """The values of the study or document that a question names; all where it names none of theirs."""
    named = [
        value
        for value in values
        if {value.document.doc_id.casefold(), value.document.record.study_id.casefold()} & asked.words
    ]
    return named or values


def told_around(value: KineticValue) -> str:
    """A value's line with the head and caption of its row, and the heading above."""
    passage = value.line.passage
    row = (*passage.row.header, passage.row.caption) if passage.row else ()
    return " | ".join((*passage.section[-1:], *row, value.line.text))


def routes_in(text: str) -> frozenset[str]:
    """The routes of administration that a text names."""
    return frozenset(term.name for term in terms("routes") if term.words.search(text))


def doses_in(text: str) -> frozenset[tuple[float, str]]:
    """The doses that a text names, in standard units and without their frequency."""
    return frozenset(
        (one.standard_high, re.sub(r"/(?:day|d)$", "", one.standard_unit)) for one in dose_quantities(text)
    )
