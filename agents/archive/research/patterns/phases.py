"""Phases of clinical development named in a text."""

import re

PHASE = re.compile(
    r"\bphases?[\s-]*(?P<first>[1-4]|IV|I{1,3})[abc]?(?:\s*(?:/|-|and|to|"
    r"or)\s*(?:phase\s*)?(?P<second>[1-4]|IV|I{1,3})[abc]?)?(?!\w)"
    r"(?!\s+(?:dose|metaboli|enzym|reaction))",
    re.IGNORECASE,
)
ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4}


def phases_in(text: str) -> frozenset[int]:
    """Phases named in a text: "Phase I/II" is {1, 2}."""
    found = set()
    for match in PHASE.finditer(text):
        for written in (match["first"], match["second"]):
            if written:
                found.add(int(written) if written.isdigit() else ROMAN[written.upper()])
    return frozenset(found)
