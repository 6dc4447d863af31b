"""What an answer leaves to tell once its first line has spoken."""

from agents.archive.answer import AnswerTable, KeyedCell
from agents.archive.brevity import line_that_answers, without_repetition


def table(*rows: tuple[str, ...], columns: tuple[str, ...] = ("Dose", "Study", "Group")) -> AnswerTable:
    return AnswerTable("T", columns, tuple(tuple(map(KeyedCell, row)) for row in rows), "t", "VX-9")


def test_columns_that_the_line_tells_are_left_out() -> None:
    new = without_repetition(table(("7 mg", "VX-CL-1", "nine women")), "The dose was 7 mg (VX-CL-1).")

    assert new is not None
    assert (new.columns, [[cell.text for cell in row] for row in new.rows]) == (("Group",), [["nine women"]])


def test_a_table_that_says_nothing_new_is_left_out() -> None:
    assert without_repetition(table(("7 mg", "VX-CL-1", "")), "The dose was 7 mg (VX-CL-1).") is None


def test_several_rows_keep_what_they_are_about() -> None:
    new = without_repetition(
        table(("7 mg", "A", "men"), ("9 mg", "A", "women")), "Doses of 7 mg and 9 mg (A)."
    )

    assert new is not None
    assert [[cell.text for cell in row] for row in new.rows] == [["7 mg", "men"], ["9 mg", "women"]]


def test_a_row_of_a_document_is_no_value() -> None:
    assert without_repetition(table(("VX | 7 | p < 0.1", "A", "")), "Study A.") is None


def test_a_long_line_is_cut_only_where_a_table_tells_the_rest() -> None:
    long = "VX-9 was given as follows: " + "; ".join(
        f"{n} mg for {n} weeks in study VX-CL-{n:04}" for n in range(2, 14)
    )

    assert line_that_answers(long, more_below=False) == long
    cut = line_that_answers(long, more_below=True)
    assert cut.startswith("VX-9 was given as follows: 2 mg for 2 weeks")
    assert len(cut) < 260
    assert cut.endswith(" More below.")


def test_a_long_line_is_not_cut_inside_a_bracket() -> None:
    studies = "; ".join(f"FJ-CL-{n} (Phase II; patients with a long illness; ongoing)" for n in range(9))

    line = line_that_answers(f"The archive holds 9 studies: {studies}.", more_below=True)

    assert line.endswith("ongoing). More below.")
    assert line.count("(") == line.count(")")
