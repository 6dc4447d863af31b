"""A text that a passage calls SMILES is shown as a structure, and nothing that may be half of one."""

from dataclasses import replace

import pytest

from agents.reports.structures import stated_smiles, stated_structures
from agents.reports.values import Structure
from tests.agents.reports.builders import cite

ASPIRIN = "CC(=O)Oc1ccccc1C(=O)O"


@pytest.mark.parametrize(
    "text",
    [
        f"The structure of QX-201 as SMILES: {ASPIRIN}.",
        f"SMILES string is `{ASPIRIN}`",
        f"| SMILES | {ASPIRIN} |",
        f"The SMILES of QX-201 is {ASPIRIN}. It is a powder.",
        f"SMILES for compound QX-201 (free base): {ASPIRIN}",
        f"SMILES {ASPIRIN} (melting point 135 °C)",
        f"SMILES: {ASPIRIN}\nIt is a white powder.",
    ],
)
def test_what_is_called_smiles_is_found_as_it_stands(text: str) -> None:
    assert list(stated_smiles(text)) == [ASPIRIN]


@pytest.mark.parametrize(
    "text",
    [
        "The SMILES of the compound is not stated.",
        "SMILES notation was used throughout.",
        f"The formula is {ASPIRIN}.",
        "The SMILES QX-201 and SMILES on file.",
        "SMILES: NO",
        "The SMILES of AB-1 is not known (see 12).",
        "SMILES = 3.5",
        "SMILES: CC(=O",
        "SMILES: CC(=O)O\nc1ccccc1C(=O)O",
    ],
)
def test_other_words_and_a_torn_one_are_none(text: str) -> None:
    assert list(stated_smiles(text)) == []


def test_it_is_called_by_the_molecule_that_its_passage_names() -> None:
    one = replace(cite(3), quote=f"QX-201, SMILES: {ASPIRIN}")
    other = replace(cite(4), quote="SMILES: CC(=O)N")
    found = stated_structures([one, other, replace(one, number=5)], ("QX-201", "QX-300"))
    assert found == (Structure(ASPIRIN, "QX-201", (3,)), Structure("CC(=O)N", "", (4,)))
    assert stated_structures([other], ("QX-300",))[0].name == "QX-300"
