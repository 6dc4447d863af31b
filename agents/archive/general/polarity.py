"""Whether a sentence decides a question that asks for yes or no."""

import re

from agents.archive.general.question import FactualQuestion
from agents.archive.general.words import stems, synonyms
from agents.archive.research.documents.given import DENIED, thought_of
from agents.archive.research.patterns.organs import organs_asked
from agents.archive.research.patterns.species import HUMAN, species_in
from agents.text.quantities import parse_quantities

NEGATED = re.compile(
    r"\b(?:no|not|none|never|nor|neither|without|cannot|absent|lack(?:ed|s|ing)?|un(?:affected|changed|remarkable))\b"
    r"|n't\b|\b0\s*(?:of|/|out of)\s*\d",
    re.IGNORECASE,
)
HEDGED = re.compile(
    r"\b(?:if|whether|may|might|could|possibl[ey]|expected|planned|unless|except|but|however|although|only)\b",
    re.IGNORECASE,
)
TO_COME = re.compile(
    r"\b(?:will|would|should|shall|going to"
    r"|(?:is|are|was|were|has|have|had|due|yet) to (?:be|get|have|receive|take))\b",
    re.IGNORECASE,
)
"""What is not done yet."""
GROUND = re.compile(
    r"\b(?:since|because|instead of|rather than|whereas|while|unlike|compared (?:with|to))\b", re.IGNORECASE
)
"""What leads to something else than what was done."""
UNTESTED = re.compile(
    r"\b(?:no|not|never|without)\b(?: [\w-]+){0,4}? (?P<looked>stud(?:y|ies|ied)|tests?|tested|assays?|data"
    r"|performed|conducted|examined|assessed|evaluated|investigated|measured|determined|available)\b",
    re.IGNORECASE,
)
"""What was not looked for: no finding is denied by it."""
GENOTOXIC = ("genotox", "mutagen", "clastog")
"""Findings that several tests tell of. No sentence alone denies them, and none denies toxicity in an organ:
`agents.archive.yes_no` reads all.
"""
OF_STUDY = re.compile(r"\b(?:study|trial|report)\b|\b\w+[-/]\w+[-/]\w+", re.IGNORECASE)
SEX = re.compile(r"\b(?:fe)?males?\b", re.IGNORECASE)
DECIDES_AT = 0.8
"""Share of the question's words that a sentence must say itself, so that a yes can be read from it."""


def verdict(question: FactualQuestion, sentence: str) -> str:
    """Yes or No where the sentence says nearly all that is asked about, plainly; else an empty string."""
    said = set(stems(sentence))
    told = [term for term in question.terms if not synonyms(term).isdisjoint(said)]
    if not told or len(told) < DECIDES_AT * len(question.terms) or HEDGED.search(sentence):
        return ""
    if TO_COME.search(sentence) and not TO_COME.search(question.text):
        return ""
    if question.amounts and not said_plainly(question.text, sentence):
        return ""
    asked_negated = bool(NEGATED.search(question.text))
    said_no = bool(NEGATED.search(sentence)) != asked_negated
    return ("" if denies_in_part(question, sentence) else "No") if said_no else "Yes"


def said_plainly(asked: str, sentence: str) -> bool:
    """Whether a sentence tells what was done, and not what was thought of, or closed before it was done, nor
    names one dose as the ground of another.
    """
    places = [one.start for one in parse_quantities(sentence) if one.is_dose]
    if len(places) > 1 and GROUND.search(sentence, places[0], places[-1]):
        return False
    if any(thought_of(sentence, place) and not thought_of(asked, len(asked)) for place in places):
        return False
    return bool(NEGATED.search(sentence)) or not DENIED.search(sentence)


def denies_in_part(question: FactualQuestion, sentence: str) -> bool:
    """Whether a denial is of less than what is asked: of a test, of one dose, species or sex, or by one of
    several tests.
    """
    looked_for = UNTESTED.search(sentence)
    doses = any(one.is_dose for one in parse_quantities(sentence)) and not question.amounts
    return (
        bool(looked_for and set(stems(looked_for["looked"])).isdisjoint(question.terms))
        or doses
        or of_one_sex(question.text, sentence)
        or of_other_species(question, sentence)
        or ("toxic" in question.text.lower() and bool(organs_asked(question.text)))
        or not set(GENOTOXIC).isdisjoint(question.terms)
    )


def of_one_sex(asked: str, sentence: str) -> bool:
    """Whether a sentence speaks of males or of females alone, and a question of neither."""
    named = {word.casefold().rstrip("s") for word in SEX.findall(sentence)}
    return len(named) == 1 and not SEX.search(asked)


def of_other_species(question: FactualQuestion, sentence: str) -> bool:
    """Whether a sentence speaks of animals alone that a question, which is of no one study, does not name."""
    if OF_STUDY.search(question.text):
        return False
    named = {name for _, name in species_in(sentence)}
    asked = {name for _, name in species_in(question.text)}
    return bool(named) and "animal" not in asked and named.isdisjoint({*asked, HUMAN, "animal"})
