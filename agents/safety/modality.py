"""What kind of medicine a target is meant for, and what it shall do to the target."""

from enum import StrEnum


class Modality(StrEnum):
    """What kind of medicine the target is meant for."""

    SMALL_MOLECULE = "small molecule"
    ANTIBODY = "antibody"
    OLIGONUCLEOTIDE = "oligonucleotide"
    GENE_THERAPY = "gene therapy"
    CELL_THERAPY = "cell therapy"


class Direction(StrEnum):
    """What the medicine shall do to the target."""

    INHIBITION = "inhibition"
    ACTIVATION = "activation"
