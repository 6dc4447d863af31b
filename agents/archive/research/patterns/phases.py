"""Phases of clinical development named in a text."""

import re
from collections.abc import Iterable

PHASE = re.compile(
    r"\bphases?[\s-]*(?P<first>[1-4]|IV|I{1,3})[abc]?(?:\s*(?:/|-|and|to|"
    r"or)\s*(?:phase\s*)?(?P<second>[1-4]|IV|I{1,3})[abc]?)?(?!\w)"
    r"(?!\s+(?:dose|metaboli|enzym|reaction))",
    re.IGNORECASE,
)
NUMBERS = {"I": 1, "II": 2, "III": 3, "IV": 4}
ROMAN = {number: written for written, number in NUMBERS.items()}


def phase_label(phases: Iterable[int]) -> str:
    """ "Phase I", "Phase I/II" or ""."""
    written = "/".join(ROMAN[phase] for phase in sorted(phases))
    return f"Phase {written}" if written else ""


def phases_in(text: str) -> frozenset[int]:
    """Phases named in a text: "Phase I/II" is {1, 2}."""
    found = set()
    for match in PHASE.finditer(text):
        for written in (match["first"], match["second"]):
            if written:
                found.add(int(written) if written.isdigit() else NUMBERS[written.upper()])
    return frozenset(found)
