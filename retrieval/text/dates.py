"""Dates in a text: whole ones, a month of a year, a year; months in English, German or Roman numerals.

A date in numbers alone ("03/04/2019") can be read in two ways; both readings are kept, the day first.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

Reading = tuple[int, int, int]
"""Year, month, day; 0 where it is not said."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_GERMAN = {"mär": 3, "mai": 5, "okt": 10, "dez": 12}
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
ROMAN_MONTH = (
    r"(?:\.\s?(?=\w+\.)|/(?=\w+/)|-(?=\w+-)|\s(?=\w+\s))"
    r"(?P<roman>(?-i:I{1,3}|IV|VI{0,3}|IX|X|XI|XII))[./\s-]\s?"
)
"""A month in Roman capitals between day and year, with the same sign before and behind it."""
_MONTH = (
    r"(?P<month>Jan(?:uary?)?|Feb(?:ruary?)?|Mar(?:ch)?|März?|Apr(?:il)?|Ma[yi]|Jun[ei]?|Jul[yi]?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|O[ck]t(?:ober)?|Nov(?:ember)?|De[cz](?:ember)?"
    r"|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)"
)
_YEAR = r"(?P<year>(?:19|20)\d\d)(?![\w%]|[.,]\d)"
_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_ALONE = r"(?<![\w.,/$€£-])"
_OF_YEAR = r"(?P<year>(?:19|20)\d\d)"
_EXACT = (
    rf"{_ALONE}{_OF_YEAR}(?P<sign>[-/])(?P<number>0[1-9]|1[0-2])(?P=sign)(?P<day>[0-3]\d)(?![\w-])",
    rf"{_ALONE}{_DAY}[\s\-.]*(?:of\s)?(?i:{_MONTH})\.?[\s\-,]*{_YEAR}",
    rf"{_ALONE}{_DAY}{ROMAN_MONTH}{_YEAR}",
    rf"\b(?i:{_MONTH})\.?\s{_DAY},?\s{_YEAR}",
    rf"{_ALONE}(?P<one>\d{{1,2}})[./-](?P<two>\d{{1,2}})[./-]{_YEAR}",
)
_OF_A_MONTH = (
    rf"{_ALONE}{_OF_YEAR}-(?P<number>0[1-9]|1[0-2])(?![\w-])",
    rf"\b{_MONTH}\.?[\s\-,]+(?:of\s)?{_YEAR}",
)
_FORMS = tuple(
    re.compile(form)
    for form in (
        *_EXACT, *_OF_A_MONTH, rf"{_ALONE}{_DAY}\s{_MONTH}\b", rf"(?:{_ALONE}|(?<=\d\d\d\d[-–/])){_YEAR}"
    )
)  # fmt: skip


def _nameless(*forms: str) -> str:
    return "|".join(re.sub(r"\?P<\w+>", "?:", form.replace("(?P=sign)", "[-/]")) for form in forms)


DAY = _nameless(*_EXACT)
"""A date that is exact to the day, as a pattern within others."""
DATE = _nameless(*_EXACT, *_OF_A_MONTH)
"""The same, or a month of a year."""


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A date in a text: offsets, words as written, and how it can be read."""

    start: int
    end: int
    text: str
    readings: tuple[Reading, ...]


def parse_dates(text: str) -> tuple[WrittenDate, ...]:
    """All dates of a text in order; where two forms overlap, the one that says more stands."""
    found: list[WrittenDate] = []
    for form in _FORMS:
        for match in form.finditer(text):
            free = all(match.end() <= one.start or one.end <= match.start() for one in found)
            if free and (readings := tuple(_readings(match))):
                found.append(WrittenDate(match.start(), match.end(), match[0], readings))
    return tuple(sorted(found, key=lambda one: one.start))


def covers(stated: WrittenDate, claimed: WrittenDate) -> bool:
    """Whether a stated date says all that the claimed one says; a year is covered by a day in it."""
    return any(
        all(part in (0, known) for part, known in zip(reading, source, strict=True))
        for reading in claimed.readings
        for source in stated.readings
    )


def first_date(text: str) -> str:
    """The first day, or month of a year, in a text as ISO 8601; "" if there is none."""
    for written in parse_dates(text):
        year, month, day = written.readings[0]
        if year and month:
            return f"{year}-{month:02}" + (f"-{day:02}" if day else "")
    return ""


def _readings(match: re.Match[str]) -> Iterator[Reading]:
    said = match.groupdict()
    year = int(said.get("year") or 0)
    if said.get("one"):
        one, two = int(said["one"]), int(said["two"])
        both = dict.fromkeys(((two, one), (one, two)))
        yield from ((year, month, day) for month, day in both if 1 <= month <= 12 and 1 <= day <= 31)
        return
    month = int(said.get("number") or 0)
    if name := said.get("month"):
        short = name[:3].lower()
        month = _GERMAN.get(short) or _MONTHS.index(short) + 1
    if numeral := said.get("roman"):
        month = _ROMAN.index(numeral) + 1
    yield year, month, int(said.get("day") or 0)
