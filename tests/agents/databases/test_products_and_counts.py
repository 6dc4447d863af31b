"""Products of the NDC directory, names of ingredients, and prescription counts."""

import json

import pytest

from agents.counts import listed
from agents.databases.ingredients import base_name, ingredients_of
from agents.databases.memory import MemoryBulk
from agents.databases.ndc import DIRECTORY, Ndc
from agents.databases.prescriptions import TABLE, Prescriptions
from agents.databases.registry import fitting

HEAD = (
    "PRODUCTNDC\tPROPRIETARYNAME\tNONPROPRIETARYNAME\tDOSAGEFORMNAME\tROUTENAME\tMARKETINGCATEGORYNAME\t"
    "APPLICATIONNUMBER\tLABELERNAME\tSUBSTANCENAME\tPHARM_CLASSES"
)
COUNTS = [["Lisinopril", 90], ["Zestril", 10]]
ACE = "Angiotensin Converting Enzyme Inhibitor [EPC]"
ROWS = [
    f"1-1\tZestril\tLisinopril\tTABLET\tORAL\tNDA\tN1\tA\tLISINOPRIL\t{ACE}",
    f"1-2\tZestril\tLisinopril\tTABLET\tORAL\tNDA\tN1\tB\tLISINOPRIL\t{ACE}",
    "2-1\tZestoretic\tLisinopril and Hydrochlorothiazide\tTABLET\tORAL\tNDA\tN2\tA\t"
    "LISINOPRIL; HYDROCHLOROTHIAZIDE\tAngiotensin Converting Enzyme Inhibitor [EPC],Thiazide Diuretic [EPC]",
]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Metoprolol Succinate XL", "metoprolol"),
        ("METOPROLOL TARTRATE", "metoprolol"),
        ("Doxycycline Hyclate", "doxycycline"),
        ("Amphotericin B Ophth Soln 0.1%", "amphotericin b"),
        ("Enalapril Maleate Oral Solution", "enalapril"),
        ("*NF* Warfarin", "warfarin"),
        ("benazepril HCl (bulk)", "benazepril"),
        ("Haloperidol Decanoate (long acting)", "haloperidol"),
        ("potassium chloride", "potassium chloride"),
        ("valproic acid", "valproic acid"),
        ("Vitamin D3", "vitamin d3"),
        ("Choline C 11", "choline c-11"),
        ("Technetium Tc99m Sestamibi", "technetium tc-99m sestamibi"),
        ("Vitamin K 10 mg", "vitamin k"),
    ],
)
def test_salts_forms_and_strengths_are_no_ingredient(written: str, name: str) -> None:
    assert base_name(written) == name


def test_the_ingredients_of_a_combination() -> None:
    both = ("hydrochlorothiazide", "lisinopril")
    assert ingredients_of("LISINOPRIL; HYDROCHLOROTHIAZIDE") == both
    assert ingredients_of("Lisinopril with hydrochlorothiazide tablets") == both
    assert listed(both) == "hydrochlorothiazide and lisinopril"


async def test_products_are_found_by_class_ingredient_and_name_once_for_all_labelers() -> None:
    bulk = MemoryBulk()
    assert fitting([HEAD]) is DIRECTORY
    assert bulk.load(DIRECTORY, [HEAD, *ROWS]).rows == 2
    ndc = Ndc(bulk)
    assert await ndc.classes() == ("Angiotensin Converting Enzyme Inhibitor [EPC]", "Thiazide Diuretic [EPC]")
    assert [one.brand for one in await ndc.of("angiotensin converting enzyme inhibitor [EPC]")] == [
        "Zestril",
        "Zestoretic",
    ]
    assert [one.ingredients for one in await ndc.of("hydrochlorothiazide")] == [
        ("hydrochlorothiazide", "lisinopril")
    ]
    assert await ndc.of("aspirin") == ()


@pytest.mark.parametrize(
    "lines",
    [
        [
            "drug,count",
            "Lisinopril,90",
            "lisinopril (bulk),10",
            "lisinopril-hydrochlorothiazide,5",
            "Aspirin,x",
        ],
        ["subject_id,drug", *["1,Lisinopril"] * 90, *["2,lisinopril (bulk)"] * 10],
        [
            json.dumps(
                {"category": one, "mimic_iv_prescription_counts": [["Lisinopril", 90], ["Zestril", 10]]}
            )
            for one in ("ace inhibitor", "lisinopril")
        ],
    ],
)
async def test_prescriptions_of_all_names_of_a_drug_are_added_up(lines: list[str]) -> None:
    bulk = MemoryBulk()
    assert fitting(lines[:40]) is TABLE
    bulk.load(TABLE, lines)
    counts = Prescriptions(bulk)
    assert await counts.count(("lisinopril", "Zestril")) == 100
    assert await counts.count(("captopril",)) is None
