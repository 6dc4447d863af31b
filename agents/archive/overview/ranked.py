"""Molecules ranked by a quantity: a table of what is stated for each, and the first where that is sure.

Values are compared only in one species, one unit and one schedule. Where a value may be missing, or the
values of two molecules overlap, the table stands and nothing is named as the highest.
"""

from collections.abc import Sequence
from itertools import pairwise

from agents.archive.answer import Answer, Question
from agents.archive.overview.asked import SUPERLATIVE, lowest_first
from agents.archive.overview.measured import Measure, Measured, Told, measure_of, read_all
from agents.archive.overview.page import Desk, counted
from agents.archive.research.drafting import listed
from agents.counts import number_of
from agents.reports.values import Cell, Prose, Statement, Table
from retrieval.values import Molecule

NOTHING, UNREAD = "none found", "named, and no value read for certain"


async def ranked(
    desk: Desk,
    question: Question,
    types: Sequence[str],
    names: Sequence[str],
    left_out: str,
    registry: Sequence[Molecule],
) -> Answer | None:
    """The table with its first line; None where the question names no one quantity, or nothing is stated."""
    measure = measure_of(desk.tools.library, question.text, types)
    if measure is None:
        return None
    told = await read_all(desk, question.text, measure, names, registry)
    having = [one for one in told if one.values]
    if not having:
        return None
    lowest = lowest_first(question.text)
    having = in_order(having, lowest)
    superlative = SUPERLATIVE.search(question.text)
    word = ((superlative and (superlative["most"] or superlative["least"])) or "highest").lower()
    line = first_line(measure, having, told, word, lowest, named=word in question.text.lower())
    composer = desk.number()
    body = [
        (Cell(one.molecule), composer.cell(cell_text(group), keys_of(group)), Cell(species))
        for one in having
        for species, group in by_species(one)
    ]
    numbers = tuple(dict.fromkeys(number for _, cell, _ in body for number in cell.citations))
    body += [
        (Cell(one.molecule), composer.cell(UNREAD if one.unread else NOTHING, one.unread[:1]), Cell(""))
        for one in told
        if not one.values
    ]
    columns = ("Molecule", capitalised(measure.name), "Species")
    table = Table(f"{capitalised(measure.name)} by molecule, {word} first", columns, tuple(body))
    compared = f"{number_of(len(names), 'molecule')} with a study or report of their own compared."
    return desk.answer(
        question,
        line,
        [Prose((Statement(line, numbers),), strong=True), table],
        subjects=names,
        notes=(compared, left_out),
        derived=[counted(names)],
    )


def in_order(having: Sequence[Told], lowest: bool) -> list[Told]:
    """Molecules by their best value; those that are compared in most molecules stand first."""
    bases = [basis for one in having for basis in {value.basis for value in one.values}]

    def place(one: Told) -> tuple[int, float]:
        common = max((value.basis for value in one.values), key=bases.count)
        amounts = [value.quantity.standard_high for value in one.values if value.basis == common]
        return -bases.count(common), min(amounts) if lowest else -max(amounts)

    return sorted(having, key=place)


def first_line(
    measure: Measure, having: Sequence[Told], told: Sequence[Told], word: str, lowest: bool, *, named: bool
) -> str:
    """The line that names the first molecule, or all in order; else the values and why none is named."""
    where = f" {in_species(measure.species)}" if measure.species and measure.vocabulary else ""
    what = f"{measure.name} " if measure.vocabulary else ""
    stated = f"{having[0].molecule}: {what}{value_text(having[0].values)}{where}"
    if doubt := doubt_of(having, told, word, lowest):
        values = "; ".join(f"{one.molecule} {value_text(one.values)}" for one in having)
        return f"{capitalised(measure.name)}{where}: {values}. No molecule is named as {word}: {doubt}."
    if len(having) == 1:
        return f"{stated}. For no other molecule was one found."
    if named:
        return f"{stated}, the {word} of all for which one was found."
    values = "; ".join(f"{one.molecule} {value_text(one.values)}" for one in having)
    return f"{capitalised(measure.name)}{where}, {word} first: {values}."


def doubt_of(having: Sequence[Told], told: Sequence[Told], word: str, lowest: bool) -> str:
    """Why no molecule is the first for certain; "" where one is."""
    bases = [value.basis for one in having for value in one.values]
    for place, differing in enumerate(
        (
            "the values are of different or unknown species",
            "the values are in different units",
            "the doses were given at different or unknown intervals",
            "the values were measured at different doses",
        )
    ):
        if len({basis[place] for basis in bases}) > 1:
            return differing
    if unread := [one.molecule for one in told if one.unread]:
        return f"a passage on {listed(unread)} may tell another value, which was not read for certain"
    for one, other in pairwise(having):
        bounds = [(min(low(v) for v in t.values), max(high(v) for v in t.values)) for t in (one, other)]
        (least, most), (least_next, most_next) = bounds
        if not (most < least_next if lowest else least > most_next):
            return f"the values of {one.molecule} and {other.molecule} overlap"
    return ""


def low(value: Measured) -> float:
    """The lower bound in standard units."""
    return value.quantity.standard_low


def high(value: Measured) -> float:
    """The upper bound in standard units."""
    return value.quantity.standard_high


def by_species(one: Told) -> list[tuple[str, list[Measured]]]:
    """The values of a molecule by species, as many as there are."""
    groups: dict[str, list[Measured]] = {}
    for value in one.values:
        groups.setdefault(value.species, []).append(value)
    return list(groups.items())


def value_text(values: Sequence[Measured]) -> str:
    """Values as stated, with the dose that one needs, and each species where there are several."""
    several = len({value.species for value in values}) > 1
    shown = [with_asides(value.text, value.species if several else "", value.dose) for value in values]
    return listed(list(dict.fromkeys(shown)))


def cell_text(values: Sequence[Measured]) -> str:
    """Values of one species as a cell shows them."""
    return listed(list(dict.fromkeys(with_asides(value.whole, "", value.dose) for value in values)))


def with_asides(text: str, species: str, dose: str) -> str:
    """A value with its species and dose in brackets, where they are to be told."""
    asides = ", ".join(filter(None, (species, f"at {dose}" if dose else "")))
    return f"{text} ({asides})" if asides else text


def capitalised(name: str) -> str:
    """A name at the beginning of a line."""
    return name[:1].upper() + name[1:]


def keys_of(values: Sequence[Measured]) -> list[str]:
    """The keys behind values."""
    return list(dict.fromkeys(key for value in values for key in value.keys))


def in_species(species: frozenset[str]) -> str:
    """ "in the rat", "in humans"."""
    return f"in {listed(['humans' if name == 'human' else f'the {name}' for name in sorted(species)], 'or')}"
