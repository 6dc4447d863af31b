"""What a molecule has and its parent has not is highlighted; a grid shows several."""

from agents.chemistry.drawing import changed_atoms, draw, grid
from agents.chemistry.molecule import read_molecule

TOLUENE, ETHYLTOLUENE = read_molecule("Cc1ccccc1"), read_molecule("CCc1ccc(C)cc1")


def test_the_changed_atoms_are_those_that_the_parent_has_not() -> None:
    assert len(changed_atoms(ETHYLTOLUENE, TOLUENE)) == 2
    assert changed_atoms(TOLUENE, TOLUENE) == ()


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
