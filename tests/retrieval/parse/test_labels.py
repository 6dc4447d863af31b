"""Which rows a label in the first column stands for."""

import pytest

from retrieval.parse.layout.labels import TableLine, with_labels


def labels(*lines: TableLine) -> list[str]:
    return [f"{row[0]}:{row[1]}" for row in with_labels(lines)]


def line(label: str, cell: str, apart: bool = False, group: int = 0) -> TableLine:
    return TableLine((label, cell), apart, group)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # in the first row of its group
        (
            [("Low", "N"), ("", "Mean"), ("High", "N"), ("", "Mean")],
            ["Low:N", "Low:Mean", "High:N", "High:Mean"],
        ),
        # centred labels below one in the first row: whose rows they are cannot be told
        ([("X", "a"), ("", "b"), ("Y", ""), ("", "c")], ["X:a", ":b", "Y:", ":c"]),
        # every row has its own
        ([("X", "a"), ("Y", "b")], ["X:a", "Y:b"]),
        # a label over rows with their own labels
        (
            [("Males", ""), ("Liver", "1"), ("Females", ""), ("Liver", "2")],
            ["Males:", "Liver:1", "Females:", "Liver:2"],
        ),
    ],
)
def test_labels(lines: list[tuple[str, str]], expected: list[str]) -> None:
    assert labels(*(line(*cells) for cells in lines)) == expected


def test_a_label_of_two_lines_where_blanks_part_the_groups() -> None:
    lines = [
        line("A", "N"),
        line("10 mg", "SD"),
        line("B", "N", apart=True),
        line("30 mg", "SD"),
        line("", "x"),
    ]
    assert labels(*lines) == ["A 10 mg:N", "A 10 mg:SD", "B 30 mg:N", "B 30 mg:SD", "B 30 mg:x"]


def test_a_label_anywhere_between_two_rules_stands_for_the_rows_between_them() -> None:
    lines = [line("A", "a", group=1), line("", "b", group=2), line("B", "", group=2), line("", "c", group=2)]
    assert labels(*lines) == ["A:a", "B:b", "B:c"]


def test_a_label_of_two_lines_below_a_blank_and_a_rule() -> None:
    lines = [line("A", "N"), line("", "SD"), line("B", "N", apart=True, group=1)]
    lines += [line("30 mg", "SD", group=1), line("", "x", group=1)]
    assert labels(*lines)[2:] == ["B 30 mg:N", "B 30 mg:SD", "B 30 mg:x"]
