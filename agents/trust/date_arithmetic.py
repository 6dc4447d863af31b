"""Dates that are computed: "5 December 2024 + 90 days" is 5 March 2025, and from one day to another are days.

A date must be written in full and in one way to read; a month is added where the day is in both months.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from agents.text.quantities import parse_quantities
from agents.text.quantity import same
from retrieval.text.dates import WrittenDate, covers, parse_dates

_STEP = re.compile(
    r"(?P<sign>[+−–-])\s?(?P<count>\d{1,4})\s?(?P<unit>days?|weeks?|months?|years?)", re.IGNORECASE
)
_MINUS = re.compile(r"[−–-]")


def dates_of(text: str) -> tuple[WrittenDate, ...]:
    """The dates that a computed value is."""
    return tuple(one for one in parse_dates(text) if text.strip(" .") == one.text.strip(" ."))


def is_of_dates(formula: str) -> bool:
    """Whether a formula reckons with whole dates."""
    return any(_day(one) for one in parse_dates(formula))


def without_dates(text: str) -> str:
    """A text without its whole dates."""
    for one in reversed(parse_dates(text)):
        text = f"{text[: one.start]}{text[one.end :]}" if _day(one) else text
    return text


def date_fault(value: str, formula: str, inputs: Sequence[str], stated: Sequence[str]) -> str:
    """What is wrong with a computed date, or with the time between two; "" if nothing is. Its dates must be
    among the inputs, and these in the `stated` texts.
    """
    formula = formula.split("=")[0].strip()
    for one in parse_dates(formula):
        if not all(_says(texts, one) for texts in (inputs, stated)):
            return f"{value!r} is derived from {one.text!r}, which no cited passage states."
    if (found := _between(formula)) is not None:
        told = parse_quantities(value)
        right = len(told) == 1 and same(told[0], parse_quantities(f"{found} days")[0])
        return "" if right else f"{formula!r} gives {found} days, not {value!r}."
    if (day := _moved(formula, inputs)) is not None:
        right = [_day(one) for one in dates_of(value)] == [day]
        return "" if right else f"{formula!r} gives {day.isoformat()}, not {value!r}."
    return f"{value!r} cannot be recomputed: {formula!r} is no arithmetic of whole dates and its inputs."


def _says(texts: Iterable[str], written: WrittenDate) -> bool:
    return any(covers(known, written) for text in texts for known in parse_dates(text))


def _between(formula: str) -> int | None:
    """The days from the second of two dates to the first; None for other formulas."""
    written = parse_dates(formula)
    if len(written) != 2 or not _MINUS.fullmatch(formula[written[0].end : written[1].start].strip()):
        return None
    last, first = map(_day, written)
    return (last - first).days if first and last else None


def _moved(formula: str, inputs: Sequence[str]) -> date | None:
    """The day so many days, weeks, months or years of the inputs later or earlier than a date; None where its
    month has no such day, and for other formulas.
    """
    written = parse_dates(formula)
    day = _day(written[0]) if len(written) == 1 and not written[0].start else None
    step = _STEP.fullmatch(formula[written[0].end :].strip()) if day else None
    if day is None or step is None or not _is_input(f"{step['count']} {step['unit']}", inputs):
        return None
    count = int(step["count"]) * (1 if step["sign"] == "+" else -1)
    unit = step["unit"].lower().removesuffix("s")
    try:
        if unit in ("day", "week"):
            return day + timedelta(days=count * (7 if unit == "week" else 1))
        months = day.year * 12 + day.month - 1 + count * (12 if unit == "year" else 1)
        return day.replace(year=months // 12, month=months % 12 + 1)
    except (ValueError, OverflowError):
        return None


def _day(written: WrittenDate) -> date | None:
    """The day that a date can be read as alone; None for a month, a year and an ambiguous one."""
    if len(written.readings) != 1 or not all(written.readings[0]):
        return None
    try:
        return date(*written.readings[0])
    except ValueError:
        return None


def _is_input(amount: str, inputs: Sequence[str]) -> bool:
    wanted = parse_quantities(amount)
    return any(same(one, known) for text in inputs for known in parse_quantities(text) for one in wanted)
