"""A section as it is read: few marks, no quote twice."""

import pytest

from agents.evidence.values import Citation
from agents.reports.brief import brief, says
from agents.reports.values import Cell, Paragraph, Points, Prose, Section, Statement, Table


def cited(number: int, quote: str) -> Citation:
    return Citation(number, f"E{number}", "VX-1", "Study", quote, number, number + len(quote))


@pytest.mark.parametrize(
    ("text", "quote", "given"),
    [
        ("The NOAEL was 5 mg/kg.", "the NOAEL was 5 mg/kg", True),
        ("**Safety** recalled two events.", "Safety recalled two events.", True),
        ("Cohort: 4; Dose: 90 mg BID; Completed: 6", "| 4 | 90 mg BID | 6 |", True),
        ("Cohort: 4; Dose: 90 mg BID; Completed: 6", "| 5 | 90 mg BID | 6 |", False),
        ("Cohort: 4; Completed: 6; Dose: 90 mg BID", "| 4 | 90 mg BID | 6 |", False),
        ("The dose was 15 mg.", "The dose was 5 mg.", False),
        ("Anything.", "", False),
    ],
)
def test_a_text_gives_a_quote_only_word_for_word(text: str, quote: str, given: bool) -> None:
    assert says(text, quote) is given


def test_what_no_mark_stands_for_is_counted() -> None:
    blocks = (Prose((Statement("It was 5 mg.", (1, 2, 3)),), strong=True), Points((Statement("Why.", (4,)),)))
    read = brief(Section("a", "A", blocks, tuple(cited(number, f"quote {number}") for number in range(1, 6))))

    assert [one.number for one in read.citations] == [1, 2, 4]
    assert (read.left, read.told) == (2, frozenset())


def test_a_text_without_marks_keeps_all_its_citations() -> None:
    read = brief(Section("a", "A", (Paragraph("Written by hand."),), (cited(1, "one"), cited(2, "two"))))

    assert (len(read.citations), read.left) == (2, 0)


def test_a_note_marks_no_more_than_a_statement_and_its_sources_are_shown() -> None:
    blocks = (Prose((Statement("It was 5 mg.", (1,)),), strong=True),)
    section = Section("a", "A", blocks, tuple(cited(number, f"quote {number}") for number in range(1, 6)))
    read = brief(section, ("VX-2 says 4 mg. [2][3][4][5]", "Checked by rules."))

    assert read.notes == ("VX-2 says 4 mg. [2][3]", "Checked by rules.")
    assert [one.number for one in read.citations] == [1, 2, 3]


def test_a_table_of_which_a_row_is_told_is_not_quoted_whole() -> None:
    quote = "| Dose | Spleen |\n|---|---|\n| 25 mg | 4.2 g |\n| 75 mg | 5.9 g |"

    def told(text: str) -> frozenset[int]:
        return brief(Section("a", "A", (Points((Statement(text, (1,)),)),), (cited(1, quote),))).told

    assert told("Dose: 75 mg; Spleen: 5.9 g") == {1}
    assert told("Dose; Spleen") == told("75 mg and more") == frozenset()


def test_a_quote_that_only_names_its_document_is_not_shown() -> None:
    section = Section("a", "A", (Prose((Statement("It was 5 mg.", (1,)),)),), (cited(1, "VX-1 Study"),))

    assert brief(section).told == {1}


def test_rows_that_all_cite_the_same_mark_it_once() -> None:
    def marks(*numbers: tuple[int, ...]) -> list[tuple[int, ...]]:
        rows = tuple((Cell(str(place), own), Cell("x")) for place, own in enumerate(numbers))
        table = Table("T", ("A", "B"), rows)
        (shown,) = brief(Section("a", "A", (table,), (cited(1, "one"), cited(2, "two")))).blocks
        assert isinstance(shown, Table)
        return [row[0].citations for row in shown.rows]

    assert marks((1,), (1,), (1,)) == [(1,), (), ()]
    assert marks((1,), (2,), (1,)) == [(1,), (2,), (1,)]


def test_a_row_that_stands_for_those_left_out_takes_no_mark_along() -> None:
    rows = tuple((Cell(text, numbers), Cell("")) for text, numbers in (("…", ()), ("1", (3,)), ("2", (3,))))
    (table,) = brief(Section("a", "A", (Table("T", ("A", "B"), rows),), (cited(3, "x"),))).blocks

    assert isinstance(table, Table)
    assert [row[0].citations for row in table.rows] == [(), (3,), ()]
