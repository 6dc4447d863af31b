"""A small world of pharmacovigilance in memory: products, counts and labels that the tests made up."""

import json
from collections.abc import Iterable

from agents.databases.atc import Atc
from agents.databases.case_reports import CaseReports
from agents.databases.label_format import LABELS
from agents.databases.label_store import LabelStore
from agents.databases.memory import MemoryBulk
from agents.databases.ndc import DIRECTORY, Ndc
from agents.databases.ports import Reach, Web
from agents.databases.prescriptions import TABLE, Prescriptions
from agents.evidence.sources import MemorySources
from agents.minds.work import Ports
from agents.ports import LanguageModel
from agents.runs.memory import MemoryLedger
from agents.runs.pipeline import new_run
from agents.runs.run import Run
from agents.trust.lexical import LexicalEntailment
from agents.vigilance.finder.find import Finder
from agents.vigilance.minds import Minds
from agents.vigilance.pipeline import Desk, assess
from agents.vigilance.understand import ordered
from agents.vigilance.values import Assessment, Order

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


def world(labels: Iterable[dict[str, str]] = (), *, counts: bool = True, products: bool = True) -> MemoryBulk:
    """Loaded files; `labels` are passages with drug, section and text."""
    bulk = MemoryBulk()
    if products:
        rows = ("\t".join(("0-0", brand, generic, "TABLET", *rest)) for brand, generic, *rest in PRODUCTS)
        bulk.load(DIRECTORY, [HEAD, *rows])
    if counts:
        bulk.load(TABLE, ["drug,count", *(f"{name},{count}" for name, count in COUNTS)])
    if lines := [json.dumps({"id": str(place)} | label) for place, label in enumerate(labels)]:
        bulk.load(LABELS, lines)
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


def desk(bulk: MemoryBulk | None = None, model: LanguageModel | None = None, web: Web | None = None) -> Desk:
    """What a run works with over the small world."""
    reach = Reach(bulk or world(LABELLED), web)
    labels, sources = LabelStore(reach), MemorySources()
    minds = Minds(Ports(model, LexicalEntailment(), sources), labels) if model else None
    finder = Finder(Ndc(reach.bulk), Prescriptions(reach.bulk), labels, atc=Atc(reach.bulk))
    return Desk(finder, labels, sources, CaseReports(reach.bulk), minds)


async def assessed(order: Order | str, with_desk: Desk | None = None) -> Assessment:
    """The outcome of a run of its own."""
    order = ordered(order) if isinstance(order, str) else order
    record, ledger = new_run("vigilance", order, "key"), MemoryLedger()
    await ledger.create(record)
    return await assess(with_desk or desk(), Run(record, ledger), order)


async def made_run(order: str, ledger: MemoryLedger, with_desk: Desk | None = None) -> str:
    """The id of a run that was carried out with this ledger."""
    inputs = ordered(order)
    record = new_run("vigilance", inputs, "key")
    await ledger.create(record)
    await assess(with_desk or desk(), Run(record, ledger), inputs)
    return record.run_id
