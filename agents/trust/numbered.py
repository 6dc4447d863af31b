"""Numbers without a unit, and whether they count something or only name it ("Study 7", "Table 3", "Day 14").

A number that counts is never carried by one that names: "07" of "Study 07" is no number of studies.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from agents.text.numbers import parse_numbers

_LABELS = (
    "study|studies|trials?|protocol|project|report|tables?|figs?|figures?|sections?|appendix|annex|pages?"
    "|chapter|version|amendment|animals?|subjects?|patients?|volunteer|site|room|lot|batch|groups?|cohorts?"
    "|arms?|part|period|visits?|step|cycles?|days?|weeks?|months?|years?|grades?|phases?|stage|type|class"
    "|level|nos?|nr|number|id|code|ref|item|n"
)
_LABEL = re.compile(
    rf"(?<!/)(?<!\d[\s-](?=days|weeks|months|years))\b(?P<label>{_LABELS})\b\.?"
    r"(?:\s(?:no|nos|nr|number|id|code|level)\b\.?)?\s?[:#=]?\s?"
    r"(?:\d[\d.]*[A-Za-z]?(?:\s?[,/–-]\s?|\s(?:and|or|to|through)\s|\s?,\s?and\s))*\Z",
    re.IGNORECASE,
)
_VERSION_OF = re.compile(r"\bprotocol,?\s\(?version\s?[:#=]?\s?\Z", re.IGNORECASE)
_VERSION_BEHIND = re.compile(r"\s?of\s(?:the\s)?(?:(?:clinical|study|trial)\s)?protocol\b", re.IGNORECASE)
"""Around the number of a version, that it is one of a protocol."""
_STUDY_REPORT = re.compile(
    r"\A\W*(?:(?!report|protocol|study|trial)[^\W\d]+\s){0,3}(?P<of>study|trial)\s(?:report|protocol)"
    r"(?:\s(?:no|nr|number))?\.?\s?[:#]?\s?\Z",
    re.IGNORECASE,
)
"""The beginning of a title whose number is that of a study: "Clinical study report 101"."""
_TITLE_GOES_ON = re.compile(r"\s?(?:\Z|\n|[:;,.(]|[–—-]\s)")
_STUDY_BEHIND = re.compile(r"\b(?:study|trial)\s(?:\S+\s)?\S*\d", re.IGNORECASE)
_OF_ALL = re.compile(r"\s(?:out )?of\s(?:the\s)?\d")
"""Behind a number, that it counts a part: "in the last cohort 3 of 8 subjects"."""
_PLACES = frozenset(
    ("page", "table", "fig", "figure", "section", "part", "step", "day", "week", "visit", "cycle")
)
"""Labels whose numbers may be followed by how many there are: "page 3 of 8"."""
_ORGANS = frozenset({"appendix"})
"""Labels that also name an organ: what follows a colon is its value ("colon: 1.9, appendix: 1.0")."""
_PART_OF = re.compile(r"\s?/\s?|\s(?:out\s)?of\s(?:(?:the|all)\s)?", re.IGNORECASE)
"""Between a part and its whole."""
_SPOKEN = re.compile(r"\b(?:(?P<none>none(?=\sof\s))|one)\b", re.IGNORECASE)
_SKIPPED = frozenset({"one", "half"})
"""Words that are seldom meant as numbers ("one of the", "half-life")."""


@dataclass(frozen=True, slots=True)
class Bare:
    """A number without a unit; `label` is the word that it numbers, in the singular, or "".

    `version_of` is what a version or a report is of: "protocol version 4.0" may be told as "protocol 4.0".
    """

    start: int
    end: int
    text: str
    value: float
    label: str
    version_of: str = ""

    @property
    def is_padded(self) -> bool:
        """Whether it is written with a leading zero, as no count is."""
        return bool(re.match(r"0\d", self.text))


def parse_bare(text: str, taken: Sequence[tuple[int, int]] = ()) -> tuple[Bare, ...]:
    """The numbers of a text outside the spans that are taken by quantities, dates and identifiers."""
    return tuple(
        Bare(
            number.start,
            number.end,
            number.text,
            number.value,
            _label(text, number.start, number.end),
            _version_of(text, number.start, number.end),
        )
        for number in parse_numbers(text)
        if number.text.lower() not in _SKIPPED
        and not any(start < number.end and number.start < end for start, end in taken)
    )


def spoken(text: str) -> Iterator[Bare]:
    """The numbers 1 and 0 that a text says in words: "one male", "none of 8"."""
    for match in _SPOKEN.finditer(text):
        value = 0.0 if match["none"] else 1.0
        yield Bare(match.start(), match.end(), match[0], value, _label(text, match.start(), match.end()))


def parts(text: str, taken: Sequence[tuple[int, int]] = ()) -> tuple[tuple[Bare, Bare], ...]:
    """Parts with their wholes outside of `taken`: "3 of 8", "3 out of the 8 rats", "none of 8", "3/8"."""
    numbers = sorted({*parse_bare(text, taken), *spoken(text)}, key=lambda one: one.start)
    return tuple((a, b) for a, b in pairwise(numbers) if _PART_OF.fullmatch(text[a.end : b.start]))


def apart(text: str) -> Iterator[Bare]:
    """The numbers of a text that are neither part nor whole."""
    paired = {one.start for pair in parts(text) for one in pair}
    return (one for one in (*parse_bare(text), *spoken(text)) if one.start not in paired)


def carries(stated: Bare, claimed: Bare) -> bool:
    """Whether a stated number says what the claimed one says."""
    if stated.value != claimed.value or (claimed.is_padded and stated.text != claimed.text):
        return False
    if claimed.label:
        return stated.label in ("", "n", "no", "nr", claimed.label) or stated.version_of == claimed.label
    # Two padded ones are of the same text by now: a code ("ribotype 027"), which no label makes another.
    return stated.label in ("", "n") and stated.is_padded == claimed.is_padded


def _label(text: str, at: int, end: int) -> str:
    found = _LABEL.search(text[max(0, at - 60) : at])
    if found is None:
        return ""
    label = found["label"].lower()
    if label in _ORGANS and set(":=") & set(found[0]):
        return ""
    label = {"studies": "study", "nos": "no"}.get(label, label.removesuffix("s"))
    return "" if label not in _PLACES and _OF_ALL.match(text, end) else label


def _version_of(text: str, at: int, end: int) -> str:
    """What the number of a version is one of, "protocol", and that of a report's title, "study"; "" for other
    numbers.

    A study or report with a version has a number beside: "study version 2" is no study 2. So has a report in
    whose title a study has another number.
    """
    titled = _STUDY_REPORT.match(text[:at])
    if titled and _TITLE_GOES_ON.match(text, end) and not _STUDY_BEHIND.search(text[end:]):
        return titled["of"].lower()
    if _label(text, at, end) != "version":
        return ""
    found = _VERSION_OF.search(text[max(0, at - 40) : at]) or _VERSION_BEHIND.match(text, end)
    return "protocol" if found else ""
