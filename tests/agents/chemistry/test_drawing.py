"""What a molecule has and its parent has not is highlighted; a grid shows several."""

from agents.chemistry.drawing import CHANGED, changed_atoms, draw, grid
from agents.chemistry.molecule import read_molecule

TOLUENE, ETHYLTOLUENE = read_molecule("Cc1ccccc1"), read_molecule("CCc1ccc(C)cc1")


def test_the_changed_atoms_are_those_that_the_parent_has_not() -> None:
    assert len(changed_atoms(ETHYLTOLUENE, TOLUENE)) == 2
    assert changed_atoms(TOLUENE, TOLUENE) == ()


def test_a_ring_beyond_a_changed_one_is_not_changed() -> None:
    parent, aza = (read_molecule(f"Clc1ccc(C(=O)Nc2c{at}c(N3CCOCC3)cc2)s1") for at in "cn")
    marked = [aza.mol.GetAtomWithIdx(at) for at in changed_atoms(aza, parent)]
    assert marked
    assert all(one.GetIsAromatic() for one in marked), "the morpholine stays as it was"


def test_letters_of_what_is_changed_are_legible_in_light_and_in_dark() -> None:
    for colour, letters in zip(CHANGED, (0.0, 0.9), strict=True):
        brightness = 0.3 * colour[0] + 0.6 * colour[1] + 0.1 * colour[2]
        assert abs(brightness - letters) > 0.5


def test_a_highlighted_drawing_differs_from_a_plain_one_and_is_the_same_each_time() -> None:
    plain = draw(ETHYLTOLUENE.smiles)
    marked = grid({"M1": ETHYLTOLUENE}, TOLUENE)
    assert plain is not None
    assert b"#FFB74C" in marked.svg.upper()
    assert b"#FFB74C" not in plain.svg.upper()
    assert marked == grid({"M1": ETHYLTOLUENE}, TOLUENE)


def test_a_grid_has_a_legend_for_each() -> None:
    made = grid({"one": TOLUENE, "two": ETHYLTOLUENE}, dark=True)
    assert made.png.startswith(b"\x89PNG")
    assert made.svg.count(b"class='legend'") or made.svg.count(b"<path") > 20
