"""Species and people in a text: one table for ingestion, databases, safety reports and the archive."""

import re
from collections.abc import Mapping

HUMAN = "human"
KINDS: Mapping[str, tuple[str, ...]] = {"monkey": ("cynomolgus macaque", "rhesus macaque", "marmoset")}
"""Species of which a text may name a kind."""
_WORDS = {
    "mouse": r"mouse|mice|murine|mus musculus",
    "rat": r"rats?|rattus\w*|wistar|sprague[- ]dawley",
    "guinea pig": r"guinea[- ]?pigs?|cavia\w*",
    "hamster": r"hamsters?",
    "ferret": r"ferrets?",
    "cynomolgus macaque": r"cynomolgus(?: monkeys?| macaques?)?|macaca fascicularis",
    "rhesus macaque": r"rhesus(?: monkeys?| macaques?)?|macaca mulatta",
    "marmoset": r"marmosets?|callithrix\w*",
    "monkey": r"monkeys?|macaques?|nhps?|non-?\s?human primates?|primates?|baboons?|chimpanzees?",
    "dog": r"dogs?|canine|canis\w*|beagles?",
    "minipig": r"mini[ -]?pigs?|(?<!guinea[ -])pigs?|swine|porcine|sus scrofa",
    "rabbit": r"rabbits?|oryctolagus\w*",
    "cat": r"cats|feline",
    "sheep": r"sheep|lambs?",
    "zebrafish": r"zebrafish\w*|danio rerio",
    HUMAN: r"humans?|homo sapiens|in man|men|women|(?:in|out)?patients?|volunteers?|participants?|adolescents"
    r"|healthy (?:males?|females?|subjects?|adults?)|subjects with",
}


def any_of(*names: str) -> re.Pattern[str]:
    """One pattern for the words of some species, in any case, and not within longer words."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(_WORDS[name] for name in names)})(?!\w)", re.IGNORECASE)


EACH = {name: any_of(name) for name in _WORDS}
"""The pattern of each species, kinds of monkeys apart."""
SPECIES = {
    name: any_of(*KINDS.get(name, ()), name)
    for name in _WORDS
    if not any(name in kinds for kinds in KINDS.values())
}
"""The pattern of each species, kinds included."""
ANIMALS = any_of(*(name for name in _WORDS if name != HUMAN))


def species_in(text: str) -> tuple[tuple[int, str], ...]:
    """The species that a text names, with their places, in order."""
    return tuple(
        sorted((found.start(), name) for name, words in SPECIES.items() for found in words.finditer(text))
    )
