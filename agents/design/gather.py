"""The panel of a debate: people from the literature, members with profiles of their own, built-in roles."""

from dataclasses import dataclass, field, replace

from agents.chemistry.wording import Wording
from agents.databases.pubmed import PUBMED
from agents.databases.targets import Targets
from agents.design.history import Tools
from agents.design.literature import Ligands, Publications
from agents.design.oracle import Oracle
from agents.design.profiles import ETHICS, NO_PERSONS, found_scientists
from agents.design.roster import Roster, built_in
from agents.design.values import Brief, Order, Profile, Publication
from agents.errors import ToolFailed
from agents.evidence.memory import EvidenceMemory
from agents.evidence.sources import Source, Sources, tool_source
from agents.evidence.values import Evidence
from agents.ports import LanguageModel

LEAST = 3
"""Scientists of a debate; built-in roles fill the seats that are left."""
NOBODY = (
    "No author in {} could be used: of the articles found none names the target, or no molecule in them is "
    "known."
)
CITED = 3
"""Publications of a profile that a report cites."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What a design works with."""

    targets: Targets
    ligands: Ligands
    roster: Roster
    sources: Sources
    literature: Publications | None = None
    model: LanguageModel | None = None
    oracle: Oracle | None = None
    budget: int = 1_000
    """Calls of the oracle in one debate, each for another molecule."""
    tools: Tools | None = None
    """The tools of the house, among them the archive's."""
    wording: Wording = field(default_factory=Wording)
    """Judges what people ask for."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """The panel, its publications as evidence, keys by PubMed id, and notes for the reader."""

    panel: tuple[Profile, ...]
    evidence: tuple[Evidence, ...] = ()
    papers: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


async def gathered(desk: Desk, order: Order, brief: Brief) -> Gathered:
    """The panel of an order."""
    excluded = (*desk.roster.excluded(), *order.without)
    found: tuple[Profile, ...] = ()
    notes: list[str] = []
    if desk.literature is not None:
        try:
            people = (desk.literature, desk.ligands, brief, order.scientists, excluded)
            voiced = desk.model is not None
            found = await found_scientists(*people, sources=desk.sources, voiced=voiced)
            notes += [] if found else [NOBODY.format(desk.literature.name)]
        except ToolFailed as error:
            notes.append(str(error))
    panel = (*desk.roster.members(), *found)
    panel += built_in()[: max(0, min(LEAST, order.scientists) - len(panel))]
    notes += [ETHICS] if found else []
    notes += [NO_PERSONS] if any(one.role for one in panel) else []
    if order.names:
        panel = tuple(replace(one, name=one.person or one.name) for one in panel)
    memory = EvidenceMemory()
    papers = {}
    cited = {paper.pmid: (paper, one) for one in panel for paper in one.publications[:CITED]}
    for paper, profile in cited.values():
        source = source_of(paper, profile)
        await desk.sources.put(source)
        papers[paper.pmid] = memory.add_whole(source).key
    return Gathered(panel, memory.all(), tuple(papers.items()), tuple(notes))


def source_of(paper: Publication, profile: Profile) -> Source:
    """A publication as a source, whose title names the version of the profile that it is cited for."""
    made = f"profile {profile.version} of {profile.date}"
    title = f"{PUBMED.title}, PMID {paper.pmid}: {paper.title} ({made})"
    link = f"{PUBMED.page}{paper.pmid}/"
    return tool_source(PUBMED.title, title, paper.text, query=paper.pmid, date=profile.date, link=link)
