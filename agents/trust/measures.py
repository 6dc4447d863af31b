"""Which unit a measured property can have: a clearance is volume per time, a half-life is time.

A value with a unit that follows the name of a property ("clearance 5 mg") must be of its dimension. A share
or a multiple of a property (30 %, 2-fold) always may follow its name.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agents.text.quantities import parse_quantities
from agents.text.quantity import Quantity
from agents.text.unit_table import DOSE_SYMBOLS
from agents.text.units import plain_signs

_TIME = r"h|month"
_CONCENTRATION = r"(?:ng|nmol|IU|U|MBq|mEq|cell)/(?:mL|g)|nM|mg/(?:mL|g)"


@dataclass(frozen=True, slots=True)
class Measure:
    """A property by its names, and the standard units that a value of it can have."""

    name: str
    names: re.Pattern[str]
    units: re.Pattern[str]

    def fits(self, quantity: Quantity) -> bool:
        """Whether a quantity can be a value of this property, or a share or multiple of one."""
        unit = quantity.standard_unit
        return unit in ("%", "fold") or bool(self.units.fullmatch(unit))


def _measure(name: str, names: str, units: str) -> Measure:
    named = re.compile(rf"(?<![\w-])(?:{names})(?![\w/-])", re.IGNORECASE)
    return Measure(name, named, re.compile(units))


_DOSE = "|".join(map(re.escape, sorted(DOSE_SYMBOLS, key=len, reverse=True)))
_AUC = r"AUC(?:\s?\(?(?:0[-–]\S+?|inf|last|tau|τ|∞)\)?)?"
_PEAK = r"C\s?(?:max|min|trough)|(?:trough|peak) concentrations?"
_MARGIN = r"safety margins?|margins? of safety|exposure (?:margin|multiple|ratio)s?"
MEASURES = (
    _measure("clearance", r"clearance|CL(?:/F)?", r"mL/(?:h|month|day|week)(?:/(?:kg|m2|g))?"),
    _measure("half-life", r"half[- ]?li(?:fe|ves)|t\s?(?:1/2|½)", _TIME),
    _measure("volume of distribution", r"volumes? of distribution|V(?:d|ss|z)(?:/F)?", r"mL(?:/kg|/m2|/g)?"),
    _measure("exposure", _AUC, r".*h.*"),
    _measure("peak concentration", _PEAK, rf"(?:{_CONCENTRATION})(?:/.+)?"),
    _measure("time to peak", r"t\s?max", _TIME),
    _measure("bioavailability", r"bioavailability|protein binding", r"%"),
    _measure("potency", r"(?:p?IC|EC|GI|CC)[- ]?50|K[id]", _CONCENTRATION),
    _measure("margin", _MARGIN, r"fold|%"),
    _measure("molecular weight", r"molecular (?:weight|mass)", r"Da"),
    _measure(
        "dose",
        r"doses?|NO(?:A?EL)|LOA?EL|MTD|HED",
        rf"(?:{_DOSE})(?:/.+)?|mL(?:/kg)?|{_CONCENTRATION}|mL/(?:h|kg/h)|{_TIME}",
    ),
)
"""The properties that are checked. A dose may also be a volume, an infusion or, of radiation, a time."""

_DOSES = next(measure for measure in MEASURES if measure.name == "dose")
_JOINS = re.compile(
    r"(?:\s*\([^()]{0,25}\))?(?:\s|[:=|~≈<>≤≥±]|\b(?:was|is|were|are|be|of|about|approximately|around|ca\.?|circa"
    r"|values?|mean|median|average|estimated|reported|measured|stated|calculated|as|at|equal|to|averaged|a|an|the"
    r"|[A-Z]{1,5}-?\d[\w-]*"
    r"|in (?:humans?|man|rats?|mice|dogs?|monkeys?|rabbits?|healthy volunteers|patients|subjects))\b){0,8}",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"[:=|~≈<>≤≥±]|\b(?:was|is|were|are|be|equal|averaged|estimated|reported|measured|stated|calculated)\b"
)
_CONDITION = re.compile(
    r"\b(?:at|to)\b(?:\s(?:the|an?|about|approximately|around|mean|median))*\s*\Z", re.IGNORECASE
)
"""What stands before a dose at which something was measured."""
_NAMED = re.compile(r"\b[A-Z]{1,5}-?\d[\w-]*\s\Z")
"""A molecule right before its dose: "the AUC of XY-12 5 mg"."""
_GIVEN = re.compile(
    r"[\s-](?:\w+[\s-]){0,2}?(?:doses?|tablets?|capsules?|groups?|arms?|levels?|cohorts?|formulations?|infusions?|"
    r"injections?)\b",
    re.IGNORECASE,
)
"""What stands behind a dose that tells which was given."""
_AT_END = re.compile(r"\bat (?:the |its |this )?\Z", re.IGNORECASE)


def misfits(text: str) -> Iterator[str]:
    """What is wrong between names of properties and the amounts right behind them; nothing if all fit."""
    read = plain_signs(text)
    quantities = {quantity.start: quantity for quantity in parse_quantities(read)}
    for measure in MEASURES:
        for named in measure.names.finditer(read):
            join = _JOINS.match(read, named.end())
            value = quantities.get(join.end()) if join else None
            if value is None or join is None:
                continue
            if not _may_have(measure, value, read[: named.start()], join[0], read[value.end :]):
                yield f"{value.text!r} is no {measure.name}"


def _is_condition(value: Quantity, join: str, after: str) -> bool:
    """Whether a dose tells at what the property was measured, or to what it was compared: "the AUC in dogs at
    1.5 mg twice a day", "the margin to 20 mg", "the AUC of the 5 mg tablet".
    """
    told = _CONDITION.search(join) and not _TELLS.search(join)
    told = told or (_NAMED.search(join) and not _TELLS.search(join))
    return _DOSES.fits(value) and bool(told or (_GIVEN.match(after) and not _TELLS.search(join)))


def _may_have(measure: Measure, value: Quantity, before: str, join: str, after: str) -> bool:
    """Whether a value right behind a property may be its own, another's, or what it was measured at.

    What is told of "the AUC at the NOAEL" is an AUC, and no dose.
    """
    outer = next((one for one in MEASURES if _AT_END.search(before) and one.names.search(before[-60:])), None)
    if outer and _TELLS.search(join):
        return outer.fits(value)
    return measure.fits(value) or _is_condition(value, join, after)


def measure_named(text: str, whole: bool = False) -> str:
    """The property that a head names, without its unit; "" for none. `whole`: the text is nothing else."""
    for measure in MEASURES:
        found = measure.names.fullmatch(text.strip()) if whole else measure.names.match(text.strip())
        if found:
            return found[0]
    return ""
