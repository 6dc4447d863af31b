"""Heads of columns of data files, read in words."""

import pytest

from agents.text.rows import plain_head
from tests.agents.trust.test_retold import Source, stands


@pytest.mark.parametrize(
    ("head", "plain"),
    [
        ("day28_1000", "day 28 10:00"),
        ("baseline_mmHg", "baseline mmHg"),
        ("week_12", "week 12"),
        ("IC50_nM", "IC 50 nM"),
        ("Dose (mg/kg)", "Dose (mg/kg)"),
        ("arm", "arm"),
        ("in plasma_ng", "in plasma_ng"),
    ],
)
def test_what_a_data_file_joins_is_read_apart(head: str, plain: str) -> None:
    assert plain_head(head) == plain


def test_a_cell_belongs_to_the_day_and_the_hour_of_its_column() -> None:
    source = Source(
        "| tolvexin 2% | 31 | 24.1 | 17.3 |", header=("arm", "n", "day14_0800_mmHg", "day14_1400_mmHg")
    )
    assert stands("With tolvexin 2% the pressure was 17.3 mmHg on day 14.", source)
    assert not stands("With tolvexin 2% the pressure was 17.3 mmHg on day 15.", source)


@pytest.mark.parametrize("molecule", ["QRH 66-22e", "QRH 72-30v"])
def test_a_whole_row_told_with_its_heads_stands(molecule: str) -> None:
    heads = ("Molecule", "t1/2 / (h)", "Accumulation / ratio, AUC", "Inhibition (%) b")
    source = Source(f"| {molecule} | 22.4 | 1.42 | 93 |", header=heads)
    told = f"Molecule: {molecule}; t1/2 / (h): 22.4; Accumulation / ratio, AUC: 1.42; Inhibition (%) b: 93"
    assert stands(told, source)
    assert not stands(told.replace("1.42", "1.52"), source)


def test_a_whole_row_told_with_its_heads_and_its_caption_stands() -> None:
    heads = ("Parameter", "Unit", "IV 1 mg/kg", "PO 5 mg/kg fasted", "PO 5 mg/kg fed")
    source = Source("| Tmax | h | - | 1.5 | 3.0 |", header=heads, caption="Table 1. Means (n = 4)")
    told = "Parameter: Tmax; Unit: h; IV 1 mg/kg: -; PO 5 mg/kg fasted: 1.5; PO 5 mg/kg fed: 3.0"
    assert stands(f"{told}, Table 1. Means", source)
    assert not stands(f"{told}, Table 2. Means", source)


def test_what_the_caption_of_a_table_says_holds_for_all_its_rows() -> None:
    heads = ("Adverse reaction", "PB-12 N=26 n (%)", "Control N=27 n (%)")
    caption = "Table 6: Reactions in at least 1% of patients of study PB-2"
    source = Source("| Contusion | 8 (31.2%) | 3 (11.4%) |", header=heads, caption=caption)
    assert stands(f"3 (11.4%) — Contusion, Control N=27 n (%), {caption}", source)
    assert not stands(f"8 (31.2%) — Contusion, Control N=27 n (%), {caption}", source)


@pytest.mark.parametrize(
    ("told", "caption"), [("Dose: 50", "0 rats"), ("Dose: 5, 5.5 % of 1", "5.5 % of 12 rats")]
)
def test_neither_a_row_nor_its_caption_is_cut_within_a_number(told: str, caption: str) -> None:
    assert not stands(told, Source("| 5 |", header=("Dose",), caption=caption))


def test_a_part_of_a_number_in_the_caption_excuses_no_other_row() -> None:
    heads = ("Adverse reaction", "PB-12 N=26 n (%)", "Control N=27 n (%)")
    source = Source("| Contusion | 8 (1%) | 3 (11.4%) |", header=heads, caption="Reactions in at least 31%")
    assert not stands("1% — Contusion, Control N=27 n (%)", source)
