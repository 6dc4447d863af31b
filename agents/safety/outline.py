"""The sections of a safety report: what each is about, and from which others it is written.

The order here is that of the report. The order of the work follows from `needs`: research first, each section
by itself, then synthesis, which retrieves nothing.
"""

from dataclasses import dataclass

from agents.databases.facts import Topic
from agents.reports.graph import Graph


@dataclass(frozen=True, slots=True)
class Outline:
    """A section: `topics` are the facts it is written from, `needs` the sections; synthesis has no topics."""

    id: str
    title: str
    topics: tuple[Topic, ...] = ()
    needs: tuple[str, ...] = ()

    @property
    def researches(self) -> bool:
        """Whether it looks for evidence itself."""
        return bool(self.topics)


EVIDENCE = (
    Outline("biology", "Target biology and pathways", (Topic.FUNCTION, Topic.PATHWAY, Topic.LOCATION)),
    Outline("expression", "Expression profile", (Topic.EXPRESSION,)),
    Outline(
        "genetics",
        "Genetic evidence",
        (Topic.CONSTRAINT, Topic.VARIANT, Topic.ASSOCIATION, Topic.DISEASE),
    ),
    Outline("homology", "Homology and species selection", (Topic.HOMOLOGY,)),
    Outline("phenotypes", "Animal phenotypes", (Topic.PHENOTYPE,)),
    Outline("pharmacology", "Pharmacology and competitive landscape", (Topic.DRUG, Topic.ASSAY)),
    Outline("clinical", "Clinical safety", (Topic.ADVERSE_EVENT, Topic.TRIAL)),
    Outline("literature", "Literature", (Topic.LITERATURE,)),
    Outline("archive", "Our own archive", (Topic.ARCHIVE,)),
)
RESEARCH = tuple(one.id for one in EVIDENCE)
SECTIONS = (
    Outline("summary", "Executive summary", (), ("liabilities", "risks", "species", "questions")),
    Outline("risks", "Integrated risk assessment", (), RESEARCH),
    Outline("liabilities", "Safety liabilities", (), ("risks", *RESEARCH)),
    Outline("species", "Species recommendation", (), ("homology", "phenotypes", "expression")),
    Outline("questions", "Open questions", (), ("risks", "liabilities", "species")),
    *EVIDENCE,
)
GRAPH: Graph = {one.id: one.needs for one in SECTIONS}
BY_ID = {one.id: one for one in SECTIONS}
