"""What is shared with known ligands stays, and they lend what they carry elsewhere."""

from agents.chemistry.molecule import read_molecule
from agents.chemistry.recognition import grafts, kept, lost, without
from agents.chemistry.similarity import Known

ERLOTINIB = read_molecule("C#Cc1cccc(Nc2ncnc3cc(OCCOC)c(OCCOC)cc23)c1")
LIGANDS = tuple(
    Known(read_molecule(smiles), name, "PMID 1")
    for name, smiles in (
        ("gefitinib", "COc1cc2ncnc(Nc3ccc(F)c(Cl)c3)c2cc1OCCCN1CCOCC1"),
        ("AG1478", "COc1cc2c(ncnc2cc1OC)Nc1cccc(c1)Cl"),
        ("vandetanib", "COc1cc2c(ncnc2cc1OCC1CCN(CC1)C)Nc1ccc(cc1F)Br"),
        ("erlotinib", ERLOTINIB.smiles),
        ("PP1", "Cc1ccc(cc1)c1nn(c2c1c(N)ncn2)C(C)(C)C"),
    )
)


def test_what_most_ligands_akin_to_the_start_share_is_kept_with_the_room_that_they_fill() -> None:
    parts = kept(ERLOTINIB, LIGANDS)
    assert "gefitinib" in parts[0][1]
    assert "erlotinib" not in parts[0][1], "the start does not speak for itself"
    assert not without(ERLOTINIB, parts)
    amide_at_the_hinge = "C#Cc1cccc(Nc2ncnc3c(C(N)=O)c(OCCOC)c(OCCOC)cc23)c1"
    ether = "C#Cc1cccc(Oc2ncnc3cc(OCCOC)c(OCCOC)cc23)c1"
    smaller_chain = "C#Cc1cccc(Nc2ncnc3cc(OC)c(OCCOC)cc23)c1"
    assert [
        bool(without(read_molecule(one), parts)) for one in (amide_at_the_hinge, ether, smaller_chain)
    ] == [
        True,
        True,
        False,
    ]


def test_a_kind_of_atom_that_most_ligands_have_is_kept_where_nothing_is_akin() -> None:
    others = ("N[C@H]1CCCN(c2ccccc2)C1", "CC(C)C(N)C(=O)O", "NC1CCCC1", "CCc1ccccc1")
    known = [Known(read_molecule(smiles), f"L{at}", "PMID 2") for at, smiles in enumerate(others)]
    start = read_molecule("N[C@@H](CC(=O)N1CCOCC1)Cc1cc(F)c(F)cc1F")
    ((_, told),) = kept(start, known)
    assert told == "NH2 on saturated carbon, as L0, L1 and L2 have it (3 of 4 known ligands)"
    assert kept(start, known[:3]) == (), "three are too few"


def test_a_ligand_lends_what_it_carries_at_the_same_place() -> None:
    made = {one.molecule: one for one in grafts(ERLOTINIB, LIGANDS, [ERLOTINIB])}
    one = made[read_molecule("C#Cc1cccc(Nc2ncnc3cc(OCCOC)c(OCCCN4CCOCC4)cc23)c1")]
    assert (one.part, one.before, one.known.name) == ("*CN1CCOCC1", "*OC", "gefitinib")
    chloride = made[read_molecule("COCCOc1cc2ncnc(Nc3cccc(Cl)c3)c2cc1OCCOC")]
    assert (chloride.part, chloride.before) == ("*Cl", "*C#C")
    assert {one.known.name for one in made.values()} == {"gefitinib", "AG1478", "vandetanib"}


def test_a_donor_or_base_that_is_gone_is_told() -> None:
    start = read_molecule("NS(=O)(=O)c1ccc(C(=O)NCC2CCCN2CC)cc1")
    assert lost(read_molecule("N#Cc1ccc(C(=O)NCC2CCCN2CC)cc1"), start) == ("NH2 on S",)
    assert lost(start, start) == ()
