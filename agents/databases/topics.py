"""What facts are about."""

from enum import StrEnum


class Topic(StrEnum):
    """What kind of fact it is; `pestle safety` sorts by it."""

    FUNCTION = "function"
    PATHWAY = "pathway"
    LOCATION = "location"
    EXPRESSION = "expression"
    CONSTRAINT = "constraint"
    VARIANT = "variant"
    ASSOCIATION = "association"
    """A trait or disease to which common variants of the gene are tied."""
    DISEASE = "disease"
    """A disease that rare variants of the gene cause."""
    PHENOTYPE = "phenotype"
    """What animals without the gene, or with a changed one, show."""
    HOMOLOGY = "homology"
    DRUG = "drug"
    ADVERSE_EVENT = "adverse event"
    TRIAL = "trial"
    LITERATURE = "literature"
    GIVEN = "given source"
    """A sentence of a text that a person gave."""
    ARCHIVE = "archive"
