"""Whether a sentence decides a question that asks for yes or no."""

import re

from agents.archive.general.question import FactualQuestion
from agents.archive.general.words import stems, synonyms
from agents.trust.quantities import parse_quantities

NEGATED = re.compile(
    r"\b(?:no|not|none|never|nor|neither|without|cannot|absent|lack(?:ed|s|ing)?|un(?:affected|changed|remarkable))\b"
    r"|n't\b|\b0\s*(?:of|/|out of)\s*\d",
    re.IGNORECASE,
)
HEDGED = re.compile(
    r"\b(?:if|whether|may|might|could|possibl[ey]|expected|planned|unless|except|but|however|although|only)\b",
    re.IGNORECASE,
)
UNTESTED = re.compile(
    r"\b(?:no|not|never|without)\b(?: [\w-]+){0,4}? (?:stud(?:y|ies|ied)|tests?|tested|assays?|data|performed"
    r"|conducted|examined|assessed|evaluated|investigated|measured|determined|available)\b",
    re.IGNORECASE,
)
"""What was not looked for: no finding is denied by it."""
GENOTOXIC = ("genotox", "mutagen", "clastog")
"""Findings that several tests tell of: no sentence alone denies them (`agents.archive.yes_no` reads all)."""
DECIDES_AT = 0.8
"""Share of the question's words that a sentence must say itself, so that a yes can be read from it."""


def verdict(question: FactualQuestion, sentence: str) -> str:
    """Yes or No where the sentence says nearly all that is asked about, plainly; else an empty string."""
    said = set(stems(sentence))
    told = [term for term in question.terms if not synonyms(term).isdisjoint(said)]
    if not told or len(told) < DECIDES_AT * len(question.terms) or HEDGED.search(sentence):
        return ""
    asked_negated = bool(NEGATED.search(question.text))
    said_no = bool(NEGATED.search(sentence)) != asked_negated
    return ("" if denies_in_part(question, sentence) else "No") if said_no else "Yes"


def denies_in_part(question: FactualQuestion, sentence: str) -> bool:
    """Whether a denial is of less than what is asked: of a test, of one dose, or by one test of several."""
    looked_for = UNTESTED.search(sentence)
    doses = any(one.is_dose for one in parse_quantities(sentence)) and not question.amounts
    return (
        bool(looked_for and set(stems(looked_for[0])).isdisjoint(question.terms))
        or doses
        or not set(GENOTOXIC).isdisjoint(question.terms)
    )
