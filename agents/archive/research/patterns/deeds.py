"""What was done with the people of a study: a count is of those screened, randomised, treated and so on."""

import re
from enum import StrEnum


class Deed(StrEnum):
    """What was done, in the word by which an answer tells it."""

    SCREENED = "screened"
    RANDOMISED = "randomised"
    ENROLLED = "enrolled"
    TREATED = "treated"
    COMPLETED = "completed"
    WITHDREW = "withdrew"


ASKED = {
    Deed.SCREENED: re.compile(r"\bscreen(?:ed|ing)?\b", re.IGNORECASE),
    Deed.RANDOMISED: re.compile(r"\brandomi[sz](?:ed?|ation)\b", re.IGNORECASE),
    Deed.ENROLLED: re.compile(
        r"\b(?:enrol\w*|recruit(?:ed)?|includ(?:ed?)|enter(?:ed)?|join(?:ed)?|took part|take part|"
        r"participat(?:ed?))\b",
        re.IGNORECASE,
    ),
    Deed.TREATED: re.compile(r"\b(?:treated|dosed)\b", re.IGNORECASE),
    Deed.COMPLETED: re.compile(r"\b(?:completed?|completers|finish(?:ed)?)\b", re.IGNORECASE),
    Deed.WITHDREW: re.compile(
        r"\b(?:withdrew|withdraw|withdrawn|dropped out|drop(?:ped)? out|dropouts?|discontinued?)\b",
        re.IGNORECASE,
    ),
}
"""A deed as a question or the head of a column writes it."""


def deeds_in(text: str) -> tuple[Deed, ...]:
    """The deeds that a question or a head names."""
    return tuple(deed for deed, words in ASKED.items() if words.search(text))
