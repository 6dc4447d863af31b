"""The highest or lowest of the values that documents state, where each of them was read."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from agents.archive.answer import Realisation
from agents.archive.research.documents.attribution import about_this
from agents.archive.research.documents.document import AnnotatedDocument
from agents.archive.research.documents.kinetics import NUMBER, UNITS, KineticValue, values_in
from agents.archive.research.documents.lines import Line
from agents.archive.research.vocabulary import any_term, terms
from agents.text.quantities import parse_quantities
from agents.text.quantity import Quantity, same

HIGHEST, LOWEST = "highest", "lowest"
WORDS = {
    HIGHEST: re.compile(r"\b(?:highest|largest|greatest|longest|biggest|greater|most)\b", re.IGNORECASE),
    LOWEST: re.compile(r"\b(?:lowest|smallest|shortest|least)\b", re.IGNORECASE),
}
OF_DOSES = re.compile(r"\b\w+est (?:[\w-]+ ){0,2}(?:doses?|levels?|groups?|cohorts?)\b", re.IGNORECASE)
"""A superlative that tells at which dose, and asks for no extreme of the values."""
AT_WHICH_DOSE = re.compile(
    r"\b(?:which|what) (?:[\w-]+ )?(?:dose|level|regimen|group|cohort)\b", re.IGNORECASE
)
INEXACT = re.compile(r"[<>~≤≥±]|\b(?:about|approximately|at least|up to|below|above)\b", re.IGNORECASE)
LIMIT_AHEAD = re.compile(r"(?:[<>~≤≥]|\b(?:than|least|about|below|above|exceeding|up to))\s*$", re.IGNORECASE)


def extreme_asked(text: str) -> str:
    """Whether a question asks for the highest or the lowest value of a parameter; "" for neither."""
    rest = OF_DOSES.sub(" ", any_term("kinetics").sub(" ", text))
    return next((name for name, words in WORDS.items() if words.search(rest)), "")


def extremes(
    text: str, wanted: str, documents: Iterable[AnnotatedDocument], values: Sequence[KineticValue]
) -> list[KineticValue]:
    """The extreme values of one parameter, of each species its own; none where a value may be missing."""
    measured = [value for value in values if value.realisation is Realisation.ACTUAL]
    parameters = {value.parameter for value in measured}
    if len(parameters) != 1 or not all(map(exact_amount, measured)):
        return []
    [parameter] = parameters
    own = {value.document.doc_id for value in values}
    told = [document for document in documents if document.doc_id in own]
    if any(may_miss(document, line, parameter, values) for document in told for line in document.lines):
        return []
    measured.sort(key=lambda value: value.species)
    chosen = [
        value
        for _, group in groupby(measured, lambda one: one.species)
        for value in most(list(group), wanted)
    ]
    without = AT_WHICH_DOSE.search(text) and not all(value.dose for value in chosen)
    return [] if without or "" in {value.species for value in measured} else chosen


def most(values: Sequence[KineticValue], wanted: str) -> list[KineticValue]:
    """The values of a species that are the extreme: several where they are the same; none in two units."""
    amounts = [amount for value in values if (amount := exact_amount(value))]
    if len({amount.standard_unit for amount in amounts}) > 1:
        return []
    if wanted == HIGHEST:
        best = max(amounts, key=lambda amount: amount.standard_high)
    else:
        best = min(amounts, key=lambda amount: amount.standard_low)
    return [value for value, amount in zip(values, amounts, strict=True) if same(amount, best)]


def exact_amount(value: KineticValue) -> Quantity | None:
    """The amount of a value; None where that cannot be read, or is only a limit."""
    found = parse_quantities(value.quantity)
    inexact = INEXACT.search(value.quantity) or precedes_limit(value)
    return found[0] if found and not inexact else None


def precedes_limit(value: KineticValue) -> bool:
    """Whether a sentence states a value as a limit: "a half-life of more than 30 hours"."""
    place = max(0, value.line.text.find(value.quantity))
    return LIMIT_AHEAD.search(value.line.text[:place]) is not None


def may_miss(document: AnnotatedDocument, line: Line, parameter: str, values: Sequence[KineticValue]) -> bool:
    """Whether a sentence or row may tell a value of a parameter that was not read."""
    words = next(term.words for term in terms("kinetics") if term.name == parameter)
    text = " | ".join((*line.row.header, line.text)) if line.row else line.text
    if line.is_heading or not words.search(text) or not about_this(document, line):
        return False
    if line.row:
        numbers = any(
            words.search(head) and NUMBER.match(cell.strip())
            for head, cell in zip(line.row.header, line.row.cells, strict=True)
        )
        return numbers and not any(one.parameter == parameter for one in values_in(document, line))
    known = [amount for value in values if (amount := exact_amount(value))]
    amounts = (one for one in parse_quantities(text) if one.standard_unit in UNITS[parameter])
    return any(not any(same(one, other) for other in known) for one in amounts)
