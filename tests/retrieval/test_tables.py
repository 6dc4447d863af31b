"""What a reader sees beside a row: every line of the heads, sub-heads, caption above or below, notes."""

import pytest

from retrieval.passages import passages_of
from retrieval.values import PassageKind, TableRow
from tests.retrieval.ingest.texts import document


def rows(text: str) -> list[TableRow]:
    return [p.row for p in passages_of(document(text)) if p.row and p.kind is PassageKind.ROW]


def test_a_second_row_of_heads_gives_the_units() -> None:
    heads = "| Dose | Cmax | Tmax |\n|---|---|---|\n"
    text = f"{heads}| (mg/kg/day) | (ng/mL) | (h) |\n| 4 | 38 | 2 |\n| 12 | 9 | 2 |"
    assert rows(text)[-1].header == ("Dose (mg/kg/day)", "Cmax (ng/mL)", "Tmax (h)")
    assert rows(text)[-1].cells == ("12", "9", "2")


def test_a_head_over_several_columns_stands_for_each_of_them() -> None:
    heads = "|  | Dogs within |  | All |\n|---|---|---|---|\n|  | 15% | 30% |  |\n"
    text = f"{heads}| A | 29 | 55 | 77 |\n| B | 1 | 2 | 3 |"
    assert rows(text)[-1].header == ("", "Dogs within / 15%", "Dogs within / 30%", "All")


def test_heads_that_are_merged_downwards_and_across_are_written_again_in_each_cell() -> None:
    heads = "| Test | Unit | Males | Males | Females | Females |\n|---|---|---|---|---|---|\n"
    values = "| Urea | mmol/L | 6.1 | 11.8 | 6.6 | 8.9 |\n| ALT | U/L | 41 | 43 | 36 | 38 |"
    header = rows(f"{heads}| Test | Unit | 0 | 2.5 | 0 | 2.5 |\n{values}")[-1].header
    assert header[2:] == ("Males / 0", "Males / 2.5", "Females / 0", "Females / 2.5")


@pytest.mark.parametrize("first", ["|  | 15 | 30 |", "| Rats | (none) | 3 |", "| 1 | (2) | (3) |"])
def test_rows_of_values_are_no_heads(first: str) -> None:
    text = f"| Group | Males | Females |\n|---|---|---|\n{first}\n| A | 1 | 2 |\n| B | 3 | 4 |"
    assert rows(text)[-1].header == ("Group", "Males", "Females")


def test_sub_heads_hold_until_the_next_one_of_their_level() -> None:
    lines = [
        "| Males | | |",
        "| Week 4 | Week 4 | Week 4 |",
        "| 0 | 1 | 2 |",
        "| Week 8 | | |",
        "| 4 | 3 | 4 |",
    ]
    lines += ["| **Females** | | |", "| Week 4 | | |", "| 9 | 5 | 6 |", "| * n = 9 | | |"]
    found = {
        row.cells[0]: row.group for row in rows("\n".join(("| Dose | A | B |", "|---|---|---|", *lines)))
    }
    assert found["0"] == ("Males", "Week 4")
    assert found["4"] == ("Males", "Week 8")
    assert found["9"] == ("Females", "Week 4")


TABLE = "| Dose | n |\n|---|---|\n| 4 | 6 |"


@pytest.mark.parametrize(
    ("text", "caption"),
    [
        (f"## Results\n\nTable 5. Exposure.\n\n{TABLE}", "Table 5. Exposure."),
        (f"## Results\n\nAll were well.\n\n{TABLE}\n\nTable 5. Exposure.", "Table 5. Exposure."),
        (
            f"## Staff\n\nSupplementary table: weight (g) by week\n\n{TABLE}",
            "Supplementary table: weight (g) by week",
        ),
        (f"## Staff\n\nWeight (g) by week, males\n\n{TABLE}", "Weight (g) by week, males"),
        (f"## Results\n\nAll were well.\n\n{TABLE}", "Results"),
        (
            f"## Appendix 2 Rate\n\nSpecies: rat; Route: oral\n\n{TABLE}",
            "Appendix 2 Rate Species: rat; Route: oral",
        ),
        (f"Table 5. Exposure.\n\n(ng/mL)\n\n{TABLE}", "Table 5. Exposure. (ng/mL)"),
    ],
)
def test_captions(text: str, caption: str) -> None:
    assert [row.caption for row in rows(text)] == [caption]


def test_a_caption_between_two_tables_is_that_of_the_second() -> None:
    first, second = rows(f"## Staff\n\n{TABLE}\n\nTable 2. Weights.\n\n{TABLE}")
    assert (first.caption, second.caption) == ("Staff", "Table 2. Weights.")


def test_notes_under_a_table_are_read_with_its_rows() -> None:
    text = (
        f"{TABLE}\n\n* P<0.05 against control.\n\nValues are means in ng/mL.\n\nThe dose was chosen freely."
    )
    assert [row.notes for row in rows(text)] == ["* P<0.05 against control. Values are means in ng/mL."]


def test_a_row_that_leaves_its_name_to_the_row_above_stands_below_it() -> None:
    heads = "| Parameter | Sex | Week 4 |\n|---|---|---|\n"
    lines = ("| ALT | M | 12 |", "|  | F | 14 |", "| Weight | M | 300 |", "|  | F | 280 |", "|  |  | 580 |")
    found = [(row.cells[1], row.group) for row in rows(heads + "\n".join(lines))]
    assert found == [("M", ()), ("F", ("ALT",)), ("M", ()), ("F", ("Weight",)), ("", ())]


def test_a_total_without_a_name_is_of_no_row_above_it() -> None:
    text = "| Organ | Week 4 | Week 8 |\n|---|---|---|\n| Liver | 1 | 2 |\n|  | 7 | 9 |"
    assert rows(text)[-1].group == ()
