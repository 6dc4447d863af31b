"""What a section of a label counts, for harm and for benefit."""

from dataclasses import dataclass

WEIGHTS = {
    "boxed": (1.0, 0.5),
    "contraindication": (0.7, 0.1),
    "warning": (0.9, 0.15),
    "precaution": (0.85, 0.15),
    "adverse": (0.75, 0.1),
    "medguide": (0.6, 0.15),
    "medication_guide": (0.6, 0.15),
    "patient": (0.55, 0.15),
    "abuse": (0.5, 0.0),
    "specific_populations": (0.4, 0.1),
    "geriatric": (0.5, 0.1),
    "pediatric": (0.4, 0.1),
    "interaction": (0.35, 0.05),
    "clinical_studies": (0.5, 0.9),
    "indication": (0.1, 1.0),
    "description": (0.1, 0.2),
    "mechanism": (0.3, 0.4),
    "pharmacodynamic": (0.35, 0.5),
    "pharmacology": (0.35, 0.5),
    "overdos": (0.25, 0.0),
    "dosage": (0.3, 0.1),
    "nonclinical": (0.05, 0.02),
    "carcinogenesis": (0.05, 0.02),
    "animal": (0.05, 0.02),
    "teratogenic": (0.2, 0.0),
    "pregnancy": (0.3, 0.0),
    "nursing": (0.2, 0.0),
    "pharmacokinetic": (0.1, 0.05),
    "reference": (0.0, 0.0),
    "how_supplied": (0.0, 0.0),
}
"""By a part of openFDA's name of the section; the first that fits. The order of trust is that of FDA's
guidance: boxed warning, warnings, adverse reactions; then what is said elsewhere. What a label is for
(indications, clinical studies) shows benefit.
"""
ELSEWHERE = (0.3, 0.1)
_IN_ORDER = ("nonclinical", "carcinogenesis", "animal", "pharmacokinetic", *WEIGHTS)


@dataclass(frozen=True, slots=True)
class SectionWeight:
    """How much a section counts for harm and for benefit, from 0 to 1; `kind` is the part of its name."""

    kind: str
    harm: float
    benefit: float


def weight_of(section: str) -> SectionWeight:
    """The weight of a section by its name ("adverse_reactions_table", "5 WARNINGS AND PRECAUTIONS")."""
    name = section.lower().replace(" ", "_")
    for kind in _IN_ORDER:
        if kind in name:
            return SectionWeight(kind, *WEIGHTS[kind])
    return SectionWeight("other", *ELSEWHERE)


def readable_name(section: str) -> str:
    """A section's name for a sentence ("adverse reactions")."""
    return section.lower().replace("_", " ").removeprefix("spl ")
