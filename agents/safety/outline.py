"""The sections of a safety report: what each is about, and from which others it is written.

The order here is that of the report. The order of the work follows from `needs`: research first, each section
by itself, then synthesis, which retrieves nothing.
"""

import re
from dataclasses import dataclass

from agents.databases.facts import Topic
from agents.reports.graph import Graph


@dataclass(frozen=True, slots=True)
class Outline:
    """A section: `topics` are the facts it is written from, `needs` the sections; synthesis has no topics.

    `words` find the tools that research it, by their descriptions: a new database needs no change here. One
    with `tells_work` says how the work was done; rules write it, whoever writes the others.
    """

    id: str
    title: str
    topics: tuple[Topic, ...] = ()
    needs: tuple[str, ...] = ()
    words: str = ""
    tells_work: bool = False

    @property
    def researches(self) -> bool:
        """Whether it looks for evidence itself."""
        return bool(self.topics)

    def asks(self, description: str) -> bool:
        """Whether a tool with this description is one that researches this section."""
        return bool(self.words) and bool(re.search(self.words, description, re.IGNORECASE))


EVIDENCE = (
    Outline(
        "biology",
        "Target biology and pathways",
        (Topic.FUNCTION, Topic.PATHWAY, Topic.LOCATION),
        words=r"(?<!of )(?<!-of-)function|pathway|process|ontolog|lies in the cell|location|domain",
    ),
    Outline("expression", "Expression profile", (Topic.EXPRESSION,), words=r"express|tissue|\bRNA\b"),
    Outline(
        "genetics",
        "Genetic evidence",
        (Topic.CONSTRAINT, Topic.VARIANT, Topic.ASSOCIATION, Topic.DISEASE),
        words=r"genetic|variant|constraint|\btraits?\b|diseases? (?:that|of|to)",
    ),
    Outline(
        "homology",
        "Homology and species selection",
        (Topic.HOMOLOGY,),
        words=r"homolog|orthologs\b|paralog|sequence",
    ),
    Outline(
        "phenotypes", "Animal phenotypes", (Topic.PHENOTYPE,), words=r"phenotype|\bmice\b|\bmouse\b|knock"
    ),
    Outline(
        "pharmacology",
        "Pharmacology and competitive landscape",
        (Topic.DRUG, Topic.ASSAY),
        words=r"drugs?\b|clinical candidate|compound|assay|competit|tractab",
    ),
    Outline(
        "clinical",
        "Clinical safety",
        (Topic.ADVERSE_EVENT, Topic.TRIAL),
        words=r"adverse|trials?\b|label|withdraw|boxed",
    ),
    Outline(
        "literature", "Literature", (Topic.LITERATURE,), words=r"publication|literature|articles?\b|abstract"
    ),
    Outline("archive", "Our own archive", (Topic.ARCHIVE,), words=r"archive"),
)
RESEARCH = tuple(one.id for one in EVIDENCE)
SECTIONS = (
    Outline("summary", "Executive summary", (), ("liabilities", "risks", "species", "questions")),
    Outline("risks", "Integrated risk assessment", (), RESEARCH),
    Outline("liabilities", "Safety liabilities", (), ("risks", *RESEARCH)),
    Outline("species", "Species recommendation", (), ("homology", "phenotypes", "expression")),
    Outline("questions", "Open questions", (), ("risks", "liabilities", "species")),
    *EVIDENCE,
    Outline("coverage", "Sources asked", (), tells_work=True),
)
GRAPH: Graph = {one.id: one.needs for one in SECTIONS}
BY_ID = {one.id: one for one in SECTIONS}
