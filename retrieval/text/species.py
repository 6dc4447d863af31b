"""Species and people in a text: one table for ingestion, databases, safety reports and the archive."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

HUMAN = "human"
KINDS: Mapping[str, tuple[str, ...]] = {"monkey": ("cynomolgus macaque", "rhesus macaque", "marmoset")}
"""Species of which a text may name a kind."""
_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def any_of(*names: str) -> re.Pattern[str]:
    """One pattern for the words of some species, in any case, and not within longer words."""
    return re.compile(
        rf"(?<!\w)(?:{'|'.join(word for name in names for word in _WORDS[name])})(?!\w)", re.IGNORECASE
    )


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
