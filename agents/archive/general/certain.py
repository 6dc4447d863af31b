"""What makes an answer of a passage: it is about all that the question names, and no other comes near.

A passage that fails here is still shown among those that come closest.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from agents.archive.general.candidates import initials_of
from agents.archive.research.patterns.species import species_in

CERTAIN = 0.9
"""Confidence from which a passage answers."""
MARGIN = 4.0
"""So many times less likely must every other passage be that says something else."""
CODE = re.compile(
    r"(?<![\w-])(?=\w*[A-Z\d])(?=\w*[A-Za-z])\w*(?:[a-z][A-Z]|[A-Z]{2}|[A-Za-z]\d|\d[A-Za-z])[\w-]*"
)
"""What is written like a code or a short form: "LipY", "IC50", "NOAEL"."""
OPEN = re.compile(
    r"\b(?:plan\w*|project\w*|propos\w*|predict\w*|expect\w*|foreseen|intend\w*|would|never|not|without|margin|protocol)\b",
    re.IGNORECASE,
)
"""Words of a question that takes nothing of the kind for granted."""
NOT_DONE = re.compile(
    r"\b(?:in progress|ongoing|planned|propos(?:ed|al)|intended|foreseen|scheduled|projected|predicted"
    r"|not (?:yet )?(?:been )?(?:started|done|performed)|will be|(?:is|are|was|were) to be)\b",
    re.IGNORECASE,
)
ALLOWED = re.compile(
    r"\b(?:allowed|permitted)\b"
    r"|\b(?:may|can) (?:also |only )?be (?:given|administered|used|taken|repeated|increased)\b",
    re.IGNORECASE,
)
GIVEN_ASKED = re.compile(
    r"\b(?:was|were|did|has|have|had|been)\b.*?\b(?:given|administered|received?|took|taken?|used?|dosed|treated)\b",
    re.IGNORECASE,
)
"""What was done with a drug, of which what was only allowed tells nothing."""
LEVEL = r"[- ](?:dose|level)"
OPPOSITES = (
    (rf"low(?:est)?{LEVEL}", rf"(?:mid|medium|intermediate){LEVEL}", rf"(?:high(?:est)?|top){LEVEL}"),
    (r"males?|men|boys", r"females?|women|girls"),
    (
        r"single[- ](?:oral |ascending )?dos(?:es?|ing)",
        r"(?:multiple|repeat(?:ed)?)[- ](?:oral |ascending )?dos(?:es?|ing)",
    ),
    (r"fed", r"fasted|fasting"),
    (r"oral(?:ly)?|p\.o\.", r"intravenous(?:ly)?|i\.?v\.?", r"subcutaneous(?:ly)?|s\.?c\.?", r"inhal\w+"),
    (r"draft", r"final"),
)
"""Words of which one excludes the others, unless a passage has both."""
CHOICES = tuple(
    tuple(re.compile(rf"(?<![\w-])(?:{words})(?![a-z])", re.IGNORECASE) for words in group)
    for group in OPPOSITES
)
LEVEL_TOLD = re.compile(r"\b(?:NOA?EL|LOA?EL|HNSTD|STD10|MTD|MRSD|HED)s?\b")
"""A level that a study ended with. Its sentence names findings as reasons, and states none of them."""
LEVEL_ASKED = re.compile(rf"{LEVEL_TOLD.pattern}|\b(?:[Dd]oses?|[Ll]evels?|[Mm]argins?|tolerated|safe)\b")
TIME = re.compile(r"\b(?P<unit>day|week|month)s?\s?(?P<number>\d+)\b", re.IGNORECASE)
LENGTH = re.compile(r"\b(?P<number>\d+)[- ](?P<unit>day|week|month)s?\b", re.IGNORECASE)


def is_of_all(question: str, passage: str, around: Iterable[str], names: Iterable[str]) -> bool:
    """Whether a passage, with what stands `around` it, is of all that a question names.

    `names` are those of the molecules and documents in which the passage was looked for.
    """
    return (
        says_codes(question, " ".join((passage, *around)), names)
        and not of_another(question, passage)
        and (not LEVEL_TOLD.search(passage) or bool(LEVEL_ASKED.search(question)))
        and (bool(OPEN.search(question)) or not NOT_DONE.search(passage))
        and not only_allowed(question, passage)
    )


def says_codes(question: str, text: str, names: Iterable[str]) -> bool:
    """Whether a text says the question's codes and short forms, if only by the words they stand for."""
    known = {bare(name) for name in names}
    said, initials = bare(text), initials_of(text)
    asked = {bare(found[0]) for found in CODE.finditer(question)}
    return all(code in said or code in initials or any(code in name for name in known) for code in asked)


def only_allowed(question: str, passage: str) -> bool:
    """Whether a question asks what was given, and a passage tells what was allowed."""
    if ALLOWED.search(question) or not GIVEN_ASKED.search(question):
        return False
    return ALLOWED.search(passage) is not None


def bare(text: str) -> str:
    """Letters and digits only, small."""
    return re.sub(r"[\W_]+", "", text).casefold()


def of_another(question: str, passage: str) -> bool:
    """Whether a passage is of another group, species, route or time than the one asked about."""
    readers: list[Callable[[str], set[str]]] = [
        *(partial(chosen, group) for group in CHOICES),
        *(partial(times_in, pattern) for pattern in (TIME, LENGTH)),
        lambda text: {name for _, name in species_in(text)},
    ]
    pairs = [(read(question), read(passage)) for read in readers]
    return any(asked and told and asked.isdisjoint(told) for asked, told in pairs)


def chosen(group: Sequence[re.Pattern[str]], text: str) -> set[str]:
    """Which words of a group a text says."""
    return {words.pattern for words in group if words.search(text)}


def times_in(pattern: re.Pattern[str], text: str) -> set[str]:
    """Points or lengths of time that a text names."""
    return {f"{found['unit']} {found['number']}".lower() for found in pattern.finditer(text)}


def stands_alone(confidence: float, others: Iterable[float]) -> bool:
    """Whether nothing else is nearly as likely."""
    return all(odds(confidence) >= MARGIN * odds(other) for other in others)


def odds(confidence: float) -> float:
    """The odds of a confidence; large where nothing speaks against it."""
    return confidence / max(1.0 - confidence, 1e-4)
