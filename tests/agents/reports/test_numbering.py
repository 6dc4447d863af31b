"""Citation numbers stand in the order of reading."""

from agents.evidence.values import Citation
from agents.reports.numbering import in_reading_order
from agents.reports.values import Cell, Prose, Statement, Table


def cite(number: int) -> Citation:
    return Citation(number, f"k{number}", f"D-{number}", "", "text", number * 10, number * 10 + 4)


def test_numbers_begin_at_one_in_the_order_of_reading() -> None:
    line = Prose((Statement("It was stopped.", (24, 3)),), strong=True)
    table = Table("Studies", ("Study",), ((Cell("D-1", (1,)),), (Cell("D-3", (3,)),)))

    blocks, citations, notes = in_reading_order(
        [line, table], [cite(number) for number in (1, 2, 3, 24)], ("Contradicted by D-1 [1].",)
    )

    assert blocks[0] == Prose((Statement("It was stopped.", (1, 2)),), strong=True)
    assert blocks[1] == Table("Studies", ("Study",), ((Cell("D-1", (3,)),), (Cell("D-3", (2,)),)))
    assert [(one.number, one.doc_id) for one in citations] == [
        (1, "D-24"),
        (2, "D-3"),
        (3, "D-1"),
        (4, "D-2"),
    ]
    assert notes == ("Contradicted by D-1 [3].",)


def test_marks_of_one_statement_ascend() -> None:
    shown = [Prose((Statement("One.", (5,)), Statement("Two.", (7, 5))))]

    [prose], _, _ = in_reading_order(shown, [cite(5), cite(7)], ())

    assert isinstance(prose, Prose)
    assert [one.citations for one in prose.statements] == [(1,), (1, 2)]


def test_what_is_shown_is_numbered_before_what_is_only_counted() -> None:
    """A cell shows two marks of three: no number is missing in what a reader sees, notes included."""
    table = Table("Stops", ("Reason",), ((Cell("liver", (4, 5, 6)),), (Cell("futility", (7,)),)))

    (told,), _, notes = in_reading_order(
        [table], [cite(number) for number in (4, 5, 6, 7, 9)], ("D-9 says else [9].", "As of [99].")
    )

    assert isinstance(told, Table)
    assert [row[0].citations for row in told.rows] == [(1, 2, 5), (3,)]
    assert notes == ("D-9 says else [4].", "As of [99].")
