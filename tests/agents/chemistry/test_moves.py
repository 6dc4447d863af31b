"""Moves give molecules that can exist, and the same chance gives the same molecule."""

import random

from agents.chemistry.editing import halves, joined, open_part
from agents.chemistry.molecule import Molecule, canonical, medicines, read_molecule
from agents.chemistry.moves import crossover, exchanged, fragments_of, matched_pairs, mutate, plausible

IMATINIB = read_molecule("Cc1ccc(NC(=O)c2ccc(CN3CCN(C)CC3)cc2)cc1Nc1nccc(-c2cccnc2)n1")
GEFITINIB = read_molecule("COc1cc2ncnc(Nc3ccc(F)c(Cl)c3)c2cc1OCCCN1CCOCC1")


def made(seed: int) -> list[Molecule | None]:
    rng, parts = random.Random(seed), fragments_of([IMATINIB, GEFITINIB])
    changed = [mutate(IMATINIB, rng, parts if turn % 2 else ()) for turn in range(60)]
    return changed + [crossover(IMATINIB, GEFITINIB, rng) for _ in range(40)]


def test_mutations_and_crossovers_are_new_plausible_and_repeatable() -> None:
    first = made(7)
    found = {one for one in first if one}
    assert len(found) > 50
    assert all(plausible(one) and read_molecule(one.smiles) == one for one in found)
    assert not found & {IMATINIB, GEFITINIB}
    assert first == made(7)
    assert first != made(8)


def test_a_matched_pair_is_applied_to_another_molecule() -> None:
    pairs = ("Clc1ccc(N2CCNCC2)cc1", "N#Cc1ccc(N2CCNCC2)cc1", "Clc1ccc2ncccc2c1", "N#Cc1ccc2ncccc2c1")
    known = matched_pairs(map(read_molecule, pairs))
    assert known["*Cl", "*C#N"] == 2
    made = exchanged(read_molecule("Clc1ccc(C2CCOCC2)cc1"), known)
    assert (read_molecule("N#Cc1ccc(C2CCOCC2)cc1"), "*Cl", "*C#N") in made


def test_what_does_not_last_is_implausible() -> None:
    odd = (
        *("CCC=C=CC", "CCNNNC", "CCOOCC", "CC(O)(N)CCC", "CCCC(=O)Cl", "C1CCCCCCC1CC", "CC", "CCSSSCC"),
        *("CCCNCNC(C)=O", "CCCN(C)C(=O)O", "CCCN(C)O", "O=c1ccccn1CO", "CCCC(C)=N"),
    )
    assert [smiles for smiles in odd if plausible(read_molecule(smiles))] == []
    usual = (
        "CS(=O)(=O)Nc1ccccc1",
        "O=[N+]([O-])c1ccccc1C",
        "Cn1nnc(C)n1",
        "CC(=O)NN1CCOCC1",
        "c1cc[nH]c1CC#N",
        "N=C(N)c1ccccc1",
        "CCCCC(=O)NO",
    )
    assert [smiles for smiles in usual if not plausible(read_molecule(smiles))] == []


def test_parts_that_are_joined_again_keep_their_stereochemistry() -> None:
    for molecule in medicines().values():
        for rest, part in halves(molecule.smiles):
            assert canonical(joined(open_part(rest), open_part(part))) == molecule
