"""A named part is replaced where it is bound, and the rest stays as it was, its stereochemistry too."""

import pytest

from agents.chemistry.molecule import parsed, pattern, read_molecule
from agents.chemistry.moves import plausible
from agents.chemistry.replacing import replaced
from agents.chemistry.transforms import listed
from agents.design.brief import PARTS

RIVAROXABAN = "O=C(NC[C@H]1CN(c2ccc(N3CCOCC3=O)cc2)C(=O)O1)c1ccc(Cl)s1"
OSIMERTINIB = "C=CC(=O)Nc1cc(Nc2nccc(-c3cn(C)c4ccccc34)n2)c(OC)cc1N(C)CCN(C)C"
TADALAFIL = "CN1CC(=O)N2[C@H](Cc3c([nH]c4ccccc34)[C@H]2c2ccc3OCOc3c2)C1=O"
CLOPIDOGREL = "COC(=O)[C@H](c1ccccc1Cl)N1CCc2sccc2C1"
ACYLAMINOTHIOPHENE = "CC(=O)Nc1sc2c(c1C(N)=O)CCCC2"


@pytest.mark.parametrize(
    ("start", "part", "one"),
    [
        (RIVAROXABAN, "morpholinone", RIVAROXABAN.replace("N3CCOCC3=O", "-n3ccncc3=O")),
        (RIVAROXABAN, "chlorothiophene", RIVAROXABAN.replace("c1ccc(Cl)s1", "c1ccccc1")),
        (OSIMERTINIB, "acrylamide", OSIMERTINIB.replace("C=CC(=O)", "CCC(=O)")),
        (OSIMERTINIB, "indole", OSIMERTINIB.replace("c4ccccc34", "c4ncccc34")),
        (OSIMERTINIB, "methoxy", OSIMERTINIB.replace("c(OC)cc1N", "c(OC(F)F)cc1N")),
        (TADALAFIL, "benzodioxole", TADALAFIL.replace("c3OCOc3c2", "c3OCCc3c2")),
        (CLOPIDOGREL, "thiophene", CLOPIDOGREL.replace("c2sccc2", "c2ccccc2")),
        (CLOPIDOGREL, "ester", CLOPIDOGREL.replace("COC(=O)", "CNC(=O)")),
        (ACYLAMINOTHIOPHENE, "thiophene", ACYLAMINOTHIOPHENE.replace("c1sc2c(", "c1ccc2c(")),
    ],
)
def test_a_part_has_five_replacements_that_leave_the_rest_alone(start: str, part: str, one: str) -> None:
    made = [
        product
        for product, _, _ in replaced(read_molecule(start), PARTS[part])
        if plausible(product) and not product.mol.HasSubstructMatch(pattern(PARTS[part]))
    ]
    assert len(set(made)) >= 5
    assert read_molecule(one) in made


def test_every_part_of_a_family_has_the_bonds_that_it_is_put_at() -> None:
    for family in listed("family"):
        for part in family.parts:
            assert parsed(part), part
            assert part.count("*") == family.smarts.count("[#0]"), (family.smarts, part)
        assert pattern(family.smarts)
