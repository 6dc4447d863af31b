"""The table of a passage that comes closest is shown whole, or not at all."""

from dataclasses import replace

import pytest

from agents.archive.general.render import whole_table
from agents.evidence.values import Citation

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
