"""The words of heads of columns and of what is told of their cells: in one form, and those that limit what is
counted ("grade 3", "fatal", "on placebo").
"""

import re
from collections.abc import Iterator

_TOKEN = re.compile(r"[^\W_]+(?:[/-][^\W_]+)*")
_GRADES = re.compile(r"(\d)\s?(?:[-–—/]|or|and|to)\s?(\d)\b")
_FROM = re.compile(r"≥\s?(\d)(?![\d.,])")
_AND_UP = re.compile(
    r"(?<=[^\d.,])(?P<grade>\d)(?:\s?\+|\s(?:or|and)\s(?:higher|above|worse|more|greater)\b)"
)
"""Grades from one on: "≥ 3", "3+", "3 or higher"."""
_OF_GRADE = re.compile(r"(?<!\ball )\bgrade\b(?:\s(?P<grade>\d(?:/\d|up)?|[ivx]+(?:/[ivx]+)?)\b)?")
_HIGH_GRADE = re.compile(r"\b(?:high|low)-grade\b", re.IGNORECASE)
_LIMIT = re.compile(
    r"\b(?:sever(?=e|ity)|seriou|fatal|lethal|death|died?\b|mild|moderate|life-threatening|discontinu|withdr|stopp"
    r"|interrupt|reduc|led\b|leading\b|resol|recover|hospital|untreated)"
)
"""Beginnings of words that limit what is counted: "fatal diarrhea" is less than diarrhea."""
ALL = frozenset({"all", "any", "total", "overall"})
OTHER_ARM = re.compile(
    r"\b(?:placebo|control\w*|comparator\w*|vehicle|chemotherapy|standard|sham|reference|other|second)\b",
    re.IGNORECASE,
)


def tokens(text: str) -> Iterator[str]:
    """Words of a text in one case; "grade 3–4" and "grades 3 or 4" have "3/4", "grade ≥ 3" has "3up"."""
    graded = _AND_UP.sub(r"\g<grade>up ", _FROM.sub(r"\1up ", _GRADES.sub(r"\1/\2", text)))
    for found in _TOKEN.finditer(graded.casefold()):
        word = found[0].removesuffix("-grade").removesuffix("-dose").removesuffix("-dose")
        yield "all" if word in ALL else word.removesuffix("s") if len(word) > 3 else word


def limits(text: str) -> Iterator[str]:
    """Words of a text that limit what is counted, in one form; grades as their numbers."""
    words = " ".join(tokens(text))
    yield from (found[0] for found in _LIMIT.finditer(words))
    yield from (found["grade"] or "grade?" for found in _OF_GRADE.finditer(words))
    yield from (found[0].casefold().removesuffix("s") for found in OTHER_ARM.finditer(text))
    yield from (found[0].casefold() for found in _HIGH_GRADE.finditer(text))
