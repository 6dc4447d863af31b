"""Groups of species (TSAssistant, appendix C)."""

import re
from enum import StrEnum

from retrieval.text.species import ANIMALS, EACH, HUMAN


class SpeciesGroup(StrEnum):
    """The paper's groups (table 3)."""

    RODENT = "rodent"
    NON_RODENT = "non-rodent"
    HUMAN = "human"
    ALTERNATIVE = "alternative screening model"
    UNKNOWN = ""


_RODENTS = ("mouse", "rat", "guinea pig", "hamster", "rodent")
_HUMAN = re.compile(r"(?<!\w)(?:man|ipsc\w*|primary cells?)(?!\w)", re.IGNORECASE)
"""Further words for what is human: cells of people."""
_RODENT = re.compile(r"(?<!\w)rodents?(?!\w)", re.IGNORECASE)
_PATTERNS = (*EACH.items(), ("rodent", _RODENT), (HUMAN, _HUMAN))


def with_species_names(text: str) -> str:
    """The text with one name for each animal species: "mice and beagles" is "mouse and dog"."""
    return ANIMALS.sub(lambda found: species_name(found.group()), text)


def _first(text: str) -> str:
    """The species that a text names first; of two at one place the longer name ("guinea pig")."""
    found = [
        (match.start(), -len(match.group()), name)
        for name, pattern in _PATTERNS
        if (match := pattern.search(text))
    ]
    return min(found)[2] if found else ""


def species_group(name: str) -> SpeciesGroup:
    """The group of the species that a text names first, by its common or scientific name.

    "mouse ortholog of human ADRB2" speaks of a rodent. `UNKNOWN` where no known species is named.
    """
    found = _first(name)
    if found == HUMAN:
        return SpeciesGroup.HUMAN
    if found in _RODENTS:
        return SpeciesGroup.RODENT
    alternative = SpeciesGroup.ALTERNATIVE if found == "zebrafish" else SpeciesGroup.NON_RODENT
    return alternative if found else SpeciesGroup.UNKNOWN


def species_name(name: str) -> str:
    """One name for each species ("mice" is "mouse"); an unknown one in lower case as it is."""
    return _first(name) or " ".join(name.casefold().split())
