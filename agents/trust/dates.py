"""Dates in a text: whole ones, a month of a year, a year.

A date in numbers alone ("03/04/2019") can be read in two ways; both readings are kept.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from retrieval import roman

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
Reading = tuple[int, int, int]
"""Year, month, day; 0 where it is not said."""

_MONTH = (
    r"(?P<month>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)"
)
_YEAR = r"(?P<year>(?:19|20)\d\d)(?![\w%]|[.,]\d)"
_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_ALONE = r"(?<![\w.,/$€£-])"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"{_ALONE}(?P<year>(?:19|20)\d\d)-(?P<number>0[1-9]|1[0-2])(?:-(?P<day>\d\d))?(?![\w-])",
        rf"{_ALONE}{_DAY}[\s\-.]*(?:of\s)?{_MONTH}\.?[\s\-,]*{_YEAR}",
        rf"{_ALONE}{_DAY}{roman.BETWEEN}{_YEAR}",
        rf"\b{_MONTH}\.?\s{_DAY},?\s{_YEAR}",
        rf"\b{_MONTH}\.?[\s\-,]+(?:of\s)?{_YEAR}",
        rf"{_ALONE}(?P<one>\d{{1,2}})[./-](?P<two>\d{{1,2}})[./-]{_YEAR}",
        rf"{_ALONE}{_DAY}\s{_MONTH}\b",
        rf"(?:{_ALONE}|(?<=\d\d\d\d[-–/])){_YEAR}",
    )
)


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


def _readings(match: re.Match[str]) -> Iterator[Reading]:
    said = match.groupdict()
    year = int(said.get("year") or 0)
    if said.get("one"):
        one, two = int(said["one"]), int(said["two"])
        yield from {(year, month, day) for month, day in ((one, two), (two, one)) if 1 <= month <= 12}
        return
    month = int(said.get("number") or 0)
    if name := said.get("month"):
        month = MONTHS.index(name[:3].lower()) + 1
    if numeral := said.get("roman"):
        month = roman.month_of(numeral)
    yield year, month, int(said.get("day") or 0)
