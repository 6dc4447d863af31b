"""Whether a sentence decides a question that asks for yes or no."""

import re

from agents.archive.general.question import FactualQuestion
from agents.archive.general.words import stems, synonyms

NEGATED = re.compile(
    r"\b(?:no|not|none|never|nor|neither|without|cannot|absent|lack(?:ed|s|ing)?|un(?:affected|changed|remarkable))\b"
    r"|n't\b|\b0\s*(?:of|/|out of)\s*\d",
    re.IGNORECASE,
)
HEDGED = re.compile(
    r"\b(?:if|whether|may|might|could|possibl[ey]|expected|planned|unless|except|but|however|although|only)\b",
    re.IGNORECASE,
)
DECIDES_AT = 0.8
"""Share of the question's words that a sentence must say itself, so that a yes can be read from it."""


def verdict(question: FactualQuestion, sentence: str) -> str:
    """Yes or No where the sentence says nearly all that is asked about, plainly; else an empty string."""
    said = set(stems(sentence))
    told = [term for term in question.terms if not synonyms(term).isdisjoint(said)]
    if not told or len(told) < DECIDES_AT * len(question.terms) or HEDGED.search(sentence):
        return ""
    asked_negated = bool(NEGATED.search(question.text))
    return "No" if bool(NEGATED.search(sentence)) != asked_negated else "Yes"
