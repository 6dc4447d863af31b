"""Cues in a text for single and repeated dosing."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum

from agents.archive.research.vocabulary import wording

AMOUNT = re.compile(r"(?<![\d.,])\d[\d.,]*\s?(?:mg|µg|mcg|g)\b(?![\s)]*(?:,|and|or|to)\s?\d)", re.IGNORECASE)


class Design(StrEnum):
    """Single or repeated dosing."""

    SINGLE = "single dose"
    REPEATED = "repeated doses"


def designs_in(text: str) -> list[tuple[int, Design]]:
    """Cues for single and repeated dosing with their places."""
    single = [(match.end(), Design.SINGLE) for match in wording("single_dose").finditer(text)]
    repeated = [(match.end(), Design.REPEATED) for match in wording("repeated_dose").finditer(text)]
    return sorted(single + repeated)


def nearest_design(text: str, place: int) -> Design | None:
    """The last cue before a place, or else the first after it, unless another dose stands between."""
    cues = designs_in(text)
    earlier = [design for at, design in cues if at <= place + 1]
    if earlier:
        return earlier[-1]
    return cues[0][1] if cues and len(AMOUNT.findall(text[place : cues[0][0]])) <= 1 else None


def only_design(texts: Sequence[str] | Iterator[str]) -> Design | None:
    """The design of texts that name only one."""
    found = {design for text in texts for _, design in designs_in(text)}
    return found.pop() if len(found) == 1 else None
