"""The deterministic mind of research: one extractor a question type, in one list."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from agents.archive.research import (
    discontinuation,
    efficacy,
    first_dose,
    highest_dose,
    kinetics,
    margin,
    mechanism,
    organs,
    regimen,
    route,
    severe_dose,
    studies,
)
from agents.archive.values import Dossier, Draft

Extractor = Callable[[Dossier], Draft]
"""A pure function of what is read; it never raises for what a document says."""

EXTRACTORS: Mapping[str, Extractor] = MappingProxyType(
    {
        "first_in_human_dose": first_dose.extract,
        "route": route.extract,
        "highest_dose": highest_dose.extract,
        "highest_dose_with_sae": severe_dose.extract,
        "efficacious_dose": efficacy.extract,
        "regimen": regimen.extract,
        "margin_of_safety": margin.extract,
        "discontinuation_reason": discontinuation.extract,
        "organ_toxicity": organs.extract,
        "pharmacokinetics": kinetics.extract,
        "mechanism": mechanism.extract,
        "study_list": studies.extract,
    }
)
"""Question type id -> extractor. The type "general" is not here: it is answered by finding the exact
passage.
"""
