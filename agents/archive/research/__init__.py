"""The deterministic mind of research: one extractor a question type, in one list."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from agents.archive.values import Draft, ResearchInput
from agents.late import late

Extractor = Callable[[ResearchInput], Draft]
"""A pure function of what is read; it never raises for what a document says."""

EXTRACTORS: Mapping[str, Extractor] = MappingProxyType(
    {
        name: late(f"agents.archive.research.extractors.{name}:extract")
        for name in (
            "first_in_human_dose",
            "route",
            "highest_dose",
            "highest_dose_with_sae",
            "efficacious_dose",
            "regimen",
            "margin_of_safety",
            "discontinuation_reason",
            "organ_toxicity",
            "mechanism",
        )
    }
)
"""Question type id -> extractor. The type "general" is not here: it is answered by finding the exact
passage. Each is imported for the first question of its type.
"""
