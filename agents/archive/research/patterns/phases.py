"""Phases of clinical development named in a text."""

import re

PHASE = re.compile(
    r"\bphases?[\s-]*(?P<first>[1-4]|IV|I{1,3})[abc]?(?:\s*(?:/|-|and|to|"
    r"or)\s*(?:phase\s*)?(?P<second>[1-4]|IV|I{1,3})[abc]?)?(?!\w)"
    r"(?!\s+(?:dose|metaboli|enzym|reaction))",
    re.IGNORECASE,
)
NUMBERS = {"I": 1, "II": 2, "III": 3, "IV": 4}
ROMAN = {number: written for written, number in NUMBERS.items()}


NUMERAL = re.compile(r"(?<![^\W_])(?P<number>[1-4]|IV|I{1,3})(?P<part>[abc]?)(?![^\W_])", re.IGNORECASE)


def in_roman(phase: str) -> str:
    """A phase as answers show it, however a text writes it: "phase 1/2a" is "Phase I/IIa"."""

    def roman(found: re.Match[str]) -> str:
        number = found["number"]
        return (ROMAN[int(number)] if number.isdigit() else number.upper()) + found["part"].lower()

    return re.sub(r"\Aphases?[\s-]*", "Phase ", NUMERAL.sub(roman, phase), flags=re.IGNORECASE)


def phases_in(text: str) -> frozenset[int]:
    """Phases named in a text: "Phase I/II" is {1, 2}."""
    found = set()
    for match in PHASE.finditer(text):
        for written in (match["first"], match["second"]):
            if written:
                found.add(int(written) if written.isdigit() else NUMBERS[written.upper()])
    return frozenset(found)
