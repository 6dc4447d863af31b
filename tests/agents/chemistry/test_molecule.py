"""A molecule is one value whatever it was written in; what is none is told with its place."""

import pytest
from rdkit import Chem

from agents.chemistry.molecule import Molecule, read_molecule, read_sdf, tautomer_key
from agents.errors import ChemistryError

ASPIRIN = "CC(=O)Oc1ccccc1C(=O)O"
KEY = "BSYNRYMUTXBXSQ-UHFFFAOYSA-N"


def test_smiles_inchi_and_molfile_give_the_same_value() -> None:
    inchi = "InChI=1S/C9H8O4/c1-6(10)13-8-5-3-2-4-7(8)9(11)12/h2-5H,1H3,(H,11,12)"
    block = Chem.MolToMolBlock(Chem.MolFromSmiles(ASPIRIN))
    read = {read_molecule(text) for text in ("OC(=O)c1ccccc1OC(C)=O", inchi, block)}
    assert read == {Molecule(ASPIRIN)}
    assert read_molecule(ASPIRIN).inchikey == KEY


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "it is empty"),
        ("CC(=O", "the “(” at character 3 is never closed"),
        ("CC)C", "the “)” at character 3 closes nothing"),
        ("C1CCCC", "ring 1, opened at character 2, is never closed"),
        ("CCXC", "“X” at character 3 has no meaning there"),
        ("CC(C)(C)(C)C", "“C” at character 2 has more bonds than it can have"),
        ("CC=(O)C", "breaks at character"),
        ("c1cccc1C", "no way to place double bonds at “c” at character 1"),
        ("CCO ethanol", "“ ” at character 4 has no meaning there"),
        ("InChI=1S/C9H8O4/c1-6", "The InChI cannot be read"),
        ("C" * 700, "700 atoms besides hydrogen"),
        ("C" * 5_000, "this one has 5,000"),
        ("M  END", "The molfile cannot be read"),
    ],
)
def test_what_is_no_molecule_is_told_with_its_place(text: str, where: str) -> None:
    with pytest.raises(ChemistryError) as raised:
        read_molecule(text)
    assert where in str(raised.value)


def test_a_salt_is_its_parent_and_says_so() -> None:
    read = read_molecule("C[NH+](C)CCc1ccccc1.[Cl-]")
    assert read == read_molecule("CN(C)CCc1ccccc1")
    assert read.notes == ("Left out as salt former or solvent: [Cl-].",)


def test_stereo_is_kept_and_tautomers_share_a_key() -> None:
    left, right = read_molecule("C[C@H](N)C(=O)O"), read_molecule("C[C@@H](N)C(=O)O")
    assert left != right
    assert left.inchikey[:14] == right.inchikey[:14]
    assert tautomer_key(read_molecule("Oc1ccccn1")) == tautomer_key(read_molecule("O=c1cccc[nH]1"))


def test_an_sdf_gives_its_molecules_or_says_which_record_is_none() -> None:
    block = Chem.MolToMolBlock(Chem.MolFromSmiles("CCO"))
    good = f"{block}$$$$\n".encode()
    assert read_sdf(good * 2) == (Molecule("CCO"), Molecule("CCO"))
    with pytest.raises(ChemistryError, match="Record 2"):
        read_sdf(good + b"x\n\n\n 1 broken\nM  END\n$$$$\n")
    with pytest.raises(ChemistryError, match="no molecule"):
        read_sdf(b"")
