"""Words as questions and reports share them: stems, words that say nothing, and words that say the same."""

import re
from collections.abc import Iterable
from functools import lru_cache

WORD = re.compile(r"[^\W_]+(?:\.\d+)*")
LONE_LETTER = re.compile(r"[a-z]")
NUMBER_SIGN = re.compile(r"\bNos?\.(?=\W|\d)|\bNo(?=\s*[:#])")
CASE_CHANGE = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")
SUFFIX = re.compile(
    r"(?:ations?|ators?|ati(?:ng|ve)|ate[ds]?|ements?|ments?|ings?|ions?|edly|ed|ies|ied|ers?|ors?|ally|als?|ly|is|es|s|y|e)$"
)
LONGEST_STEM = 7

STOPWORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "been",
        "being",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "done",
        "for",
        "from",
        "had",
        "has",
        "have",
        "he",
        "her",
        "his",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "may",
        "me",
        "might",
        "much",
        "my",
        "name",
        "no",
        "not",
        "of",
        "on",
        "one",
        "or",
        "our",
        "please",
        "say",
        "says",
        "she",
        "should",
        "show",
        "so",
        "some",
        "state",
        "stated",
        "states",
        "such",
        "tell",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "to",
        "under",
        "up",
        "upon",
        "us",
        "used",
        "use",
        "uses",
        "using",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "while",
        "who",
        "whom",
        "whose",
        "why",
        "will",
        "with",
        "within",
        "would",
        "you",
        "your",
        "give",
        "given",
        "according",
        "report",
        "reported",
        "document",
        "documents",
        "archive",
        "mention",
        "mentioned",
        "describe",
        "described",
        "value",
        "many",
        "according",
        "find",
        "found",
        "question",
        "answer",
        "stand",
        "stands",
        "called",
        "list",
        "during",
        "per",
        "each",
        "between",
        "all",
        "carried",
        "out",
        "performed",
        "conducted",
    ]
)

LIGHT = """
come came take took taken place get got receive received have hold held contain contains keep kept set see seen occur
occurred happen happened work worked represent represented sign signed write wrote written provide provided make made
perform serve served act acted select selected obtain obtained define defined choose chosen need needed include included
involve involved consist kind type sort name title overall total exact exactly actual main often divided identified
represented assigned initially study trial check checked
"""
"""Words of questions that say little: an answer need not repeat them."""

SAME = """
lot batch
start begin initiation commencement first
end completion finish conclusion termination
purpose aim objective goal
euthanasia euthanized sacrifice killed necropsy sacrificed
housing housed cage
food diet feed chow fed
strain breed stock
come origin vendor supplier source supplied provider manufacturer manufactured obtained
author prepared written signed signature
facility laboratory site location
death died mortality dead deaths die
assignment assigned randomized randomised randomization allocated allocation
number count total
software package program tool
stored storage kept retained archived archives
sponsor company
investigator director
supervisor director
animal species
temperature
light illumination photoperiod
sex gender
age old
weight weighed weigh
dose dosage dosing dosed level
administration administered route given
vehicle solvent carrier
control vehicle placebo
frequency often
duration long period length
participant subject patient volunteer
address location
phone telephone
abbreviation acronym stand
version release edition
receipt received arrival
exposure auc
statistics statistical test significance
approved approval
evaluated assessed measured examined investigated
method technique procedure
finding findings abnormality abnormalities
record records
pre before baseline predose
post after
most maximum exceed
least minimum
mean average
observed seen noted
"""


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word without its endings; words with digits stay as they are."""
    if any(character.isdigit() for character in word) or len(word) < 4:
        return word
    while len(cut := SUFFIX.sub("", word)) >= 3 and cut != word:
        word = cut
    return word[:LONGEST_STEM]


def stems(text: str) -> list[str]:
    """Stems of all words in order; words that say nothing are left out. "PointCross" is two words and one."""
    found = []
    for written in WORD.findall(NUMBER_SIGN.sub("number", text)):
        parts = CASE_CHANGE.split(written)
        words = [written, *parts] if len(parts) > 1 else [written]
        found += [
            stem(word.lower())
            for word in words
            if word.lower() not in STOPWORDS and not LONE_LETTER.fullmatch(word)
        ]
    return found


def _groups(lines: Iterable[str]) -> dict[str, frozenset[str]]:
    groups: dict[str, set[str]] = {}
    for line in lines:
        members = {stem(word) for word in line.split()}
        for member in members:
            groups.setdefault(member, set()).update(members)
    return {member: frozenset(others) for member, others in groups.items()}


LIGHT_STEMS = frozenset(stem(word) for word in LIGHT.split())
SYNONYMS = _groups(line for line in SAME.splitlines() if line)


def synonyms(word: str) -> frozenset[str]:
    """Stems that may stand for a stem, itself included."""
    return SYNONYMS.get(word, frozenset()) | {word}
