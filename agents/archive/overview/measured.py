"""A quantity that molecules are ranked by: which one a question names, and what is read of it for each.

A dose level or a pharmacokinetic parameter is read from the sentences and tables of a molecule's documents;
the doses and margins that a question type knows are that type's answers.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.archive.answer import Realisation
from agents.archive.exact import named_besides
from agents.archive.general.words import stems
from agents.archive.library import Library
from agents.archive.overview.page import Desk
from agents.archive.overview.studies import standing
from agents.archive.overview.typed import keys_of, typed
from agents.archive.premises import documents_of
from agents.archive.research.asked import Asked, asked_of
from agents.archive.research.documents import kinetics, levels
from agents.archive.research.documents.attribution import about_this
from agents.archive.research.documents.document import AnnotatedDocument
from agents.archive.research.documents.extremes import exact_amount
from agents.archive.research.documents.kinetics import KineticValue
from agents.archive.research.documents.lines import Line
from agents.archive.research.extractors.pharmacokinetics import WITH_DOSE
from agents.archive.research.patterns.species import species_in
from agents.archive.research.vocabulary import any_term, terms
from agents.archive.research_input import read_for
from agents.archive.values import AnswerPart
from agents.trust.quantities import parse_quantities
from agents.trust.quantity import Quantity, dosage, same
from agents.trust.unit_table import DOSE_SYMBOLS
from retrieval.values import Molecule

READERS = {"levels": levels.values_in, "kinetics": kinetics.values_in}
UNITS = {**levels.UNITS, **kinetics.UNITS}
OF_TYPES = {
    "margin_of_safety": frozenset({"fold"}),
    "first_in_human_dose": DOSE_SYMBOLS,
    "highest_dose_with_sae": DOSE_SYMBOLS,
    "efficacious_dose": DOSE_SYMBOLS,
    "highest_dose": DOSE_SYMBOLS,
}
"""Question types whose answers begin with an amount, and its units."""
BESIDE = frozenset(
    stems(
        "rank order sort list show molecule compound drug candidate substance medicine agent project archive"
        " highest largest greatest maximum longest most widest biggest lowest smallest shortest least fewest"
        " narrowest minimum first high low long short human people given tested value all each has with"
    )
)
"""Stems of words that ask for a rank and narrow nothing down."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What molecules are ranked by: a term of a vocabulary, or the answers of the question type `key`.

    `vocabulary` is "" for a question type.
    """

    name: str
    key: str
    vocabulary: str
    species: frozenset[str]


@dataclass(frozen=True, slots=True)
class Measured:
    """A value as stated, with its species and the keys of its passages.

    `whole` tells it with what belongs to it, as a cell shows it; `dose` is the one that it needs.
    """

    text: str
    whole: str
    quantity: Quantity
    species: str
    keys: tuple[str, ...]
    dose: str = ""

    @property
    def basis(self) -> tuple[str, str, str, str]:
        """What two values must share to be compared: species, unit, how often given, and dose."""
        unit, _, per = dosage(self.quantity).standard_unit.rpartition("/")
        if per in ("day", "week"):
            return self.species, unit, per, self.dose
        return self.species, self.quantity.standard_unit, self.quantity.frequency, self.dose


@dataclass(frozen=True, slots=True)
class Told:
    """What is read for a molecule, and the keys of passages that may tell a value which was not read."""

    molecule: str
    values: tuple[Measured, ...]
    unread: tuple[str, ...] = ()


def measure_of(library: Library, text: str, types: Sequence[str]) -> Measure | None:
    """The one quantity by which a question ranks; None where it names none, several, or narrows it down."""
    species = frozenset(name for _, name in species_in(text)) - {"animal"}
    named = [
        (vocabulary, term.name)
        for vocabulary in READERS
        for term in terms(vocabulary)
        if term.words.search(text)
    ]
    of_type = [key for key in types if key in OF_TYPES]
    if "margin_of_safety" in of_type or not named:
        if len(of_type) != 1:
            return None
        made = Measure(library[of_type[0]].name, of_type[0], "", species)
    elif len(named) == 1:
        made = Measure(named[0][1], named[0][1], named[0][0], species)
    else:
        return None
    rest = any_term("species").sub(" ", text)
    if made.vocabulary:
        rest = any_term(made.vocabulary).sub(" ", rest)
    return None if named_besides(library, set(of_type), rest, ()) - BESIDE else made


async def read_all(
    desk: Desk, text: str, measure: Measure, names: Sequence[str], registry: Sequence[Molecule]
) -> list[Told]:
    """What is read of a quantity for each molecule."""
    if not measure.vocabulary:
        return await of_type(desk, text, measure, names)
    return [await of_documents(desk, text, measure, name, registry) for name in names]


async def of_type(desk: Desk, text: str, measure: Measure, names: Sequence[str]) -> list[Told]:
    """The answers of a question type for molecules, with the amounts that they begin with."""
    merged = await typed(desk.tools, text, (measure.key,), names)
    desk.take(merged.evidence)
    parts = {part.molecule: part for part in merged.parts if part.present}
    return [told_by(name, parts.get(name), measure) for name in names]


def told_by(name: str, part: AnswerPart | None, measure: Measure) -> Told:
    """What an answer of a question type tells; its passages are unread where it begins with no amount."""
    if part is None:
        return Told(name, ())
    amounts = tuple(amounts_of(part, measure))
    return Told(name, amounts, () if amounts else keys_of(part))


def amounts_of(part: AnswerPart, measure: Measure) -> list[Measured]:
    """The first dose of an answer; of margins each with the species in the brackets behind it."""
    fitting = [one for one in parse_quantities(part.short) if one.standard_unit in OF_TYPES[measure.key]]
    if measure.key != "margin_of_safety":
        text = part.short.partition(" (")[0]
        return [Measured(text, part.short, one, "human", keys_of(part)) for one in fitting[:1]]
    behind = (re.match(r"\s?\(([^()]*)\)", part.short[one.end :]) for one in fitting)
    species = [{name for _, name in species_in(found[1] if found else "")} for found in behind]
    return [
        Measured(one.text, one.text, one, found, keys_of(part))
        for one, names in zip(fitting, species, strict=True)
        for found in (next(iter(names)) if len(names) == 1 else "",)
        if not measure.species or found in measure.species
    ]


async def of_documents(
    desk: Desk, text: str, measure: Measure, name: str, registry: Sequence[Molecule]
) -> Told:
    """The values that the documents of a molecule state, each amount once."""
    kept = {record.doc_id for record in standing(desk.records)}
    opened = [one for one in await documents_of(desk.tools, name) if one.document.record.doc_id in kept]
    words = next(term.words for term in terms(measure.vocabulary) if term.name == measure.key)
    asked = asked_of(text)
    values: list[Measured] = []
    naming: list[tuple[AnnotatedDocument, Line]] = []
    for document in read_for(name, opened, registry):
        for line in document.lines:
            if line.is_heading or not words.search(told_of(line)):
                continue
            read = [
                one for one in READERS[measure.vocabulary](document, line) if one.parameter == measure.key
            ]
            made = [measured(desk, one) for one in read if is_asked(one, asked, measure)]
            values += filter(None, made)
            sure = read and None not in made and all(one.species for one in read)
            if not sure or kinetics.tells_more(line, read, UNITS[measure.key]):
                naming.append((document, line))
    unread = [line for document, line in naming if is_rival(document, line, measure, values)]
    return Told(name, tuple(each_once(values)), tuple(desk.key(line.passage) for line in unread))


def each_once(values: Sequence[Measured]) -> list[Measured]:
    """Each amount once, the least first; one of no known species only where no other is the same."""
    kept: list[Measured] = []
    for value in sorted(values, key=lambda one: (not one.species, one.quantity.standard_low)):
        alike = [one for one in kept if same(one.quantity, value.quantity) and one.dose == value.dose]
        if not any(value.species in ("", one.species) for one in alike):
            kept.append(value)
    return kept


def told_of(line: Line) -> str:
    """A line with the heads of its columns."""
    return " | ".join((*line.row.header, line.text)) if line.row else line.text


def is_asked(value: KineticValue, asked: Asked, measure: Measure) -> bool:
    """Whether a value was found in a study, in what the question names."""
    return (
        value.realisation is Realisation.ACTUAL
        and (not measure.species or value.species in measure.species)
        and (measure.vocabulary == "levels" or asked.fits(value))
    )


def measured(desk: Desk, value: KineticValue) -> Measured | None:
    """A value with its amount; None where that cannot be read, or is only a limit."""
    amount = exact_amount(value)
    if amount is None:
        return None
    dose = value.dose if value.parameter in WITH_DOSE else ""
    return Measured(
        value.quantity, value.quantity, amount, value.species, (desk.key(value.line.passage),), dose
    )


def is_rival(document: AnnotatedDocument, line: Line, measure: Measure, values: Sequence[Measured]) -> bool:
    """Whether a line may tell a value of the molecule that was not read.

    Beside values that were read, it must hold another amount in a fitting unit; without any, it is enough
    that it names the quantity.
    """
    if not about_this(document, line):
        return False
    named = {name for _, name in species_in(line.text)} - {"animal"}
    species = named if len(named) > 1 else {levels.level_species(document, line)}
    if measure.species and "" not in species and measure.species.isdisjoint(species):
        return False
    amounts = [one for one in parse_quantities(told_of(line)) if one.standard_unit in UNITS[measure.key]]
    return not values or any(not any(same(one, known.quantity) for known in values) for one in amounts)
