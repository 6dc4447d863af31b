"""Pictures: made of the same data they are the same, and their words say what they show."""

from agents.safety.orthologs.matrix import identity_matrix
from agents.safety.orthologs.pictures import alignment_picture, identity_picture
from agents.safety.orthologs.select import select
from agents.safety.orthologs.views import alignment_view
from tests.agents.safety.orthologs.families import Family

FAMILY = Family(5, 150, 0.003)
MOUSE = FAMILY.residues("mouse")
CHANGED = MOUSE[:40] + MOUSE[45:100] + "GG" + MOUSE[100:]
SELECTION = select(
    [FAMILY.entry("human")], [*FAMILY.entries("mouse", "rat"), FAMILY.entry("mouse", residues=CHANGED)]
)


def test_the_matrix_is_symmetrical_and_has_the_human_sequence_first() -> None:
    matrix = identity_matrix(SELECTION)
    assert matrix.names[0] == "human"
    assert len(matrix.values) == 10
    assert all(matrix.values[at][at] == 100 for at in range(10))
    assert all(matrix.values[a][b] == matrix.values[b][a] for a in range(10) for b in range(10))
    assert "rat" not in matrix.names


def test_the_view_lays_each_sequence_along_the_human_one() -> None:
    view = alignment_view(SELECTION)
    mouse = next(row for row in view.rows if row.species == "mouse")
    assert len(mouse.residues) == len(view.human)
    assert mouse.residues.count("-") == 5
    assert sum(count for _, count in mouse.insertions) == 2
    assert "5 missing, 2 inserted" in view.text
    assert view.stretches == (0, 60, 120)


def test_the_same_selection_gives_the_same_bytes_and_dark_ones_differ() -> None:
    matrix, view = identity_matrix(SELECTION), alignment_view(SELECTION)
    first, again = identity_picture(matrix), identity_picture(matrix)
    assert (first.svg, first.png) == (again.svg, again.png)
    assert first.png.startswith(b"\x89PNG")
    assert b"<svg" in first.svg
    assert "mouse" in first.text
    light, dark = alignment_picture(view), alignment_picture(view, dark=True)
    assert light.png != dark.png
    assert alignment_picture(view).svg == light.svg


def test_without_any_ortholog_the_pictures_say_so() -> None:
    empty = select([FAMILY.entry("human")], [])
    assert "no ortholog was chosen" in identity_picture(identity_matrix(empty)).text
    assert alignment_picture(alignment_view(empty)).text.startswith("0 sequences")
