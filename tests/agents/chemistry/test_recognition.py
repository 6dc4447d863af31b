"""What is shared with known ligands stays, and they lend what they carry elsewhere."""

from agents.chemistry.molecule import read_molecule
from agents.chemistry.recognition import grafts, kept, places_changed, without
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


def test_a_ligand_lends_what_it_carries_at_the_same_place() -> None:
    lent = list(grafts(ERLOTINIB, LIGANDS, [ERLOTINIB]))
    made = {one.molecule: one for one in lent}
    one = made[read_molecule("C#Cc1cccc(Nc2ncnc3cc(OCCOC)c(OCCCN4CCOCC4)cc23)c1")]
    assert (one.part, one.before, one.known.name) == ("`*CN1CCOCC1`", "`*OC`", "gefitinib")
    chloride = made[read_molecule("COCCOc1cc2ncnc(Nc3cccc(Cl)c3)c2cc1OCCOC")]
    assert (chloride.part, chloride.before) == ("`*Cl`", "`*C#C`")
    assert {one.known.name for one in lent} == {"gefitinib", "AG1478", "vandetanib"}


def test_places_at_which_two_molecules_differ() -> None:
    start = "O=C(CCCN1CCC(O)(c2ccc(Cl)cc2)CC1)c1ccc(F)cc1"
    for other, count in (
        ("O=C(CCCN1CCC(O)(c2ccncc2)CC1)c1ccc(F)cc1", 1),
        ("O=C(CCCN1CC(O)(c2ccc(Cl)cc2)C1)c1ccc(F)cc1", 1),
        ("O=C(CCCN1CCC(F)(c2ccccc2)CC1)c1ccc(F)cc1", 2),
        ("OC(CCCN1CCC(O)(c2ccc(Cl)cc2)CC1)c1ccccc1", 2),
    ):
        assert places_changed(read_molecule(start), read_molecule(other)) == count
    alcohol, amide = read_molecule("c1ccccc1CCO"), read_molecule("c1ccccc1CC(N)=O")
    assert places_changed(alcohol, amide) == 1, "one group for another"
