"""A row of a table told in one line."""

from agents.text.rows import row_in_words


def test_filled_cells_stand_behind_their_heads() -> None:
    assert row_in_words(("Dose", "", "Route"), ("5 mg", "once", "")) == "Dose: 5 mg; once"


def test_a_label_stands_right_before_its_value() -> None:
    assert (
        row_in_words(("", "", ""), ("Vehicle:", "0.5 % MC", "for oral use"))
        == "Vehicle: 0.5 % MC; for oral use"
    )
    assert row_in_words(("Frequency:",), ("once",)) == "Frequency: once"
