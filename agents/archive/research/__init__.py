"""The deterministic mind of research: one extractor a question type, in one list."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from agents.archive.research.extractors import (
    discontinuation_reason,
    efficacious_dose,
    first_in_human_dose,
    highest_dose,
    highest_dose_with_sae,
    margin_of_safety,
    mechanism,
    organ_toxicity,
    pharmacokinetics,
    regimen,
    route,
    study_list,
)
from agents.archive.values import Draft, ResearchInput

Extractor = Callable[[ResearchInput], Draft]
"""A pure function of what is read; it never raises for what a document says."""

EXTRACTORS: Mapping[str, Extractor] = MappingProxyType(
    {
        "first_in_human_dose": first_in_human_dose.extract,
        "route": route.extract,
        "highest_dose": highest_dose.extract,
        "highest_dose_with_sae": highest_dose_with_sae.extract,
        "efficacious_dose": efficacious_dose.extract,
        "regimen": regimen.extract,
        "margin_of_safety": margin_of_safety.extract,
        "discontinuation_reason": discontinuation_reason.extract,
        "organ_toxicity": organ_toxicity.extract,
        "pharmacokinetics": pharmacokinetics.extract,
        "mechanism": mechanism.extract,
        "study_list": study_list.extract,
    }
)
"""Question type id -> extractor. The type "general" is not here: it is answered by finding the exact
passage.
"""
