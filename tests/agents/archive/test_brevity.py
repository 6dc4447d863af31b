"""What an answer leaves to tell once its first line has spoken."""

from agents.archive.answer import Answer, AnswerOutcome, AnswerTable, KeyedCell
from agents.archive.brevity import line_that_answers, without_repetition
from agents.archive.compose import with_whole_lines
from agents.archive.work import as_shown
from agents.evidence.values import Citation
from agents.reports.values import Prose, Statement


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


def line_of(text: str) -> Answer:
    """An answer of one line over a passage that says nothing of a month."""
    quote = "The two monkeys of study VX-TX-1 were observed and then euthanized."
    cited = Citation(1, "E1", "VX-TX-1", "VX-9: toxicity", quote, 0, len(quote))
    line = Prose((Statement(text, (1,)),), strong=True)
    return Answer("What became of them?", "euthanized", (line,), AnswerOutcome.ANSWERED, citations=(cited,))


def test_a_line_of_which_only_its_end_stands_gives_way_to_what_it_cites() -> None:
    answer = line_of("The monkeys were observed for 17 months; then euthanized (VX-TX-1)")

    assert as_shown(answer).text == "**then euthanized (VX-TX-1)** [1]"
    assert as_shown(with_whole_lines(answer)).text == f"- {answer.citations[0].quote} [1]"


def test_a_line_of_which_its_beginning_stands_stays() -> None:
    answer = line_of("The monkeys were euthanized; they had been observed for 17 months.")

    assert with_whole_lines(answer) == answer
