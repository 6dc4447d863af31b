"""Which quantities of a text are doses, in which unit, and how often they were given."""

import re
from collections.abc import Iterator

from agents.archive.research.vocabulary import wording
from agents.text.frequencies import parse_frequencies
from agents.text.quantities import parse_quantities
from agents.text.quantity import Quantity

DOSE_UNITS = re.compile(r"(?:mg|IU|U|nmol|MBq|cell|vg|mEq)(?:/kg|/m2)?(?:/day|/week|/h)?|nM")
LIMIT = re.compile(
    r"(?:[<>≥≤]|\b(?:greater|more|less|lower|higher|at least|exceeding|exceeds?|above|below)"
    r"(?: than)?)\s*$",
    re.IGNORECASE,
)
GIVEN_ONCE = re.compile(r"\bsingle\s(?:(?!daily)\w+\s){0,2}?(?:dos(?:e|es)\s(?:of\s)?)?$", re.IGNORECASE)
ONE_DAY = re.compile(r"D-?\d+")
PREPARATION = r"(?:creams?|gels?|ointments?|lotions?|solutions?|foams?|eye ?drops?|drops)"
TOPICAL = re.compile(rf"\s(?:[wv]/[wv]\s)?(?:\w+\s)?{PREPARATION}\b", re.IGNORECASE)
NO_DOSE_UNIT = re.compile(r"(?:kg|kilogram(?:me)?s?)(?:/m\^?[2²])?|MBq.*|[mkµ]?Ci.*", re.IGNORECASE)
SUPPLIED = re.compile(
    r"\b(?:supplied|available|provided|formulated|manufactured|strengths?)\b[^.;]{0,60}$", re.IGNORECASE
)
FREQUENCY_WORDS = {
    "QD": "once daily",
    "BID": "twice daily",
    "TID": "three times daily",
    "QID": "four times daily",
    "Q2D": "every other day",
    "QW": "once weekly",
    "2QW": "twice weekly",
    "3QW": "three times weekly",
    "Q2W": "every 2 weeks",
    "Q3W": "every 3 weeks",
    "Q4W": "every 4 weeks",
    "QM": "once monthly",
    "SINGLE": "single dose",
}
TIMES_A_DAY = {"BID": 2, "TID": 3, "QID": 4}


def unit_text(quantity: Quantity) -> str:
    """The unit as written, in its usual short form."""
    written = " ".join(quantity.unit.split())
    return re.sub(
        r"^milligram(?:me)?s?",
        "mg",
        re.sub(r"^microgram(?:me)?s?|^mcg|^ug", "µg", written, flags=re.IGNORECASE),
        flags=re.IGNORECASE,
    )


def dose_quantities(text: str) -> Iterator[Quantity]:
    """Quantities of a text that can be doses: not strengths, limits, laboratory values or weights."""
    for quantity in parse_quantities(text):
        if (
            not is_dose_unit(quantity, text)
            or quantity.standard_high <= 0
            or NO_DOSE_UNIT.fullmatch(quantity.unit)
        ):
            continue
        behind = text[quantity.end : quantity.end + 24]
        ahead = text[: quantity.start]
        if LIMIT.search(ahead) or SUPPLIED.search(ahead) or wording("not_a_dose").match(behind.lstrip(" ,")):
            continue
        if re.match(r"\s?/\s?d?l\b|\s?(?:/|per )\s?(?:plate|d[lL]|100)|\s(?:more|less) weight", behind):
            continue
        yield quantity


def is_dose_unit(quantity: Quantity, text: str) -> bool:
    """Whether a quantity has a unit of doses; a percentage is one of a cream, gel or solution."""
    if quantity.standard_unit == "%":
        return TOPICAL.match(text, quantity.end) is not None
    return DOSE_UNITS.fullmatch(quantity.standard_unit) is not None


def frequency_at(text: str, quantity: Quantity) -> str:
    """The dose's frequency; "SINGLE" behind "single dose of"; one shortly before where a cycle follows."""
    ahead = text[max(0, quantity.start - 40) : quantity.start]
    if GIVEN_ONCE.search(ahead):
        return "SINGLE"
    if quantity.frequency in FREQUENCY_WORDS or not quantity.frequency:
        return quantity.frequency
    return frequency_of(ahead) or ("" if ONE_DAY.fullmatch(quantity.frequency) else quantity.frequency)


def rate_of(quantity: Quantity) -> str:
    """The frequency that decides on the design; an amount per day was given repeatedly."""
    return quantity.frequency or ("QD" if re.search(r"/(?:day|week)$", quantity.standard_unit) else "")


def frequency_of(text: str) -> str:
    """A dosing frequency in a header or caption."""
    return next((f.term for f in parse_frequencies(text) if f.term in FREQUENCY_WORDS), "")
