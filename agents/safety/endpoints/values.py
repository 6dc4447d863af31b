"""Safety endpoints, organ systems, species groups and effects, as values (TSAssistant, appendix C)."""

from enum import Enum, StrEnum


class OrganSystem(StrEnum):
    """A system of the body, under the name that reviews of secondary pharmacology use."""

    CARDIOVASCULAR = "cardiovascular"
    NERVOUS = "nervous"
    RENAL = "renal"
    GASTROINTESTINAL = "gastrointestinal"
    HEPATIC = "hepatic"
    IMMUNE = "immune"
    BLOOD = "blood"
    RESPIRATORY = "respiratory"
    ENDOCRINE = "endocrine"
    METABOLIC = "metabolic"
    REPRODUCTIVE = "reproductive"
    DEVELOPMENT = "development"
    EYE = "eye"
    EAR = "ear"
    SKIN = "skin"
    MUSCULOSKELETAL = "musculoskeletal"


class Endpoint(Enum):
    """The 15 endpoints of the paper's table 2 in its order, and four that it does not have."""

    HEPATOTOXICITY = (1, "Hepatotoxicity")
    RENAL = (2, "Renal toxicity")
    HEMATOTOXICITY = (3, "Hematotoxicity (marrow, blood cells, clotting)")
    NEUROLOGICAL = (4, "Neurological / CNS / neurodevelopmental toxicity")
    CARDIOVASCULAR = (5, "Cardiovascular toxicity")
    REPRODUCTIVE = (6, "Reproductive / developmental toxicity")
    OCULAR = (7, "Ocular toxicity")
    INFLAMMATORY = (8, "Inflammatory syndrome")
    IMMUNE = (9, "Immune dysfunction")
    METABOLIC = (10, "Metabolic dysregulation")
    SKIN = (11, "Skin and subcutaneous tissue disorders")
    GASTROINTESTINAL = (12, "Gastrointestinal toxicity")
    PULMONARY = (13, "Pulmonary toxicity")
    ENDOCRINE = (14, "Endocrine disruption")
    PREGNANCY = (15, "Pregnancy / puerperium / perinatal conditions")
    MUSCULOSKELETAL = (16, "Muscle and bone")
    TUMOUR = (17, "Tumours")
    URINARY = (18, "Bladder and urinary tract")
    SYSTEMIC = (19, "Whole body")

    @property
    def number(self) -> int:
        """The place in the table, from 1."""
        return int(self.value[0])

    @property
    def title(self) -> str:
        """The name in the paper's table."""
        return str(self.value[1])

    @property
    def key(self) -> str:
        """The name in files: "neurological"."""
        return self.name.lower()


SYSTEMS = {one: OrganSystem[one.name] for one in Endpoint if one.name in OrganSystem.__members__} | {
    Endpoint.HEPATOTOXICITY: OrganSystem.HEPATIC,
    Endpoint.HEMATOTOXICITY: OrganSystem.BLOOD,
    Endpoint.NEUROLOGICAL: OrganSystem.NERVOUS,
    Endpoint.OCULAR: OrganSystem.EYE,
    Endpoint.PULMONARY: OrganSystem.RESPIRATORY,
    Endpoint.PREGNANCY: OrganSystem.DEVELOPMENT,
}
"""The organ system that an endpoint is named for; inflammation, tumours, bladder and whole body have none."""
