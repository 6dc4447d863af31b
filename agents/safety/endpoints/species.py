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

_HUMAN = r"humans?|homo sapiens|patients?|man|ipsc\w*|primary cells?|volunteers?"
_KNOWN = (
    ("mouse", SpeciesGroup.RODENT, r"mouse|mice|mus musculus"),
    ("rat", SpeciesGroup.RODENT, r"rats?|rattus\w*"),
    ("guinea pig", SpeciesGroup.RODENT, r"guinea[ -]?pigs?|cavia\w*"),
    ("hamster", SpeciesGroup.RODENT, r"hamsters?"),
    ("rodent", SpeciesGroup.RODENT, r"rodents?"),
    ("cynomolgus macaque", SpeciesGroup.NON_RODENT, r"cynomolgus|macaca fascicularis"),
    ("rhesus macaque", SpeciesGroup.NON_RODENT, r"rhesus|macaca mulatta"),
    ("marmoset", SpeciesGroup.NON_RODENT, r"marmosets?|callithrix\w*"),
    ("monkey", SpeciesGroup.NON_RODENT, r"monkeys?|macaques?|nhp|non[- ]?human primates?"),
    ("dog", SpeciesGroup.NON_RODENT, r"dogs?|canis\w*|beagles?"),
    ("minipig", SpeciesGroup.NON_RODENT, r"mini[ -]?pigs?|pigs?|sus scrofa"),
    ("rabbit", SpeciesGroup.NON_RODENT, r"rabbits?|oryctolagus\w*"),
    ("zebrafish", SpeciesGroup.ALTERNATIVE, r"zebrafish\w*|danio rerio"),
    ("human", SpeciesGroup.HUMAN, _HUMAN),
)
_PATTERNS = tuple(
    (name, group, re.compile(rf"(?<!\w)(?:{names})(?!\w)", re.IGNORECASE)) for name, group, names in _KNOWN
)

_ANIMALS = re.compile(
    rf"(?<!\w)(?:{'|'.join(names for _, group, names in _KNOWN if group is not SpeciesGroup.HUMAN)})(?!\w)",
    re.IGNORECASE,
)


def with_species_names(text: str) -> str:
    """The text with one name for each animal species: "mice and beagles" is "mouse and dog"."""
    return _ANIMALS.sub(lambda found: species_name(found.group()), text)


def _first(text: str) -> tuple[str, SpeciesGroup] | None:
    """The species that a text names first; of two at one place the longer name ("guinea pig")."""
    found = [
        (match.start(), -len(match.group()), name, group)
        for name, group, pattern in _PATTERNS
        if (match := pattern.search(text))
    ]
    return min(found)[2:] if found else None


def species_group(name: str) -> SpeciesGroup:
    """The group of the species that a text names first, by its common or scientific name.

    "mouse ortholog of human ADRB2" speaks of a rodent. `UNKNOWN` where no known species is named.
    """
    found = _first(name)
    return found[1] if found else SpeciesGroup.UNKNOWN


def species_name(name: str) -> str:
    """One name for each species ("mice" is "mouse"); an unknown one in lower case as it is."""
    found = _first(name)
    return found[0] if found else " ".join(name.casefold().split())


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
