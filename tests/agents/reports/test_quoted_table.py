"""The table of a passage that comes closest is shown whole, or not at all."""

from dataclasses import replace

import pytest

from agents.evidence.values import Citation
from agents.reports.quoted_table import cell_told, whole_table

HEADS = ("Dose (mg/kg)", "Spleen (g)")
QUOTE = "| Dose (mg/kg) | Spleen (g) |\n|---|---|\n| 0 | 4.1 |\n| 25 |  |\n| 75 | 5.9 |"
TABLE = Citation(
    3, "E3", "KV-TX-1", "KV-417 in ferrets", QUOTE, 0, len(QUOTE), caption="Table 3 Spleens", header=HEADS
)


def test_a_table_is_shown_with_all_its_rows_under_its_heads() -> None:
    table = whole_table(TABLE)

    assert table is not None
    assert (table.title, table.columns) == ("Table 3 Spleens", HEADS)
    assert [tuple(cell.text for cell in row) for row in table.rows] == [
        ("0", "4.1"),
        ("25", ""),
        ("75", "5.9"),
    ]
    assert all(row[0].citations == (3,) for row in table.rows)


def test_what_the_heads_have_in_common_is_told_once_above_the_table() -> None:
    heads = ("Dose", "Time after dosing (h) / 1", "Time after dosing (h) / 2", "Time after dosing (h) / 4")
    quote = "| Dose | a | b | c |\n|---|---|---|---|\n| 0 | 81 | 84 | 80 |"
    table = whole_table(replace(TABLE, quote=quote, header=heads, caption="Table 2 Rate"))

    assert table is not None
    assert table.title == "Table 2 Rate, Time after dosing (h)"
    assert table.columns == ("Dose", "1", "2", "4")


@pytest.mark.parametrize(
    "quote",
    [
        "The spleens weighed 4.2 g.",
        "| 25 | 4.2 |",
        "| 0 | 4.1 |\n| 25 | 4.2 |\n| 75 | 5.9 |",
        "| Dose (mg/kg) | Spleen (g) |\n|---|---|\n| 0 | 4.1 | 3 |",
    ],
)
def test_a_part_of_a_table_is_not_shown_as_one(quote: str) -> None:
    assert whole_table(replace(TABLE, quote=quote)) is None


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("5.9 — Dose (mg/kg) 75, Spleen (g)", "5.9"),
        ("At 75 mg/kg the spleen weighed 5.9 g.", "5.9"),
        ("The spleens weighed 7.7 g.", None),
        ("75 mg/kg was given.", None),
    ],
)
def test_the_cell_that_a_text_tells_is_found(text: str, cell: str | None) -> None:
    found = cell_told(replace(TABLE, start=10, end=10 + len(QUOTE)), [text])

    assert (found and QUOTE[found[0] - 10 : found[1] - 10]) == cell


@pytest.mark.parametrize(("text", "row"), [("Day 2 of B: 4", 1), ("Day 2: 4", None), ("4", None)])
def test_of_cells_that_are_alike_it_is_the_one_that_is_named(text: str, row: int | None) -> None:
    quote = "| Group | Day 1 | Day 2 |\n|---|---|---|\n| A | 4 | 4 |\n| B | 4 | 4 |"
    found = cell_told(replace(TABLE, quote=quote, header=("Group", "Day 1", "Day 2")), [text])

    assert found == (None if row is None else (len(quote) - 3, len(quote) - 2))
