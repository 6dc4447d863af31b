"""The number check: each quantity of a claim is stated in a cited passage or derived from such.

Unit-aware: 500 µg is found as 0.5 mg, never as 500 mg or 0.5 mg/kg; a frequency must be stated too.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from agents.evidence.values import Evidence
from agents.text.frequencies import Frequency, parse_frequencies
from agents.text.numbers import joined, parse_numbers
from agents.text.quantities import parse_quantities
from agents.text.quantity import COMPUTED, Quantity, same
from agents.trust.arithmetic import derivation_fault, derived_amounts, is_reversed, is_stated
from agents.trust.retold import as_fall, is_reached, is_rounded, turned
from agents.trust.stated import StatedValues, is_powered, read_values, stated_values, writes
from agents.trust.values import Claim, Derivation, Verdict


def check_numbers(claim: Claim, evidence: Sequence[Evidence]) -> tuple[Verdict, str]:
    """SUPPORTED, or UNSUPPORTED with the first number that no cited passage carries."""
    claim = replace(claim, text=joined(claim.text, (item.text for item in evidence)))
    by_key = {item.key: stated_values(item) for item in evidence}
    stated = sum(by_key.values(), StatedValues())
    computed: list[Derivation] = []
    for derivation in claim.derived:
        if fault := derivation_fault(derivation, _stated_by(derivation, by_key)):
            if is_stated(derivation.value, stated):
                continue
            return Verdict.UNSUPPORTED, fault
        computed.append(derivation)
        if is_reversed(derivation, claim.text):
            return Verdict.UNSUPPORTED, f"{derivation.formula!r} is no rise by {derivation.value!r}."
    frequencies = parse_frequencies(claim.text)
    derived = [quantity for item in computed for quantity in derived_amounts(item)]
    quantities = outside(parse_quantities(claim.text), frequencies)
    missing = [
        one
        for one in quantities
        if not states_told(stated, one, claim.text) and not any(same(one, known) for known in derived)
    ]
    near = _near(evidence) if missing and _states_any(stated, claim.text, missing) else StatedValues()
    for quantity in missing:
        if not states_told(near, quantity, claim.text):
            return Verdict.UNSUPPORTED, f"No cited passage states {quantity.text!r}."
    for frequency in frequencies:
        if not states_frequency(stated, frequency.term, derived):
            return Verdict.UNSUPPORTED, f"No cited passage states {frequency.text!r}."
    return Verdict.SUPPORTED, ""


def _near(evidence: Sequence[Evidence]) -> StatedValues:
    """What titles and the text around passages state: doses, days and groups that a finding goes with."""
    near = (f"{item.around}\n{item.notes}" for item in evidence)
    titles = (item.title for item in evidence)
    return sum(
        (read_values(text, title, (), ()) for text, title in zip(near, titles, strict=True)), StatedValues()
    )


def _states_any(stated: StatedValues, text: str, missing: Sequence[Quantity]) -> bool:
    """Whether the passages themselves state a number of a text."""
    apart = (
        number
        for number in parse_numbers(text)
        if all(number.start != quantity.start for quantity in missing)
    )
    return any(number.value in stated.numbers for number in apart)


def states_told(stated: StatedValues, quantity: Quantity, text: str) -> bool:
    """Whether a quantity of a text is stated, as such or as the words around it tell it."""
    fall = as_fall(text, quantity)
    quantity = turned(text, quantity)
    return (
        states(stated, quantity)
        or (fall is not None and states(stated, fall))
        or is_rounded(text, quantity, stated.quantities)
        or (is_reached(text, quantity) and any(same(quantity, point) for point in stated.reached))
    )


def states(stated: StatedValues, quantity: Quantity) -> bool:
    """Whether a quantity is stated: as such, as a bound of a range, or (a range) by both its bounds.

    A number that stands without any unit carries it: in a table in whatever unit, elsewhere in those that its
    text or the text around writes. Whether that unit is right is for the entailment check to say.
    """
    if any(same(quantity, bound) for known in stated.quantities for bound in (known, *known.bounds())):
        return True
    if not quantity.is_range and quantity.low in stated.unitless:
        return True
    if not quantity.is_range and quantity.low in stated.apart and writes(stated, quantity.standard_unit):
        return True
    if not quantity.is_range and is_powered(quantity, stated.apart, stated.texts):
        return True
    return quantity.is_range and all(states(stated, bound) for bound in quantity.bounds())


def states_frequency(stated: StatedValues, term: str, derived: Iterable[Quantity]) -> bool:
    """Whether a frequency is stated, as such or as a rate; `derived` are amounts that may give the rate.

    What is given in cycles is given once in each only where no dosing days and no other frequency are stated.
    """
    if stated.frequencies == {_as_cycle(term)} or _days_stated(term, stated):
        return True
    per = {"QD": "/day", "QW": "/week"}.get(term)
    quantities = (*stated.quantities, *(one for one in derived if one.frequency != COMPUTED))
    return term in stated.frequencies or bool(
        per and any(quantity.standard_unit.endswith(per) for quantity in quantities)
    )


def _as_cycle(term: str) -> str:
    """The cycle in which something is given every few days: Q3W is a cycle of 21 days; "" for others."""
    found = re.fullmatch(r"Q(\d*)([DW])", term)
    return f"{int(found[1] or 1) * (7 if found[2] == 'W' else 1)}-DAY CYCLE" if found else ""


def _days_stated(term: str, stated: StatedValues) -> bool:
    """Whether dosing days are each stated, together, apart or as ends of a span: "days 1 and 8" of "Day 1 and
    Day 8", "day 7" of "day 7 to 19", which are not days 7 and 19 alone.
    """
    told = _days(term)
    spans = {day for one in stated.frequencies for day in _days(one)}
    ends = {end for span in spans for end in span.split("-")} if len(told) == 1 else set()
    return bool(told) and (spans | ends).issuperset(told)


def _days(term: str) -> tuple[str, ...]:
    """The members of a list of days, "D1,8,15"; none for other frequencies."""
    return tuple(term[1:].split(",")) if re.fullmatch(r"D[\d,-]+", term) else ()


def outside(quantities: Iterable[Quantity], frequencies: Sequence[Frequency]) -> list[Quantity]:
    """Quantities that are not words of a frequency ("12 hours" in "every 12 hours")."""
    return [
        quantity
        for quantity in quantities
        if not any(f.start < quantity.end and quantity.start < f.end for f in frequencies)
    ]


def _stated_by(derivation: Derivation, by_key: dict[str, StatedValues]) -> StatedValues:
    return sum((by_key[key] for key in derivation.keys if key in by_key), StatedValues())
