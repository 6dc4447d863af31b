"""Limits of a question: "a margin below 10", "more than 50 subjects". What breaks them is not listed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.archive.answer import Answer, Question
from agents.archive.overview.measured import Told, measure_of, read_all
from agents.archive.overview.page import Desk, counted, line_of
from agents.archive.overview.ranked import by_species, cell_text, high, keys_of, low, value_text
from agents.archive.research.drafting import listed
from agents.counts import number_of
from agents.reports.values import Cell, Table
from agents.trust.quantities import parse_quantities
from retrieval.values import Molecule

LIMIT = re.compile(
    r"\b(?P<denied>(?:no|not) )?"
    r"(?:(?P<below>below|under|less than|lower than|fewer than|smaller than|shorter than)"
    r"|(?P<above>above|over|more than|higher than|greater than|larger than|longer than|exceeding)"
    r"|(?P<most>at most|up to)|(?P<least>at least))"
    r"\s(?P<number>\d+(?:,\d{3})*(?:\.\d+)?)(?:[ -]?(?P<unit>fold|[a-zA-Zµμ%]+(?:[/·][a-zA-Z]+)*))?",
    re.IGNORECASE,
)
NONE = "On record for no {}: such a {}."
PEOPLE = re.compile(r"patients|subjects|participants|volunteers|people|individuals|persons", re.IGNORECASE)
AGED = re.compile(
    rf"\b(?:{PEOPLE.pattern}|adults|men|women|children|aged?)(?: (?:who are|aged|of))*\s\Z", re.IGNORECASE
)
"""What stands before a limit of an age: "patients over 65"."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit as a question writes it; `unit` is "" for a plain number."""

    told: str
    number: float
    unit: str
    below: bool
    included: bool
    start: int
    end: int

    def holds(self, amount: float, bound: float | None = None) -> bool:
        """Whether an amount keeps to the limit; `bound` is the limit in the amount's own unit."""
        bound = self.number if bound is None else bound
        return (amount < bound if self.below else amount > bound) or (self.included and amount == bound)


def limit_in(text: str) -> Limit | None:
    """The one limit that a question states; None for none or several."""
    found = list(LIMIT.finditer(text))
    if len(found) != 1:
        return None
    [match] = found
    unit = match["unit"] or ""
    of_people = PEOPLE.fullmatch(unit)
    if not unit and AGED.search(text[: match.start()]):
        unit = "years"
    below = bool(match["below"] or match["most"])
    denied = match["denied"] is not None
    end = match.end("number") if of_people else match.end()
    return Limit(
        text[match.start() : end],
        float(match["number"].replace(",", "")),
        "" if of_people else unit,
        below != denied,
        bool(match["most"] or match["least"]) != denied,
        match.start(),
        end,
    )


async def within_limit(
    desk: Desk,
    question: Question,
    limit: Limit,
    types: Sequence[str],
    names: Sequence[str],
    registry: Sequence[Molecule],
) -> Answer | None:
    """The molecules with a value that keeps to a limit; None where no one quantity is asked for, and where
    the unit of the limit is not that of the values.
    """
    text = question.text[: limit.start] + question.text[limit.end :]
    measure = measure_of(desk.tools.library, text, types)
    if measure is None:
        return None
    told = await read_all(desk, text, measure, names, registry)
    having = [one for one in told if one.values]
    bounds = parse_quantities(f"{limit.number:g} {limit.unit}" if limit.unit else f"{limit.number:g}-fold")
    units = {value.quantity.standard_unit for one in having for value in one.values}
    if not having or len(bounds) != 1 or units != {bounds[0].standard_unit}:
        return None
    bound = bounds[0].standard_high
    held = [kept for one in having if (kept := keeping(one, limit, bound)).values]
    shown = "; ".join(f"{one.molecule} {value_text(one.values)}" for one in held)
    line = f"{number_of(len(held), 'molecule')}: {shown}." if held else NONE.format("molecule", measure.name)
    unread = [one.molecule for one in told if one.unread]
    silent = [one.molecule for one in told if not one.values and not one.unread]
    composer = desk.number()
    body = tuple(
        (Cell(one.molecule), composer.cell(cell_text(group), keys_of(group)), Cell(species))
        for one in having
        for species, group in by_species(one)
    )
    keys = [key for one in (held or having) for value in one.values for key in value.keys]
    notes = (
        f"Named, and no value read for certain: {listed(unread)}." if unread else "",
        f"None found for {listed(silent)}." if silent else "",
    )
    title = f"{measure.name[:1].upper()}{measure.name[1:]} by molecule"
    table = Table(title, ("Molecule", "Stated", "Species"), body)
    return desk.answer(
        question,
        line,
        [line_of(composer, line, keys), table],
        subjects=names,
        notes=notes,
        derived=[counted([one.molecule for one in held])] if held else [],
    )


def keeping(one: Told, limit: Limit, bound: float) -> Told:
    """The values of a molecule that keep to a limit as a whole."""
    values = tuple(v for v in one.values if limit.holds(low(v), bound) and limit.holds(high(v), bound))
    return Told(one.molecule, values)
