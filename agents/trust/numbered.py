"""Numbers without a unit, and whether they count something or only name it ("Study 7", "Table 3", "Day 14").

A number that counts is never carried by one that names: "07" of "Study 07" is no number of studies.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.trust.written_numbers import parse_numbers

_LABELS = (
    "study|studies|trials?|protocol|project|report|tables?|figs?|figures?|sections?|appendix|annex|pages?"
    "|chapter|version|amendment|animals?|subjects?|patients?|volunteer|site|room|lot|batch|groups?|cohorts?"
    "|arms?|part|period|visits?|step|cycles?|days?|weeks?|months?|years?|grades?|phases?|stage|type|class"
    "|level|nos?|nr|number|id|code|ref|item|n"
)
_LABEL = re.compile(
    rf"\b(?P<label>{_LABELS})\b\.?"
    r"(?:\s(?:no|nos|nr|number|id|code|level)\b\.?)?\s?[:#=]?\s?"
    r"(?:\d[\d.]*[A-Za-z]?(?:\s?[,/–-]\s?|\s(?:and|or|to|through)\s|\s?,\s?and\s))*\Z",
    re.IGNORECASE,
)
_SKIPPED = frozenset({"one", "half"})
"""Words that are seldom meant as numbers ("one of the", "half-life")."""


@dataclass(frozen=True, slots=True)
class Bare:
    """A number without a unit; `label` is the word that it numbers, in the singular, or ""."""

    start: int
    end: int
    text: str
    value: float
    label: str

    @property
    def is_padded(self) -> bool:
        """Whether it is written with a leading zero, as no count is."""
        return bool(re.match(r"0\d", self.text))


def parse_bare(text: str, taken: Sequence[tuple[int, int]] = ()) -> tuple[Bare, ...]:
    """The numbers of a text outside the spans that are taken by quantities, dates and identifiers."""
    return tuple(
        Bare(number.start, number.end, number.text, number.value, _label(text, number.start))
        for number in parse_numbers(text)
        if number.text.lower() not in _SKIPPED
        and not any(start < number.end and number.start < end for start, end in taken)
    )


def carries(stated: Bare, claimed: Bare) -> bool:
    """Whether a stated number says what the claimed one says."""
    if stated.value != claimed.value or (claimed.is_padded and stated.text != claimed.text):
        return False
    if claimed.label:
        return stated.label in ("", "n", claimed.label)
    return stated.label in ("", "n") and not stated.is_padded and not claimed.is_padded


def _label(text: str, at: int) -> str:
    found = _LABEL.search(text[max(0, at - 60) : at])
    if found is None:
        return ""
    label = found["label"].lower()
    return {"studies": "study", "nos": "no"}.get(label, label.removesuffix("s"))
