"""Molecules that stand in a document beside the one that it is about: comparators, reference and control
substances, vehicles, reagents and substrates.
"""

import re
from collections.abc import Iterable

_ROLE = (
    r"(?:reference|comparators?|(?:(?:active|positive|negative) )?controls?|standard|competitor|vehicle|"
    r"reagents?|probe|substrate|tool|marketed)"
)
_AGAINST = (
    r"(?:versus|vs\.?|compared (?:with|to)|(?:relative|superior|inferior|similar) to|against|unlike|than|"
    r"(?:stimulated|incubated|cultured|activated|labell?ed|stained|premedicated|anaesthetised|pretreated) "
    r"(?:with|by|in)|in the presence of|(?:purchased|obtained) from)"
)
_WITHIN_CLAUSE = r"(?:[^.;|\n]|\.(?=\w))"
"""A character of the same clause; a full stop inside a code ("KD.417b") ends none."""
BEFORE = re.compile(rf"(?:\b{_ROLE}\b{_WITHIN_CLAUSE}{{0,40}}|\b{_AGAINST}\s+(?:\w+\s+){{0,3}})\Z", re.I)
AFTER = re.compile(
    r"\s*(?:\([^()]{0,60}\)\s*)?(?:(?:was|were) (?:used|included|run|tested) as (?:an? |the )?"
    r"(?:(?:positive|negative|active|reference|internal) )*(?:control|comparator|reference|standard|"
    r"substrate|vehicle|probe)|\((?:positive|active|negative) control|\(comparator|medium\b|buffer\b|"
    r",? (?:a|the) (?:reference|comparator))",
    re.I,
)
BEFORE_PARTNER = re.compile(
    rf"\binteractions?\b{_WITHIN_CLAUSE}{{0,60}}?\b(?:with|on)\s+(?:[\w-]+(?:, | and |, and )){{0,3}}\Z|"
    rf"\binteractions? (?:\w+ ){{0,2}}between\s{_WITHIN_CLAUSE}{{1,40}}\band\s+\Z",
    re.I,
)
BEFORE_ADDED = re.compile(
    r"\b(?:combin(?:ation|ed) with|plus|on top of|add(?:ed|-on) to|together with|background of)\s+\Z", re.I
)
AFTER_PARTNER = re.compile(r"\s*(?:drug[- ])?(?:drug )?interaction\b", re.I)
WITHIN = 70
"""Characters before a name in which it is told to stand beside another."""


def is_beside(text: str, start: int, end: int) -> bool:
    """Whether a name of a molecule stands there as a comparator, control, vehicle or reagent."""
    return bool(BEFORE.search(text, max(0, start - WITHIN), start) or AFTER.match(text, end))


def without_beside(text: str, found: Iterable[tuple[int, int, str]]) -> list[str]:
    """The names of mentions that do not stand beside another molecule, in order."""
    return [name for start, end, name in found if not is_beside(text, start, end)]


def is_partner(title: str, start: int, end: int) -> bool:
    """Whether a title names a molecule as what another one was given with to see their interaction."""
    before = BEFORE_PARTNER.search(title, max(0, start - 2 * WITHIN), start)
    return before is not None or AFTER_PARTNER.match(title, end) is not None


def is_added(title: str, start: int) -> bool:
    """Whether a title names a drug as what another one was combined with."""
    return BEFORE_ADDED.search(title, max(0, start - WITHIN), start) is not None
