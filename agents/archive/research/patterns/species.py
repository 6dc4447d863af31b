"""Species and populations named in a text."""

import re
from functools import cache

from agents.archive.research.vocabulary import Term, terms
from retrieval.text.species import HUMAN as HUMAN
from retrieval.text.species import SPECIES

POPULATION = re.compile(
    r"\b(?:(?:healthy|elderly|young|adult|male|female|japanese|chinese|caucasian|western|asthmatic|"
    r"diabetic|hypertensive|obese)\s(?:\w+\s){0,3})?"
    r"(?:patients|subjects|participants|volunteers|outpatients|adults|children|men|women)\s+(?:with|"
    r"suffering from|who have)\s+"
    r"(?!\d)(?:(?!\bwho\b|\bgiven\b|\bthat\b|\bare\b|\bwill\b|\breceiv|\bwere\b|\bwas\b|\bin\b|"
    r"\band healthy\b)[\w'’/+-]+\s?){1,8}"
    r"|\bhealthy\s(?:[\w-]+\s){0,4}(?:volunteers|subjects|participants|men|women|adults|males)\b",
    re.IGNORECASE,
)  # fmt: skip


@cache
def species_terms() -> tuple[Term, ...]:
    """Humans first, then each animal species, then "animal"; of humans more words than other rooms read."""
    human, animal = terms("species")
    animals = (Term(name, words) for name, words in SPECIES.items() if name != HUMAN)
    return (human, *animals, animal)


@cache
def any_species() -> re.Pattern[str]:
    """One pattern for the words of all of them."""
    return re.compile("|".join(term.words.pattern for term in species_terms()), re.IGNORECASE)


def species_in(text: str) -> tuple[tuple[int, str], ...]:
    """Species named in a text with their places; "animal" where no species is named."""
    found = [(match.start(), term.name) for term in species_terms() for match in term.words.finditer(text)]
    return tuple(sorted(found))


def animals_in(text: str) -> list[tuple[int, str]]:
    """Animal species named in a text with their places."""
    return [(at, name) for at, name in species_in(text) if name not in (HUMAN, "animal")]


def nearest_population(text: str, place: int) -> bool | None:
    """Humans or animals, by the species named nearest to a place in the text."""
    found = species_in(text)
    if not found:
        return None
    kinds = {name == HUMAN for _, name in found}
    if len(kinds) == 1:
        return kinds.pop()
    return min(found, key=lambda item: abs(item[0] - place))[1] == HUMAN


def species_nearest(clause: str, place: int) -> str:
    """The species named nearest to a place."""
    named = [(abs(at - place), name) for at, name in species_in(clause) if name != "animal"]
    return min(named)[1] if named else ""
