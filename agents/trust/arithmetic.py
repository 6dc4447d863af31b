"""Derived numbers, recomputed: the inputs must be stated, and the formula over them must give the value.

A formula is arithmetic (+ - * / and brackets) over the numbers of its inputs as written, and over the
constants that need no source: 100 for a percentage, the doses a day or week that an input's frequency means,
and the whole that a part or a ratio is taken from ("1 - 0.12") for a percentage or multiple. Units convert by
themselves.

    Derivation("30 mg/day", "15 * 2", inputs=("15 mg b.i.d.",), keys=("E1",))
"""

import re
from dataclasses import replace

from agents.text.numbers import parse_numbers
from agents.text.quantities import parse_quantities
from agents.text.quantity import COMPUTED, Quantity, same
from agents.trust.date_arithmetic import date_fault, is_of_dates, without_dates
from agents.trust.formula import DOSES, SIGNS, Amount, FormulaError, evaluate, used_in
from agents.trust.retold import is_rise, points
from agents.trust.stated import StatedValues
from agents.trust.values import Derivation


def derivation_fault(derivation: Derivation, stated: StatedValues) -> str:
    """What is wrong with a derived number, in a sentence; an empty string if nothing is."""
    for written in derivation.inputs:
        undated = without_dates(written)
        if (undated == written or parse_numbers(undated)) and not is_stated(undated, stated):
            return f"{derivation.value!r} is derived from {written!r}, which no cited passage states."
    if is_of_dates(derivation.formula):
        return date_fault(derivation.value, derivation.formula, derivation.inputs, stated.read)
    try:
        result = _result(derivation, stated)
    except FormulaError as error:
        return f"{derivation.value!r} cannot be recomputed: {error}"
    if not _matches(derivation, result):
        return (
            f"{derivation.formula!r} gives {result.value:.6g} {result.unit}".rstrip()
            + f", not {derivation.value!r}."
        )
    return ""


def _result(derivation: Derivation, stated: StatedValues) -> Amount:
    """The formula's value; from one numbered day, week or month to another it is a time.

    An input without the unit that it shares ("13.1 to 11.4 g/dL") gets it, where the formula gives nothing
    without. Raises `FormulaError`.
    """
    try:
        between = [time for written in derivation.inputs for time in points(written)]
        if len({one.unit for one in between}) == 1 and len(between) == len(derivation.inputs):
            return evaluate(derivation.formula, tuple(one.text for one in between))
        return evaluate(derivation.formula, derivation.inputs)
    except FormulaError:
        units = {one.unit for written in derivation.inputs for one in parse_quantities(written)}
        if len(units) != 1:
            raise
        unit = units.pop()
        with_unit = tuple(one if parse_quantities(one) else f"{one} {unit}" for one in derivation.inputs)
        if not all(is_stated(one, stated) for one in with_unit):
            raise
        return evaluate(derivation.formula, with_unit)


def derived_amounts(derivation: Derivation) -> tuple[Quantity, ...]:
    """What a derived number says: a dose times the doses a day is also so much a day, and never a dose that
    is given once or twice a day.
    """
    found = [replace(one, frequency=one.frequency or COMPUTED) for one in parse_quantities(derivation.value)]
    per = _period(derivation)
    return (*found, *(replace(one, standard_unit=f"{one.standard_unit}{per}") for one in found if per))


def is_reversed(derivation: Derivation, text: str) -> bool:
    """Whether a text says that something rose by what a formula takes from the whole ("1 - 0.35"),
    or by all of a multiple.
    """
    if "-" not in derivation.formula.translate(SIGNS) and _of_multiple(derivation):
        return _tells_rise(derivation, text)
    wholes = re.findall(r"(?<![\d.])(1|100)\s?%?\s?-", derivation.formula.translate(SIGNS))
    given = {number.value for written in derivation.inputs for number in parse_numbers(written)}
    if not set(map(float, wholes)) - given:
        return False
    return _tells_rise(derivation, text)


def _of_multiple(derivation: Derivation) -> bool:
    """Whether a percentage is made of a multiple: what rises 2.9-fold rises by 190%."""
    given = [one for written in derivation.inputs for one in parse_quantities(written)]
    made = parse_quantities(derivation.value)
    return any(one.standard_unit == "%" for one in made) and any(one.standard_unit == "fold" for one in given)


def _tells_rise(derivation: Derivation, text: str) -> bool:
    amounts = derived_amounts(derivation)
    told = (one for one in parse_quantities(text) if is_rise(text, one))
    return any(same(one, amount) for one in told for amount in amounts)


def _period(derivation: Derivation) -> str:
    """The time of which a formula gives the amount: "/day" for a dose times its doses a day; else ""."""
    formula = re.sub(r"\s", "", derivation.formula.split("=")[0].translate(SIGNS))
    factors = re.fullmatch(r"(\d+(?:\.\d+)?)\*(\d+(?:\.\d+)?)", formula)
    for one in (found for written in derivation.inputs for found in parse_quantities(written)):
        doses = DOSES.get(one.frequency)
        if factors and doses and sorted(map(float, factors.groups())) == sorted((one.low, doses)):
            return "/week" if one.frequency.endswith("W") else "/day"
    return ""


def is_stated(written: str, stated: StatedValues) -> bool:
    """Whether all numbers of some words are stated, those with a unit in this unit."""
    quantities = parse_quantities(written)
    if quantities:
        known = [bound for item in stated.quantities for bound in (item, *item.bounds())]
        return all(any(same(quantity, item) for item in known) for quantity in quantities)
    numbers = parse_numbers(written)
    return bool(numbers) and all(number.value in stated.numbers for number in numbers)


def _matches(derivation: Derivation, result: Amount) -> bool:
    """Whether the value written is the result, rounded to the digits that are written."""
    written = derivation.value
    used = used_in(derivation.formula, derivation.inputs)
    quantities = parse_quantities(written)
    if not quantities:
        numbers = parse_numbers(written)
        return (
            bool(numbers)
            and (result.unit == "" or (result.unit == "%" and used.hundred))
            and not used.whole
            and _rounded(numbers[0].text, numbers[0].value, result.value)
        )
    quantity = quantities[0]
    if not _fits(quantity, result.unit, derivation):
        return False
    if quantity.standard_unit == "fold" and used.hundred:
        return False
    if quantity.standard_unit == "%" and result.unit == "" and used.ratio and not used.hundred:
        result = replace(result, value=100 * result.value)
    factor = quantity.standard_low / quantity.low if quantity.low else 1.0
    return _rounded(parse_numbers(written)[0].text, quantity.low, result.value / factor)


def _fits(quantity: Quantity, unit: str, derivation: Derivation) -> bool:
    """A ratio may be given as fold or percent; an amount times doses a day is a rate, and no dose."""
    if quantity.frequency:
        return False
    if unit == "":
        return quantity.standard_unit in ("fold", "%")
    return quantity.standard_unit in (unit, f"{unit}{_period(derivation)}")


def _rounded(text: str, value: float, result: float) -> bool:
    decimals = len(text.partition(".")[2])
    return abs(value - result) <= 0.5 * 10.0**-decimals + 1e-9 * abs(result)
