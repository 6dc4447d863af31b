"""Whether a text denies, plans or doubts, and whether two texts say the opposite."""

import re

from agents.text.words import LISTS, NEGATIONS, WORD, stem, stems

OPPOSITES = tuple(tuple(pair.split("/")) for pair in LISTS["opposites"].split())
OPPOSITE_STEMS = frozenset(stem(word) for pair in OPPOSITES for word in pair)
DENIAL = rf"(?:{'|'.join(sorted(NEGATIONS, key=len, reverse=True))})"
"""A word that denies, as a pattern between word boundaries."""
PLAN = (
    r"(?:plan(?!t|et)\w*|propos\w+|will|would|should|shall|intend\w*|expect\w*|project\w*|(?-i:may)|to be"
    r"|foreseen|scheduled|going to)"
)
"""A word that tells of what is not done yet."""
_PLAN = re.compile(rf"\b{PLAN}\b", re.IGNORECASE)
_DOUBT = re.compile(
    r"\b(?:nobody|no one|hardly|barely|no longer|if|unless|whether|except|den(?:y|ied|ies)|doubt\w*|"
    r"suspect\w*|claim\w*|alleg\w*|hypothes\w*|presum\w*|wrong\w*|incorrect\w*|error|unlike\w*|"
    r"exclud\w*|rule[ds]? out|instead of|rather than|other than)\b",
    re.IGNORECASE,
)


def is_planned(text: str) -> bool:
    """Whether a text tells of what is planned, proposed or expected."""
    return _PLAN.search(text) is not None


def is_doubted(text: str) -> bool:
    """Whether a text doubts, hedges or excludes something."""
    return _DOUBT.search(text) is not None


def opposed(claim: str, sentence: str) -> str:
    """Why a sentence says the opposite of the claim; an empty string if it does not."""
    if negated(claim) != negated(sentence):
        return "one of claim and evidence is negated"
    here, there = stems(claim), stems(sentence)
    for pair in OPPOSITES:
        for said, opposite in (pair, pair[::-1]):
            a, b = stem(said), stem(opposite)
            if a in here and b in there and a not in there and b not in here:
                return f"the claim says {said!r} where the evidence says {opposite!r}"
    return ""


def negated(text: str) -> bool:
    """Whether a text holds an odd number of negations."""
    words = [word.lower() for word in WORD.findall(text)]
    return bool(sum(word in NEGATIONS or word.endswith("n't") for word in words) % 2)
