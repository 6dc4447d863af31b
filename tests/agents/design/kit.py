"""A small world of molecule design in memory: a few ligands and papers that the tests made up."""

from collections.abc import Sequence
from dataclasses import replace

from agents.databases.gtopdb import GTOPDB
from agents.databases.memory import MemoryBulk
from agents.databases.ports import Reach
from agents.databases.pubmed_records import RECORDS
from agents.databases.targets import Targets
from agents.design.gather import Desk
from agents.design.literature import Ligands, literature_of
from agents.design.pipeline import design
from agents.design.roster import Roster
from agents.design.understand import ordered
from agents.design.values import Design, Order
from agents.ports import LanguageModel, Ledger
from agents.runs.pipeline import new_run
from agents.runs.records import RunRecord
from agents.runs.run import Run
from tests.agents.databases.test_pubmed_records import article, records
from tests.support.memory.ledger import MemoryLedger
from tests.support.memory.sources import MemorySources

START = "Cc1ccc(NC(=O)c2ccc(S(N)(=O)=O)cc2)cc1"
BRIEF = f"design ABC1 inhibitors like {START}, brain-penetrant, TPSA at most 70, 1 round, 2 proposals"
HEAD = "target_gene_symbol,uniprot,ligand,smiles,inchikey,type,action,units,original,pubmed_id"
LIGANDS = (
    "ABC1,P1,abcitinib,O=C(Nc1ccc(F)cc1)c1ccc(N2CCNCC2)cc1,,Inhibitor,,,,1",
    "ABC1,P1,abcafib,Cc1ccc(NC(=O)c2ccc(N3CCOCC3)cc2)cc1,,Inhibitor,,,,1|2",
    "ABC1,P1,abcamide,COc1ccc(NC(=O)c2ccc(C#N)cc2)cc1,,Inhibitor,,,,2",
)
PAPERS = (
    article(
        "1", "Amides as ABC-1 inhibitors", "Doe|Jane|J|Uppsala Biomedical Campus;Roe|Rick|R|", "", "Amides"
    ),
    article(
        "2", "More on ABC1 in the brain", "Doe|Jane A|JA|Biomedical Campus, Uppsala;Fox|Ann|A|", "", "Brain"
    ),
    article("3", "Trees of the north", "Doe|John|J|Forest Station;Elm|Eva|E|", "", "Trees"),
)


def bulk(*, papers: bool = False, ligands: bool = False) -> MemoryBulk:
    loaded = MemoryBulk()
    if papers:
        loaded.load(RECORDS.formats[0], records(*PAPERS))
    if ligands:
        loaded.load(GTOPDB.formats[0], (HEAD, *LIGANDS))
    return loaded


def desk(
    model: LanguageModel | None = None,
    *,
    papers: bool = False,
    ligands: bool = False,
    roster: Roster | None = None,
) -> Desk:
    """What a design works with; bare without any of these."""
    reach = Reach(bulk(papers=papers, ligands=ligands))
    return Desk(
        Targets(reach),
        Ligands(reach.bulk),
        roster or Roster(None),
        MemorySources(),
        literature_of(reach),
        model,
    )


def order(text: str = BRIEF) -> Order:
    """An order that nobody has to approve."""
    return replace(ordered(text), unasked=True)


async def begun(text: str = "x", ledger: Ledger | None = None) -> tuple[RunRecord, Ledger]:
    """A run in a ledger."""
    ledger = ledger or MemoryLedger()
    record = new_run("design", text)
    await ledger.create(record)
    return record, ledger


async def designed(with_desk: Desk, asked: Order | None = None) -> Design:
    """The design of an order."""
    record, ledger = await begun()
    return await design(with_desk, Run(record, ledger), asked or order())


def names(steps: Sequence[object]) -> list[str]:
    """Names of steps."""
    return [str(getattr(one, "name", one)) for one in steps]
