"""Derived numbers, recomputed: the inputs must be stated, and the formula over them must give the value.

A formula is arithmetic (+ - * / and brackets) over the numbers of its inputs as written, and over the
constants that need no source: 100 for a percentage, the doses a day or week that an input's frequency means,
and the whole that a part or a ratio is taken from ("1 - 0.12"). Units convert by themselves.

    Derivation("30 mg/day", "15 * 2", inputs=("15 mg b.i.d.",), keys=("E1",))
"""

import ast
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isclose

from agents.trust.quantities import parse_quantities
from agents.trust.quantity import Quantity, same
from agents.trust.stated import StatedValues
from agents.trust.values import Derivation
from agents.trust.written_numbers import parse_numbers

DOSES = {"QD": 1.0, "BID": 2.0, "TID": 3.0, "QID": 4.0, "QW": 1.0, "2QW": 2.0, "3QW": 3.0}
"""Doses a day, or a week, that a frequency means."""
_SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", ",": "", "[": "(", "]": ")"})
_OPERATIONS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
LONGEST = 200
"""Characters of the longest formula that is read."""


class FormulaError(ValueError):
    """The formula is no arithmetic over its inputs."""


@dataclass(frozen=True, slots=True)
class _Amount:
    """A value with its standard unit; "" for a ratio or a bare number."""

    value: float
    unit: str


HUNDRED = _Amount(100.0, "")


def derivation_fault(derivation: Derivation, stated: StatedValues) -> str:
    """What is wrong with a derived number, in a sentence; an empty string if nothing is."""
    for written in derivation.inputs:
        if not _is_stated(written, stated):
            return f"{derivation.value!r} is derived from {written!r}, which no cited passage states."
    try:
        result = _result(derivation, stated)
    except FormulaError as error:
        return f"{derivation.value!r} cannot be recomputed: {error}"
    if not _matches(derivation.value, result):
        return (
            f"{derivation.formula!r} gives {result.value:.6g} {result.unit}".rstrip()
            + f", not {derivation.value!r}."
        )
    return ""


def _result(derivation: Derivation, stated: StatedValues) -> _Amount:
    """The formula's value. An input without the unit that it shares ("13.1 to 11.4 g/dL") gets it,
    where the formula gives nothing without. Raises `FormulaError`.
    """
    try:
        return evaluate(derivation.formula, derivation.inputs)
    except FormulaError:
        units = {one.unit for written in derivation.inputs for one in parse_quantities(written)}
        if len(units) != 1:
            raise
        unit = units.pop()
        with_unit = tuple(one if parse_quantities(one) else f"{one} {unit}" for one in derivation.inputs)
        if not all(_is_stated(one, stated) for one in with_unit):
            raise
        return evaluate(derivation.formula, with_unit)


def derived_amounts(derivation: Derivation) -> tuple[Quantity, ...]:
    """What a derived number says: an amount made of doses a day is also so much a day."""
    found = parse_quantities(derivation.value)
    given = {one.frequency for written in derivation.inputs for one in parse_quantities(written)}
    daily = given & {"QD", "BID", "TID", "QID"}
    rates = (replace(one, standard_unit=f"{one.standard_unit}/day") for one in found if daily and one.is_dose)
    return (*found, *(rate for rate in rates if rate.is_dose))


def evaluate(formula: str, inputs: tuple[str, ...]) -> _Amount:
    """The formula's value in standard units. Raises `FormulaError`."""
    try:
        plain = re.sub(r"(?<=\d)\s?%", "", formula.split("=")[0].strip().translate(_SIGNS))
        tree = ast.parse(plain[: LONGEST + 1], mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise FormulaError("the formula is no arithmetic") from error
    if len(formula) > LONGEST:
        raise FormulaError(f"the formula is longer than {LONGEST} characters")
    return _value(tree.body, _known_amounts(inputs))


def _known_amounts(inputs: tuple[str, ...]) -> dict[float, _Amount]:
    """Numbers a formula may use, by their value as written."""
    known = {100.0: HUNDRED}
    for written in inputs:
        known |= {number.value: _Amount(number.value, "") for number in parse_numbers(written)}
        for quantity in parse_quantities(written):
            if doses := DOSES.get(quantity.frequency):
                known.setdefault(doses, _Amount(doses, ""))
    for quantity in (found for written in inputs for found in parse_quantities(written)):
        unit = "" if quantity.standard_unit == "fold" else quantity.standard_unit
        known[quantity.low] = _Amount(quantity.standard_low, unit)
        known[quantity.high] = _Amount(quantity.standard_high, unit)
    return known


def _value(node: ast.expr, known: dict[float, _Amount]) -> _Amount:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        for written, amount in known.items():
            if isclose(written, node.value):
                return amount
        raise FormulaError(f"{node.value} is not among its inputs")
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        left, right = (_whole_or_value(side, node, known) for side in (node.left, node.right))
        if isinstance(node.op, ast.Sub) and "%" in (left.unit, right.unit):
            left, right = (replace(one, unit="%") if one == HUNDRED else one for one in (left, right))
        return _combine(node.op, left, right)
    raise FormulaError("only + - * / and brackets are read")


def _whole_or_value(side: ast.expr, node: ast.BinOp, known: dict[float, _Amount]) -> _Amount:
    """A side of a formula; 1 is the whole in "1 - 0.12", "3.1 - 1" and "1 / 0.12", beside a ratio alone."""
    if not (isinstance(side, ast.Constant) and side.value == 1 and isinstance(node.op, ast.Sub | ast.Div)):
        return _value(side, known)
    if 1.0 in known or (isinstance(node.op, ast.Div) and side is node.right):
        return _value(side, known)
    other = _value(node.right if side is node.left else node.left, known)
    if other.unit or other.value == int(other.value):
        raise FormulaError("1 is not among its inputs")  # a count less one
    return _Amount(1.0, "")


def _combine(sign: ast.operator, left: _Amount, right: _Amount) -> _Amount:
    if isinstance(sign, ast.Div) and right.value == 0:
        raise FormulaError("it divides by zero")
    return _Amount(_OPERATIONS[type(sign)](left.value, right.value), _unit(sign, left.unit, right.unit))


def _unit(sign: ast.operator, left: str, right: str) -> str:
    if isinstance(sign, ast.Add | ast.Sub):
        if left != right:
            raise FormulaError(f"{left or 'a bare number'} and {right or 'a bare number'} do not add up")
        return left
    if isinstance(sign, ast.Div) and left == right:
        return ""
    if right == "":
        return left
    if left == "" and isinstance(sign, ast.Mult):
        return right
    raise FormulaError(f"{left or 'a number'} and {right} do not go together")


def _is_stated(written: str, stated: StatedValues) -> bool:
    quantities = parse_quantities(written)
    if quantities:
        known = [bound for item in stated.quantities for bound in (item, *item.bounds())]
        return all(any(same(quantity, item) for item in known) for quantity in quantities)
    numbers = parse_numbers(written)
    return bool(numbers) and all(number.value in stated.numbers for number in numbers)


def _matches(written: str, result: _Amount) -> bool:
    """Whether the value written is the result, rounded to the digits that are written. How much something
    falls by is written without its sign.
    """
    if result.value < 0 and not re.match(r"\D{0,3}[-−–]", written):
        result = replace(result, value=-result.value)
    quantities = parse_quantities(written)
    if not quantities:
        numbers = parse_numbers(written)
        return (
            bool(numbers) and result.unit == "" and _rounded(numbers[0].text, numbers[0].value, result.value)
        )
    quantity = quantities[0]
    if not _fits(quantity, result.unit):
        return False
    if quantity.standard_unit == "%" and result.unit == "" and abs(result.value) < 1 <= quantity.low:
        result = replace(result, value=100 * result.value)
    factor = quantity.standard_low / quantity.low if quantity.low else 1.0
    return _rounded(parse_numbers(written)[0].text, quantity.low, result.value / factor)


def _fits(quantity: Quantity, unit: str) -> bool:
    """A ratio may be given as fold or percent; an amount times doses a day is a rate."""
    if unit == "":
        return quantity.standard_unit in ("fold", "%")
    return quantity.standard_unit in (unit, f"{unit}/day", f"{unit}/week")


def _rounded(text: str, value: float, result: float) -> bool:
    decimals = len(text.partition(".")[2])
    return abs(value - result) <= 0.5 * 10.0**-decimals + 1e-9 * abs(result)
