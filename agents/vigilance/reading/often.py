"""How frequent a passage calls a mention: by figures, by the words before it, by the heading of its list."""

import re

from agents.vigilance.values import Frequency, Incidence

COMMON_FROM = 1.0
"""Per cent of patients from which an effect is common."""
BACK = 700
"""So many characters before a mention its heading may stand."""
HEADING = re.compile(
    r"\b(?:(?P<rare>(?:very )?rare|infrequent|uncommon|less (?:common|frequent))"
    r"|(?:very )?(?:common|frequent))"
    r"(?:ly)?(?: (?:adverse )?(?:reactions|events|effects))?\s*[-:–—]",
    re.I,
)
"""What a list of events is headed by ("Frequent: rash; Infrequent: gout")."""
COMMON = re.compile(
    r"\b(?:most|more|very) (?:common|frequent)(?:ly)?\b"
    r"|\b(?:common|frequent|usual) (?:adverse|side|undesirable)\b"
    r"|\b(?:common|frequent)ly (?:report|observ|occur|seen|encounter|associat)"
    r"|\b(?:is|are|were|was) (?:common|frequent)\b"
    r"|\boccur\w* (?:commonly|frequently|often)\b",
    re.I,
)
RARE = re.compile(
    r"\b(?:rare(?:ly)?|isolated|infrequent(?:ly)?|uncommon(?:ly)?|occasional(?:ly)?|single case|few cases)\b",
    re.I,
)
FROM = re.compile(
    r"(?:more than|greater than|at least|over|above|≥|>|\bof)\s*(?P<percent>\d{1,2}(?:\.\d+)?)\s*%"
    r"|(?P<or_more>\d{1,2}(?:\.\d+)?)\s*% or (?:more|greater|higher)",
    re.I,
)
UNDER = re.compile(r"(?:less than|fewer than|under|below|<)\s*(?P<percent>\d{1,2}(?:\.\d+)?)\s*%", re.I)


def often_of(text: str, first: int, start: int, incidence: Incidence | None) -> Frequency:
    """How frequent a mention at `start` of a sentence from `first` on is; NONE where nothing says it.

    Figures before words, the words of its sentence before it, then the heading of the list it stands in.
    """
    if incidence is not None:
        common = incidence.percent >= COMMON_FROM and not (
            incidence.below and incidence.percent <= COMMON_FROM
        )
        return Frequency.COMMON if common else Frequency.RARE
    before = text[first:start]
    heading = next(reversed(list(HEADING.finditer(text, max(0, start - BACK), start))), None)
    if heading is not None and heading.end() >= first:
        return _of_heading(heading)
    if (said := _said(before)) is not Frequency.NONE:
        return said
    return _of_heading(heading) if heading is not None else Frequency.NONE


def _of_heading(heading: re.Match[str]) -> Frequency:
    return Frequency.RARE if heading["rare"] else Frequency.COMMON


def _said(before: str) -> Frequency:
    """By the words of a sentence before a mention."""
    if under := UNDER.search(before):
        return Frequency.RARE if float(under["percent"]) <= COMMON_FROM else Frequency.NONE
    if from_ := FROM.search(before):
        share = float(from_["percent"] or from_["or_more"])
        return Frequency.COMMON if share >= COMMON_FROM else Frequency.NONE
    if RARE.search(before):
        return Frequency.RARE
    return Frequency.COMMON if COMMON.search(before) else Frequency.NONE
