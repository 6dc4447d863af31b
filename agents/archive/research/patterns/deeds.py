"""What was done with the people of a study: a count is of those screened, randomised, treated and so on."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from agents.trust.written_numbers import COUNTING_WORDS, words_value

PEOPLE = (
    r"(?:(?:healthy |eligible )?(?:patients|subjects|participants|volunteers|people|individuals|persons))"
)
"""All people of a study; "12 women" may be some of them."""


class Deed(StrEnum):
    """What was done, in the word by which an answer tells it."""

    SCREENED = "screened"
    RANDOMISED = "randomised"
    ENROLLED = "enrolled"
    TREATED = "treated"
    COMPLETED = "completed"
    WITHDREW = "withdrew"


WORDS = {
    Deed.SCREENED: r"screened",
    Deed.RANDOMISED: r"randomi[sz]ed",
    Deed.ENROLLED: r"enrol+ed|recruited|included|entered|joined|took part|participated",
    Deed.TREATED: r"treated|dosed",
    Deed.COMPLETED: r"completed|finished",
    Deed.WITHDREW: r"withdrew|withdrawn|dropped out|discontinued",
}
ASKED = {
    **{deed: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for deed, words in WORDS.items()},
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
_HUNDREDS = rf"(?:{COUNTING_WORDS}|a) hundred(?: and {COUNTING_WORDS})?"
_NUMBER = rf"(?:\d{{1,3}}(?:,\d{{3}})+|\d+|{_HUNDREDS}|{COUNTING_WORDS})"
_OF = rf"(?: of (?:the |these |all )?(?:{_NUMBER}|them))?"
_WHO = rf"(?:\s{PEOPLE})?(?:\s?\([^()]*\))?"
_BE = r"(?:\s(?:was|were|had|have|been|are))*"
_ENDS = (
    r"(?=\s*(?:[,.;:)\n]|$)|\s(?:and|but)\b(?! (?:treated|analysed|included))|"
    r"\s(?:(?:in|into|for|from) )?(?:the |this )?(?:study|trial)\b|"
    r"\s(?:to|between|among) (?:[\w-]+ ){0,6}(?:or (?:to )?placebo|(?:groups|arms|treatments))\b)"
)
BEHIND = {
    deed: re.compile(
        rf"(?<![\w.,/–×-])(?<!\d\s)(?P<number>{_NUMBER}){_OF}{_WHO}{_BE}\s(?:{words}){_ENDS}", re.IGNORECASE
    )
    for deed, words in WORDS.items()
}
"""A number before what it counts: "212 patients were randomised", "89 completed"."""
AHEAD = {
    deed: re.compile(
        rf"\b(?:{words})(?:\s*[:|]\s*(?P<number>(?!(?:19|20)\d\d\b){_NUMBER})(?=\s*(?:[;|)]|,\s|\.?\s*$))"
        rf"|(?:\s*[:|])?\s(?P<object>{_NUMBER})\s{PEOPLE}\b)",
        re.IGNORECASE,
    )
    for deed, words in {**WORDS, Deed.ENROLLED: rf"{WORDS[Deed.ENROLLED]}|enrol|recruit|include"}.items()
}
"""A number behind what it counts: "Randomised: 212", "will enrol 480 patients"."""
PLANNED = re.compile(
    r"\b(?:will|to be|to enrol|to recruit|plan(?:s|ned)?|intend(?:s|ed)?|target|aims?)\b", re.IGNORECASE
)
OF_SOME = re.compile(
    r"\b(?:placebo|groups?|arms?|cohorts?|mg|males?|females?|men|women|parts?|periods?|sites?|centres?|centers?"
    r"|dose|week|day|sex|first|second|other|another|further|additional|remaining|previous|earlier|prior"
    r"|published|so far|to date|as of)\b",
    re.IGNORECASE,
)
"""What stands before a number that counts some of the people only, those so far, or those of other studies:
"on placebo 44 completed".
"""
INEXACT = re.compile(
    r"(?:[<>~≤≥±×]|\b(?:than|least|most|about|approximately|around|nearly|almost|roughly|over|under|above|below"
    r"|exceeding|up to|some|circa|ca\.?|half)(?: of)?(?: the| these| those)?"
    rf"|(?<=[\w%)])(?<!total)(?<!number)(?<!\ball) of(?: the| these| those)?"
    rf"|\bbetween {_NUMBER} and|\b{_NUMBER} (?:to|or))\s*\Z",
    re.IGNORECASE,
)
"""What makes a number right behind it a limit, or the whole of which a part is told: "none of the 12"."""


@dataclass(frozen=True, slots=True)
class People:
    """A number of people, what was done with them, and whether that is only planned."""

    number: int
    deed: Deed
    planned: bool


def deeds_in(text: str) -> tuple[Deed, ...]:
    """The deeds that a question or a head names."""
    return tuple(deed for deed, words in ASKED.items() if words.search(text))


def people_in(text: str) -> Iterator[People]:
    """The counts of all people of a study in a sentence; those of a group are left out."""
    for deed in Deed:
        for pattern in (BEHIND[deed], AHEAD[deed]):
            for found in pattern.finditer(text):
                clause = re.sub(r"\([^()]*\)", "", text[: found.start()].rpartition(";")[2])
                written = next(part for part in found.groupdict().values() if part)
                ahead = text[: found.start(found.lastgroup or 0)]
                exact = not INEXACT.search(ahead) and not OF_SOME.search(clause)
                if exact and (number := number_of(written)):
                    yield People(number, deed, bool(PLANNED.search(f"{clause} {found[0]}")))


def number_of(written: str) -> int:
    """A whole number in digits or words; 0 where it cannot be read."""
    digits = written.replace(",", "")
    return int(digits) if digits.isdigit() else int(words_value(re.sub(r"(?i)^a\b", "one", written)))
