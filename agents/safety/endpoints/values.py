"""Safety endpoints, organ systems, species groups and effects, as values (TSAssistant, appendix C)."""

from dataclasses import dataclass
from enum import Enum, StrEnum

from agents.safety.order import Direction


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
    """The 15 endpoints of the integrated risk table, in the paper's order (table 2)."""

    HEPATOTOXICITY = (1, "Hepatotoxicity")
    RENAL = (2, "Renal toxicity")
    HEMATOTOXICITY = (3, "Bone marrow toxicity / hematotoxicity")
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

    @property
    def number(self) -> int:
        """The number in the paper's table, 1 to 15."""
        return int(self.value[0])

    @property
    def title(self) -> str:
        """The name in the paper's table."""
        return str(self.value[1])

    @property
    def key(self) -> str:
        """The name in files: "neurological"."""
        return self.name.lower()


class Sign(StrEnum):
    """Which way something changes; `CHANGED` where it is not told."""

    INCREASED = "increased"
    DECREASED = "decreased"
    CHANGED = "changed"

    @property
    def opposite(self) -> "Sign":
        """Increased for decreased and the reverse; a change without a direction stays one."""
        turned = {Sign.INCREASED: Sign.DECREASED, Sign.DECREASED: Sign.INCREASED}
        return turned.get(self, Sign.CHANGED)


@dataclass(frozen=True, slots=True)
class Effect:
    """What a fact says would happen: `title` ("blood pressure") changes as `sign` says.

    `under` is what has to be done to the target for it; None where the fact does not tell, so that it may be
    expected of both. `mechanism` marks a signalling system ("adrenergic signalling") from which effects on
    organs are only inferred.
    """

    name: str
    title: str
    sign: Sign
    under: Direction | None
    endpoints: tuple[Endpoint, ...]
    systems: tuple[OrganSystem, ...]
    mechanism: bool = False
