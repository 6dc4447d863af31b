"""A small world of pharmacovigilance in memory: products, counts and labels that the tests made up."""

import json
from collections.abc import Iterable

from agents.databases.label_format import LABELS
from agents.databases.memory import MemoryBulk
from agents.databases.ndc import DIRECTORY
from agents.databases.prescriptions import TABLE

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
