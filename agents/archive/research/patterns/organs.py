"""The organs that a question about toxicity is narrowed to, if it surely is.

An organ word is often no organ that is asked about: it names an illness ("lung cancer"), a form of the drug
("eye drops") or what is left out ("other than in the liver"). Then nothing is left out of the answer.
"""

import re
from itertools import pairwise

from agents.archive.research.vocabulary import terms

ALL_ORGANS = re.compile(
    r"\b(?:organs?|tissues?|such as|e\.g\.|including|than|besides?|beyond|outside|apart from|aside from|"
    r"except\w*|excluding|in addition to|but|without|only|solely|exclusively|confined|restricted|limited|"
    r"mainly|mostly|most|worst|else|elsewhere)(?!\w)|\bnot (?:in|on|to|of)\b",
    re.IGNORECASE,
)
"""What asks for all organs, or for others than those that are named."""
BETWEEN = re.compile(r"\s*(?:,|/|,?\s(?:and|or|and/or)\s)\s*(?:(?:in|on|to|of)\s)?(?:the\s)?", re.IGNORECASE)
"""What stands between two organs of a list."""
PLACED = re.compile(
    r"\b(?:in|on|to|of|(?:harm|affect|damag|injur|hurt|caus)\w*)\s(?:the\s|any\s)?$", re.IGNORECASE
)
PHRASE_ENDS = re.compile(
    r"\s*(?:$|[?.,;:!])|\s(?:functions?|weights?|enzymes?|of|in|at|by|with|after|during|when|from|for|and|or|"
    r"was|were|is|are|did|does|do|has|have|seen|observed|reported|found|noted|caused)\b",
    re.IGNORECASE,
)
HARMED = re.compile(
    r"\s(?:side |adverse |toxic )?(?:toxic\w*|damage|injur(?:y|ies)|findings?|effects?|lesions?|events?|"
    r"changes|reactions?)\b",
    re.IGNORECASE,
)
TOXIC_WORD = re.compile(r"tox", re.IGNORECASE)
OF_PATIENTS = re.compile(
    r"(?<!associated )\b(?:with|after|following|despite|treating|against)\s(?:\w+\s){0,2}$", re.IGNORECASE
)
"""What stands before a harm that was there before the drug: "in rats with liver damage"."""
GIVEN_THERE = re.compile(
    r"\b(?:appl(?:y|ied|ication)|inject\w*|instil\w*|implant\w*|deliver\w*|administ\w*|given|dos(?:ed|ing))"
    r"(?:\s\S+){0,4}\s$",
    re.IGNORECASE,
)
"""What stands before the place where a drug is given: "applied to the skin"."""


def organs_asked(question: str) -> frozenset[str]:
    """The organs that a question is about alone; none where it may be about all of them.

    All the organs that it names must be asked about: "the lung" and "lung toxicity" are, "lung
    cancer" is not.
    """
    if ALL_ORGANS.search(question):
        return frozenset()
    named = [(match.span(), term.name) for term in terms("organs") for match in term.words.finditer(question)]
    spans = sorted({span for span, _ in named})
    whole = [one for one in spans if not any(is_within(one, other) for other in spans)]
    if not all(is_asked(question, start, end) for start, end in lists_of(question, whole)):
        return frozenset()
    return frozenset(name for span, name in named if span in whole)


def is_within(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether a word is a part of a longer name: "bladder" of "gall bladder"."""
    return one != other and other[0] <= one[0] and one[1] <= other[1]


def lists_of(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The places of organs, those of one list together: "the liver, the kidney or the lung"."""
    parts = [index for index, (one, other) in enumerate(pairwise(spans), 1) if not joins(text, one, other)]
    bounds = pairwise([0, *parts, len(spans)]) if spans else ()
    return [(spans[first][0], spans[last - 1][1]) for first, last in bounds]


def joins(text: str, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two organs stand in one list."""
    return BETWEEN.fullmatch(text[one[1] : other[0]]) is not None


def is_asked(text: str, start: int, end: int) -> bool:
    """Whether the organs at a place are those whose harm is asked about."""
    before, behind = text[:start], text[end:]
    if behind[:1] == "-" or before[-1:] == "-" or OF_PATIENTS.search(before) or GIVEN_THERE.search(before):
        return False
    placed = PLACED.search(before) and PHRASE_ENDS.match(behind)
    return bool(placed or HARMED.match(behind) or TOXIC_WORD.search(text[start:end]))
