"""Reads the quantities of a pharmaceutical text: value, range or list member, unit and frequency.

parse_quantities("5 to 10 mg b.i.d. (0.1 mg/kg)")
  -> Quantity("5 to 10 mg", 5.0, 10.0, "mg", ..., frequency="BID"), Quantity("0.1 mg/kg", ...)
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.text.frequencies import Frequency, parse_frequencies
from agents.text.numbers import WrittenNumber, in_digits, parse_numbers
from agents.text.quantity import Quantity
from agents.text.units import Unit, match_unit, plain, plain_signs


@dataclass(frozen=True, slots=True)
class _Term:
    """A number with the unit that follows it, if any; `end` is the end of both."""

    number: WrittenNumber
    unit: Unit | None
    end: int


_RANGE = re.compile(r"\s?[-–—‑]\s?|\s(?:up\s)?to\s(?:up\sto\s)?|\sthrough\s|\suntil\s")
_TIGHT = re.compile(r"\s?[-–—‑/]\s?")
_LIST = re.compile(
    r"\s?,\s?(?:and\s|or\s)?|\s(?:and|or|und|oder|et|ou|&|versus|vs\.?|then|followed\sby)\s|\s?(?:/|±|\+/-)\s?",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\bbetween\s$", re.IGNORECASE)
_LABEL = re.compile(
    r"\b(?:days?|weeks?|months?|visits?|cohorts?|groups?|tables?|figs?\.?|figures?|sections?|stud(?:y|ies)|pages?|phases?|arms?"
    r"|parts?|cycles?|periods?|steps?|nos?\.?|numbers?|versions?|grades?|in|since|until|pH|n\s?=)\s?[#=]?\s?$",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"\b(?:cohorts|groups|tables|figures|sections|studies|trials|parts|cycles|arms)\s(?:\d{1,2},\s?)*\d{1,2},?\s(?:and|or|&)\s$",
    re.IGNORECASE,
)
"""Before a number, that it is the last of several labels: "Studies 1 and 2 through three years"."""
_CODE = re.compile(
    r"(?<![A-Za-z])(?!(?:QD|OD|BID|TID|QID|PO|IV|SC|IM|AND|OR|TO|OF|AT|AUC|NOAEL|MTD|CI|IQR|SD|CV)\b)[A-Z]{2,6}[\s-]$"
)
_CODED = re.compile(r"(?<![\w/])[A-Z][\w./-]*/\Z")
"""Before the last number of a code: "TOK/ape/" of "Report TOK/ape/176 — 13-week study"."""
_YEAR = range(1900, 2101)
_BESIDE = r"(?:\s?[,;/+&]\s?|\sand\s)"
_REACH = 60
"""Characters between a dose and its frequency."""
_BREAK = re.compile(r"[;|\n]|\.\s+[A-Z]|\b(?:placebo|compared|versus|vs)\b", re.IGNORECASE)


def parse_quantities(text: str) -> tuple[Quantity, ...]:
    """All quantities of a text in order. Numbers without a unit, and digits inside names, are none."""
    read = plain(in_digits(text))
    terms = _with_units(read, parse_numbers(plain_signs(text)))
    quantities = [_quantity(text, first, last) for first, last in _bounds(read, terms)]
    return _with_frequencies(read, quantities, parse_frequencies(read))


def _with_units(text: str, numbers: Sequence[WrittenNumber]) -> list[_Term]:
    """Numbers with the unit written after them, or after the last member of their list or range."""
    terms: list[_Term] = []
    for number in reversed(numbers):
        counts = _is_size(text, number) or _is_of_sex(text, number)
        own = None if counts else _own_unit(text, number.end)
        unit = own or (_inherited(text, number, terms[-1]) if terms else None)
        terms.append(_Term(number, unit, own.end if own else number.end))
    return terms[::-1]


def _is_size(text: str, number: WrittenNumber) -> bool:
    """Whether a number is the size of an arm before the unit of its column: "N=405 %"."""
    return bool(
        re.search(r"\b[Nn]\s?=\s?\Z", text[: number.start][-5:])
        and re.match(r"\s+%", text[number.end : number.end + 9])
    )


def _is_of_sex(text: str, number: WrittenNumber) -> bool:
    """Whether a number before M counts males beside females, and is no concentration: "5 F, 5 M"."""
    before, after = text[max(0, number.start - 12) : number.start], text[number.end : number.end + 12]
    beside = re.search(rf"\d\s?F{_BESIDE}\Z", before) and re.match(r"\s?M\b", after)
    return bool(beside or re.match(rf"\s?M{_BESIDE}\d+\s?F\b", after))


def _own_unit(text: str, end: int) -> Unit | None:
    gap = re.compile(r"\s{0,2}-?(?=\S)").match(text, end)
    if gap is None:
        return None
    unit = match_unit(text, gap.end())
    if unit is None or (unit.text == "s" and not gap[0]) or (unit.text.startswith("/") and gap[0]):
        return None
    return unit


def _inherited(text: str, number: WrittenNumber, following: _Term) -> Unit | None:
    between = text[number.end : following.number.start]
    if following.unit is None or not (_RANGE.fullmatch(between) or _LIST.fullmatch(between)):
        return None
    if re.match(r"0\d", number.text):  # part of a code: "subject 2-004, 4 h"
        return None
    return None if _is_label(text, number, following, between) else following.unit


def _is_label(text: str, number: WrittenNumber, following: _Term, between: str) -> bool:
    """A number before a comma may be a day, a year, a table or part of a name, and no member of a list."""
    before = text[max(0, number.start - 24) : number.start]
    if _CODED.search(text[max(0, number.start - 40) : number.start]):
        return True
    if _LABEL.search(before) and not (_TIGHT.fullmatch(between) and before.endswith("in ")):
        return True
    if _LISTED.search(before) and not _TIGHT.fullmatch(between):
        return True
    if number.value in _YEAR and number.text.isdigit() and following.number.value < number.value:
        return True
    return bool(_CODE.search(before)) and not _TIGHT.fullmatch(between)


def _bounds(text: str, terms: Sequence[_Term]) -> list[tuple[_Term, _Term]]:
    """First and last term of each quantity: twice the same for a single value."""
    bounds: list[tuple[_Term, _Term]] = []
    position = 0
    while position < len(terms):
        first = terms[position]
        last = (
            terms[position + 1]
            if position + 1 < len(terms) and _is_range(text, first, terms[position + 1])
            else first
        )
        if first.unit is not None:
            bounds.append((first, last))
        position += 2 if last is not first else 1
    return bounds


def _is_range(text: str, first: _Term, last: _Term) -> bool:
    if first.unit is None or last.unit is None or first.unit.symbol != last.unit.symbol:
        return False
    between = text[first.end : last.number.start]
    opened = _BETWEEN.search(text[max(0, first.number.start - 9) : first.number.start])
    if not (_RANGE.fullmatch(between) or (opened and between.strip() == "and")):
        return False
    return first.number.value * first.unit.factor < last.number.value * last.unit.factor


def _quantity(text: str, first: _Term, last: _Term) -> Quantity:
    assert first.unit is not None
    assert last.unit is not None
    low, high = first.number.value, last.number.value
    return Quantity(
        start=first.number.start,
        end=last.end,
        text=text[first.number.start : last.end],
        low=low * first.unit.factor / last.unit.factor if first.unit != last.unit else low,
        high=high,
        unit=text[last.unit.start : last.unit.end],
        standard_unit=last.unit.symbol,
        standard_low=low * first.unit.factor,
        standard_high=high * last.unit.factor,
        note="; ".join(dict.fromkeys(filter(None, (first.number.note, last.number.note)))),
    )


def _with_frequencies(
    text: str, quantities: Sequence[Quantity], frequencies: Sequence[Frequency]
) -> tuple[Quantity, ...]:
    """Give each dose the frequency stated after it or right before it; a list shares what follows it."""
    done: list[Quantity] = []
    following: Quantity | None = None
    for quantity in reversed(quantities):
        if quantity.is_dose:
            term = _after(text, quantity, following, frequencies) or _before(text, quantity, frequencies)
            following = replace(quantity, frequency=term)
            quantity = following
        done.append(quantity)
    return tuple(done[::-1])


def _after(text: str, dose: Quantity, following: Quantity | None, frequencies: Sequence[Frequency]) -> str:
    if following and _LIST.fullmatch(text[dose.end : following.start]):
        return following.frequency
    limit = min(following.start if following else len(text), dose.end + _REACH)
    for frequency in frequencies:
        if dose.end <= frequency.start < limit and not _BREAK.search(text[dose.end : frequency.start]):
            return frequency.term
    return ""


def _before(text: str, dose: Quantity, frequencies: Sequence[Frequency]) -> str:
    for frequency in frequencies:
        if re.fullmatch(
            r"\s(?:oral\s)?(?:(?:dos(?:e|es|ing)|treatment|administration|regimen)\s)?(?:of\s|with\s|at\s)?",
            text[frequency.end : dose.start],
        ):
            return frequency.term
    return ""
