"""The sections of a safety report: what each is about, and from which others it is written.

The order here is that of the report: the report proper, then its appendix. The order of the work follows from
`needs`: research first, each section by itself, then synthesis, which retrieves nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from agents.databases.topics import Topic
from agents.reports.graph import Graph


@dataclass(frozen=True, slots=True)
class Outline:
    """A section: `topics` are the facts it is written from, `needs` the sections; synthesis has no topics.

    The tools that tell of one of its topics research it: a new database needs no change here. One with
    `tells_work` says how the work was done; rules write it, whoever writes the others.
    """

    id: str
    title: str
    topics: tuple[Topic, ...] = ()
    needs: tuple[str, ...] = ()
    tells_work: bool = False

    @property
    def appendix(self) -> bool:
        """Whether it stands behind the report proper: what the sources hold, and how they were asked."""
        return self.researches or self.tells_work

    @property
    def researches(self) -> bool:
        """Whether it looks for evidence itself."""
        return bool(self.topics)

    def asks(self, topics: Iterable[str]) -> bool:
        """Whether a tool that tells of these topics is one that researches this section."""
        return not set(topics).isdisjoint(self.topics)


EVIDENCE = (
    Outline(
        "biology",
        "Target biology and pathways",
        (Topic.FUNCTION, Topic.PATHWAY, Topic.LOCATION),
    ),
    Outline("expression", "Expression profile", (Topic.EXPRESSION,)),
    Outline(
        "genetics",
        "Genetic evidence",
        (Topic.CONSTRAINT, Topic.VARIANT, Topic.ASSOCIATION, Topic.DISEASE),
    ),
    Outline("homology", "Homology and species selection", (Topic.HOMOLOGY,)),
    Outline("phenotypes", "Animal phenotypes", (Topic.PHENOTYPE,)),
    Outline(
        "pharmacology",
        "Pharmacology and competitive landscape",
        (Topic.DRUG,),
    ),
    Outline(
        "clinical",
        "Clinical safety",
        (Topic.ADVERSE_EVENT, Topic.TRIAL),
    ),
    Outline("literature", "Literature", (Topic.LITERATURE,)),
    Outline("archive", "Our own archive", (Topic.ARCHIVE,)),
)
RESEARCH = tuple(one.id for one in EVIDENCE)
SECTIONS = (
    Outline("summary", "Executive summary", (), ("risks", "species", "questions")),
    Outline("risks", "Integrated risk assessment", (), RESEARCH),
    Outline("species", "Species recommendation", (), ("homology", "phenotypes", "expression")),
    Outline("questions", "Study plan and open questions", (), ("risks", "species", *RESEARCH)),
    *EVIDENCE,
    Outline("coverage", "Sources asked, and how evidence is weighed", (), tells_work=True),
)
GRAPH: Graph = {one.id: one.needs for one in SECTIONS}
BY_ID = {one.id: one for one in SECTIONS}
