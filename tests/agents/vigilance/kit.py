"""A small world of pharmacovigilance in memory: products, counts and labels that the tests made up."""

import asyncio
import json
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from agents.databases.atc import Atc
from agents.databases.case_reports import CaseReports
from agents.databases.label_documents import label_chunks, label_documents
from agents.databases.label_store import LabelStore
from agents.databases.memory import MemoryBulk
from agents.databases.ndc import DIRECTORY, Ndc
from agents.databases.ports import Web
from agents.databases.prescriptions import TABLE, Prescriptions
from agents.minds.work import Ports
from agents.ports import LanguageModel
from agents.runs.pipeline import new_run
from agents.runs.run import Run
from agents.trust.lexical import LexicalEntailment
from agents.vigilance.finder.find import Finder
from agents.vigilance.minds import Minds
from agents.vigilance.pipeline import VigilanceTools, assess
from agents.vigilance.understand import ordered
from agents.vigilance.values import Assessment, Order
from retrieval.ports import Index
from retrieval.search import HybridRetriever
from tests.support.hashing import HashingEncoder
from tests.support.memory.ledger import MemoryLedger
from tests.support.memory.sources import MemorySources
from tests.support.memory_index import MemoryIndex

ENCODER = HashingEncoder(64)

HEAD = (
    "PRODUCTNDC\tPROPRIETARYNAME\tNONPROPRIETARYNAME\tDOSAGEFORMNAME\tROUTENAME\tSUBSTANCENAME\tPHARM_CLASSES"
)
ACE = "Angiotensin Converting Enzyme Inhibitor [EPC]"
PRODUCTS = (
    ("Zestril", "Lisinopril", "ORAL", "LISINOPRIL", ACE),
    ("Lisinopril tablets", "Lisinopril", "ORAL", "LISINOPRIL DIHYDRATE", ACE),
    ("Capoten", "Captopril", "ORAL", "CAPTOPRIL", ACE),
    ("Vasotec", "Enalapril Maleate", "ORAL", "ENALAPRIL MALEATE", ACE),
    ("Enalaprilat", "Enalaprilat", "INTRAVENOUS", "ENALAPRILAT", ACE),
    ("Altace", "Ramipril", "ORAL", "RAMIPRIL", ACE),
    (
        "Zestoretic",
        "Lisinopril and Hydrochlorothiazide",
        "ORAL",
        "LISINOPRIL; HYDROCHLOROTHIAZIDE",
        f"{ACE},Thiazide Diuretic [EPC]",
    ),
    ("Klonopin", "Clonazepam", "ORAL", "CLONAZEPAM", "Benzodiazepine [EPC],Benzodiazepines [CS]"),
    (
        "Romazicon",
        "Flumazenil",
        "INTRAVENOUS",
        "FLUMAZENIL",
        "Benzodiazepine Antagonist [EPC],Benzodiazepines [CS]",
    ),
    (
        "Bactrim",
        "Sulfamethoxazole and Trimethoprim",
        "ORAL",
        "SULFAMETHOXAZOLE; TRIMETHOPRIM",
        "Sulfonamide Antimicrobial [EPC]",
    ),
    ("Silvadene", "Silver Sulfadiazine", "TOPICAL", "SILVER SULFADIAZINE", "Sulfonamide Antibacterial [EPC]"),
    ("Coumadin", "Warfarin Sodium", "ORAL", "WARFARIN SODIUM", "Vitamin K Antagonist [EPC]"),
)
COUNTS = (
    ("Lisinopril", 900),
    ("lisinopril (bulk)", 10),
    ("Enalaprilat", 700),
    ("Captopril", 300),
    ("Enalapril Maleate", 200),
    ("Ramipril", 100),
    ("Lisinopril-Hydrochlorothiazide", 950),
    ("Warfarin", 50),
)


class World(MemoryBulk):
    """Loaded files, and labels in an index."""

    def __init__(self) -> None:
        super().__init__()
        self.labels = MemoryIndex(ENCODER)

    def store(self, web: Web | None = None) -> LabelStore:
        """The labels, and what searches them."""
        return LabelStore(self.labels, HybridRetriever(self.labels, ENCODER), web)


def indexed(index: Index, *files: str, vectors: bool = False) -> None:
    """Take labels in at once, also while a loop runs; a file is its text."""

    async def put() -> None:
        async with index.write() as writer:
            for one in (one for text in files for one in label_documents(text.splitlines())):
                chunks = list(label_chunks(one))
                rows = await ENCODER.encode([chunk.text for chunk in chunks if vectors])
                await writer.put(one, chunks, rows, [int(vectors)] * len(chunks))

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, put()).result()


def world(labels: Iterable[dict[str, str]] = (), *, counts: bool = True, products: bool = True) -> World:
    """Loaded files; `labels` are passages with drug, section and text."""
    bulk = World()
    if products:
        rows = ("\t".join(("0-0", brand, generic, "TABLET", *rest)) for brand, generic, *rest in PRODUCTS)
        bulk.load(DIRECTORY, [HEAD, *rows])
    if counts:
        bulk.load(TABLE, ["drug,count", *(f"{name},{count}" for name, count in COUNTS)])
    if lines := [json.dumps({"id": str(place)} | label) for place, label in enumerate(labels)]:
        indexed(bulk.labels, "\n".join(lines))
    return bulk


LABELLED = (
    {"drug": "LISINOPRIL", "section": "boxed_warning", "text": "WARNING: FETAL TOXICITY. Stop lisinopril."},
    {
        "drug": "LISINOPRIL",
        "section": "warnings",
        "text": "Angioedema of the face, lips and larynx has been reported in patients treated with "
        "lisinopril and may be fatal.",
    },
    {
        "drug": "CAPTOPRIL",
        "section": "adverse_reactions",
        "text": "Angioedema involving the face has been reported in approximately 1 in 1000 patients.",
    },
    {"drug": "ENALAPRIL MALEATE", "section": "description", "text": "Enalapril maleate is a white powder."},
    {
        "drug": "WARFARIN SODIUM",
        "section": "boxed_warning",
        "text": "Warfarin sodium can cause major or fatal bleeding.",
    },
)


def desk(
    bulk: World | None = None, model: LanguageModel | None = None, web: Web | None = None
) -> VigilanceTools:
    """What a run works with over the small world."""
    bulk = bulk or world(LABELLED)
    labels, sources = bulk.store(web), MemorySources()
    minds = Minds(Ports(model, LexicalEntailment(), sources), labels) if model else None
    finder = Finder(Ndc(bulk), Prescriptions(bulk), labels, atc=Atc(bulk))
    return VigilanceTools(finder, labels, sources, CaseReports(bulk), minds)


async def assessed(order: Order | str, with_desk: VigilanceTools | None = None) -> Assessment:
    """The outcome of a run of its own."""
    order = ordered(order) if isinstance(order, str) else order
    record, ledger = new_run("vigilance", order, "key"), MemoryLedger()
    await ledger.create(record)
    return await assess(with_desk or desk(), Run(record, ledger), order)


async def made_run(order: str, ledger: MemoryLedger, with_desk: VigilanceTools | None = None) -> str:
    """The id of a run that was carried out with this ledger, reviewed by critics."""
    inputs = replace(ordered(order), critics=True)
    record = new_run("vigilance", inputs, "key")
    await ledger.create(record)
    await assess(with_desk or desk(), Run(record, ledger), inputs)
    return record.run_id
