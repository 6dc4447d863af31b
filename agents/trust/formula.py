"""Formulas of derived numbers: arithmetic (+ - * / and brackets) over the numbers of their inputs as written,
in standard units, and over the few constants that need no source.
"""

import ast
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isclose

from agents.text.numbers import parse_numbers
from agents.text.quantities import parse_quantities

DOSES = {"QD": 1.0, "BID": 2.0, "TID": 3.0, "QID": 4.0, "QW": 1.0, "2QW": 2.0, "3QW": 3.0}
"""Doses a day, or a week, that a frequency means."""
SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", ",": "", "[": "(", "]": ")"})
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
class Amount:
    """A value with its standard unit; "" for a ratio or a bare number."""

    value: float
    unit: str
    is_multiple: bool = False
    """Whether it is written as so many fold."""


HUNDRED = Amount(100.0, "")


def evaluate(formula: str, inputs: tuple[str, ...]) -> Amount:
    """The formula's value in standard units. Raises `FormulaError`."""
    try:
        tree = ast.parse(_plain(formula, inputs), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise FormulaError("the formula is no arithmetic") from error
    if len(formula) > LONGEST:
        raise FormulaError(f"the formula is longer than {LONGEST} characters")
    return _value(tree.body, _known_amounts(inputs))


def _plain(formula: str, inputs: tuple[str, ...]) -> str:
    """The formula in signs of Python, without "%" behind percentages of its inputs and behind 100. Raises
    `FormulaError`.
    """
    formula = formula.split("=")[0].strip().translate(SIGNS)[: LONGEST + 1]
    known = {one.low for text in inputs for one in parse_quantities(text) if one.standard_unit == "%"}
    for number in re.findall(r"(\d+(?:\.\d+)?)\s?%", formula):
        if number != "100" and number not in {form for one in known for form in (f"{one:g}", str(one))}:
            raise FormulaError(f"{number}% is not among its inputs")
    return re.sub(r"(?<=\d)\s?%", "", formula)


def _known_amounts(inputs: tuple[str, ...]) -> dict[float, Amount]:
    """Numbers a formula may use, by their value as written."""
    known = {100.0: HUNDRED}
    for written in inputs:
        known |= {number.value: Amount(number.value, "") for number in parse_numbers(written)}
        for quantity in parse_quantities(written):
            if doses := DOSES.get(quantity.frequency):
                known.setdefault(doses, Amount(doses, ""))
    for quantity in (found for written in inputs for found in parse_quantities(written)):
        unit = "" if quantity.standard_unit == "fold" else quantity.standard_unit
        is_multiple = quantity.standard_unit == "fold"
        known[quantity.low] = Amount(quantity.standard_low, unit, is_multiple)
        known[quantity.high] = Amount(quantity.standard_high, unit, is_multiple)
    return known


def _value(node: ast.expr, known: dict[float, Amount]) -> Amount:
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


def _whole_or_value(side: ast.expr, node: ast.BinOp, known: dict[float, Amount]) -> Amount:
    """A side of a formula; 1 is the whole in "1 - 0.12", "3.1 - 1" and "1 / 0.12", beside a ratio alone."""
    if not (isinstance(side, ast.Constant) and side.value == 1 and isinstance(node.op, ast.Sub | ast.Div)):
        return _value(side, known)
    if 1.0 in known or (isinstance(node.op, ast.Div) and side is node.right):
        return _value(side, known)
    other = _value(node.right if side is node.left else node.left, known)
    if other.unit or not (other.is_multiple or 0 < other.value < 1):
        raise FormulaError("1 is not among its inputs")  # a count less one, a pH
    return Amount(1.0, "")


def _combine(sign: ast.operator, left: Amount, right: Amount) -> Amount:
    if isinstance(sign, ast.Div) and right.value == 0:
        raise FormulaError("it divides by zero")
    return Amount(_OPERATIONS[type(sign)](left.value, right.value), _unit(sign, left.unit, right.unit))


def _unit(sign: ast.operator, left: str, right: str) -> str:
    if isinstance(sign, ast.Add | ast.Sub):
        if left != right:
            raise FormulaError(f"{left or 'a bare number'} and {right or 'a bare number'} do not add up")
        return left
    if isinstance(sign, ast.Mult) and "%" in (left, right):
        raise FormulaError("a percentage is multiplied")  # 35% * 200 is 70, and not 7000%
    if isinstance(sign, ast.Div) and left == right:
        return ""
    if right == "":
        return left
    if left == "" and isinstance(sign, ast.Mult):
        return right
    raise FormulaError(f"{left or 'a number'} and {right} do not go together")


@dataclass(frozen=True, slots=True)
class Used:
    """What a formula is made with: the constant 100; a ratio of two numbers or what one lacks to 1; and the
    whole 1, which is no input.
    """

    hundred: bool
    ratio: bool
    whole: bool


def used_in(formula: str, inputs: tuple[str, ...]) -> Used:
    """What of these a formula is made with. Raises `FormulaError`."""
    tree = ast.parse(_plain(formula, inputs), mode="eval")
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.BinOp)]
    constants = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    given = {number.value for written in inputs for number in parse_numbers(written)}
    divides = any(isinstance(node.op, ast.Div) for node in nodes)
    takes = any(isinstance(node.op, ast.Sub) for node in nodes) and 1 in constants - given
    return Used(100 in constants, divides or takes, 1 in constants - given)
