"""Groups of species, and how far a finding in one speaks for another (TSAssistant, appendices B and C)."""

import re
from enum import StrEnum


class SpeciesGroup(StrEnum):
    """The paper's groups (table 3)."""

    RODENT = "rodent"
    NON_RODENT = "non-rodent"
    HUMAN = "human"
    ALTERNATIVE = "alternative screening model"
    UNKNOWN = ""


SAME_SPECIES = 1.0
SAME_GROUP = 0.75
OTHER_GROUP = 0.5
NO_CONTEXT = 0.0

_NAMES = (
    (SpeciesGroup.HUMAN, r"humans?|homo sapiens|patients?|man|ipsc\w*|primary cells?|volunteers?"),
    (SpeciesGroup.ALTERNATIVE, r"zebrafish\w*|danio rerio"),
    (SpeciesGroup.RODENT, r"mouse|mice|mus musculus|rats?|rattus\w*|hamsters?|guinea[ -]?pigs?|rodents?"),
    (
        SpeciesGroup.NON_RODENT,
        r"dogs?|canis\w*|beagles?|mini[ -]?pigs?|pigs?|sus scrofa|rabbits?|oryctolagus\w*|nhp|monkeys?|"
        r"cynomolgus|macaques?|macaca\w*|marmosets?|callithrix\w*|rhesus|non-human primates?",
    ),
)
_PATTERNS = tuple((group, re.compile(rf"(?<!\w)(?:{names})(?!\w)", re.IGNORECASE)) for group, names in _NAMES)
_ONE = (
    ("mouse", r"mouse|mice|mus musculus"),
    ("rat", r"rats?|rattus\w*"),
    ("guinea pig", r"guinea[ -]?pigs?"),
    ("cynomolgus macaque", r"cynomolgus|macaca fascicularis"),
    ("rhesus macaque", r"rhesus|macaca mulatta"),
    ("marmoset", r"marmosets?|callithrix\w*"),
    ("dog", r"dogs?|canis\w*|beagles?"),
    ("minipig", r"mini[ -]?pigs?|pigs?|sus scrofa"),
    ("rabbit", r"rabbits?|oryctolagus\w*"),
    ("hamster", r"hamsters?"),
    ("zebrafish", r"zebrafish\w*|danio rerio"),
    ("human", r"humans?|homo sapiens|patients?|man|ipsc\w*|primary cells?|volunteers?"),
)
_SPECIES = tuple((name, re.compile(rf"(?<!\w)(?:{names})(?!\w)", re.IGNORECASE)) for name, names in _ONE)


def species_group(name: str) -> SpeciesGroup:
    """The group of a species, by its common or scientific name; `UNKNOWN` for any other.

    "non-human primate" is one of the non-rodents although "human" stands in it.
    """
    bare = re.sub(r"non[- ]?human primates?", "monkey", name, flags=re.IGNORECASE)
    return next((group for group, pattern in _PATTERNS if pattern.search(bare)), SpeciesGroup.UNKNOWN)


def species_name(name: str) -> str:
    """One name for each species ("mice" is "mouse"); an unknown one in lower case as it is."""
    bare = re.sub(r"non[- ]?human primates?", "monkey", name, flags=re.IGNORECASE)
    known = (one for one, pattern in _SPECIES if pattern.search(bare))
    return next(known, " ".join(bare.casefold().split()))


def species_weight(one: str, other: str) -> float:
    """The paper's weight of a pair of findings: 1 in the same species, 0.75 in the same group, 0.5 across.

    0 where the species of either is not told: such a pair is left out, not scored as zero.
    """
    groups = species_group(one), species_group(other)
    if SpeciesGroup.UNKNOWN in groups:
        return NO_CONTEXT
    if species_name(one) == species_name(other):
        return SAME_SPECIES
    return SAME_GROUP if groups[0] is groups[1] else OTHER_GROUP
