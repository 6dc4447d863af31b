"""What a section of a label counts, for harm and for benefit."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

_TABLE = tomllib.loads((files(__package__) / "sections.toml").read_text("utf-8"))
WEIGHTS: Mapping[str, tuple[float, float]] = {kind: (one[0], one[1]) for kind, one in _TABLE.items()}
ELSEWHERE = (0.3, 0.1)


@dataclass(frozen=True, slots=True)
class SectionWeight:
    """How much a section counts for harm and for benefit, from 0 to 1; `kind` is the part of its name."""

    kind: str
    harm: float
    benefit: float


def weight_of(section: str) -> SectionWeight:
    """The weight of a section by its name ("adverse_reactions_table", "5 WARNINGS AND PRECAUTIONS")."""
    name = section.lower().replace(" ", "_")
    for kind, weights in WEIGHTS.items():
        if kind in name:
            return SectionWeight(kind, *weights)
    return SectionWeight("other", *ELSEWHERE)


def readable_name(section: str) -> str:
    """A section's name for a sentence ("adverse reactions")."""
    return section.lower().replace("_", " ").removeprefix("spl ")
