"""A table that comes closest is told once: its rows around the one that was found."""

from dataclasses import replace

from agents.archive.near import near_table
from agents.evidence.values import Citation
from agents.reports.values import Statement

HEADS = ("Dose (mg/kg)", "Spleen (g)")
QUOTE = "| Dose (mg/kg) | Spleen (g) |\n|---|---|\n| 0 | 4.1 |\n| 25 | 4.2 |\n| 75 | 5.9 |"
TABLE = Citation(
    3, "E3", "KV-TX-1", "KV-417 in ferrets", QUOTE, 0, len(QUOTE), caption="Table 3 Spleens", header=HEADS
)
FOUND = Statement("Table 3 Spleens: Dose (mg/kg): 25; Spleen (g): 4.2", (3,))


def rows(quote: str, found: Statement = FOUND) -> list[tuple[str, ...]]:
    table = near_table(found, (replace(TABLE, quote=quote),))
    return [tuple(cell.text for cell in row) for row in table.rows] if table else []


def test_a_small_table_is_shown_whole_under_its_heads() -> None:
    table = near_table(FOUND, (TABLE,))

    assert table is not None
    assert (table.title, table.columns) == ("Table 3 Spleens", HEADS)
    assert rows(QUOTE) == [("0", "4.1"), ("25", "4.2"), ("75", "5.9")]
    assert all(row[0].citations == (3,) for row in table.rows)


def test_of_a_long_table_the_rows_around_the_one_that_was_found_are_shown() -> None:
    long = QUOTE.rsplit("\n", 3)[0] + "".join(f"\n| {dose} | {dose / 10} |" for dose in range(1, 40))
    shown = rows(long, Statement("Dose (mg/kg): 20; Spleen (g): 2.0", (3,)))

    assert shown[0] == shown[-1] == ("…", "")
    assert ("20", "2.0") in shown
    assert len(shown) == 10


def test_a_wide_row_is_read_more_easily_as_a_line() -> None:
    wide = QUOTE.replace("4.1", "4.1 " * 200).replace("4.2", "4.2 " * 200).replace("5.9", "5.9 " * 200)

    assert near_table(FOUND, (replace(TABLE, quote=wide),)) is None


def test_a_sentence_or_a_single_row_stays_a_line() -> None:
    assert near_table(FOUND, (replace(TABLE, quote="The spleens weighed 4.2 g."),)) is None
    assert near_table(FOUND, (replace(TABLE, quote="| 25 | 4.2 |"),)) is None


REGISTER = ("| Study | Molecule | Phase |\n|---|---|---|\n| S-1 | KV-417 | I |\n| S-2 | RB-200 | I |\n"
            "| S-3 | KV-417 | II |\n| S-4 | RB-200 | II |")  # fmt: skip


def of_register(*molecules: str, found: str = "Study: S-1; Molecule: KV-417; Phase: I") -> list[str]:
    listed = replace(TABLE, quote=REGISTER, header=("Study", "Molecule", "Phase"))
    table = near_table(Statement(found, (3,)), (listed,), molecules)
    return [row[0].text for row in table.rows] if table else []


def test_of_a_table_of_molecules_only_the_rows_of_the_asked_ones_are_shown() -> None:
    assert of_register("KV-417") == ["S-1", "…", "S-3", "…"]
    assert of_register("KV-417", "RB-20") == ["S-1", "…", "S-3", "…"]
    assert of_register("KV-417", "RB-200") == ["S-1", "S-2", "S-3", "S-4"]


def test_the_whole_table_is_shown_where_no_molecule_is_asked_or_the_row_is_of_another() -> None:
    assert of_register() == ["S-1", "S-2", "S-3", "S-4"]
    assert of_register("KV-417", found="Study: S-2; Molecule: RB-200; Phase: I") == [
        "S-1",
        "S-2",
        "S-3",
        "S-4",
    ]
