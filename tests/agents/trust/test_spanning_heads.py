"""A head of two lines, of which one names what the columns of the next are of, gives them its unit."""

import pytest

from tests.agents.trust.test_true_and_told import stands

LABEL = """\
                 Placebo     N=59  %    ZOFA Dose Level      All ZOFA     N=179  %
    Low  a      N=58  %     Medium  b      N=62  %     High  c      N=59  %
    Nervous System Disorders
       Drooling     3                0                13               14               9
       Sedation     5                16               21               27               22"""
ONE_LINE = """\
    Low  a      N=58  %     Medium  b      N=62  %     High  c      N=59  %
       Drooling     0   13   14"""
HOW_OFTEN = "How often did drooling occur in the high-dose arm?"


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("Drooling: 14% of the high-dose arm (N=59)", True),
        ("Drooling occurred in 13% at the medium dose and in 14% at the high dose.", True),
        ("Drooling: 9% of all ZOFA patients (N=179), 3% on placebo (N=59)", True),
        ("Sedation: 27% (high dose), 5% (placebo)", True),
        ("Drooling: 13% of the high-dose arm (N=59)", False),
        ("Drooling: 9% of the high ZOFA dose arm", False),
        ("Drooling: 27% of the high-dose arm", False),
        ("Drooling: 14% on placebo", False),
        ("Drooling: 14% of all ZOFA patients", False),
        ("Drooling: 15% of the high-dose arm", False),
        ("Drooling: 14 mg in the high-dose arm", False),
        ("Sedation: 14% of the high-dose arm", False),
        ("Drooling: 14%", False),
    ],
)
def test_a_bare_number_has_the_unit_of_all_columns(text: str, true: bool) -> None:
    assert stands(text, LABEL) is true


@pytest.mark.parametrize(
    ("text", "asked", "true"),
    [
        ("14% of the high-dose arm (N=59)", HOW_OFTEN, True),
        ("14%", HOW_OFTEN, True),
        ("13%", HOW_OFTEN, False),
        ("27% of the high-dose arm", HOW_OFTEN, False),
        ("14% of the high-dose arm", "How often did drooling or sedation occur?", False),
        ("14% of the high-dose arm", "How often did tremor occur?", False),
        ("14% of the placebo arm", HOW_OFTEN, False),
    ],
)
def test_a_short_answer_is_of_the_one_row_that_was_asked_for(text: str, asked: str, true: bool) -> None:
    assert stands(text, LABEL, asked=asked) is true


def test_the_letter_of_a_footnote_names_no_column() -> None:
    assert stands("Drooling: a total of 14% in the high-dose arm.", ONE_LINE)
    assert not stands("Drooling: a total of 0% in the high-dose arm.", ONE_LINE)


def test_other_cells_than_columns_have_no_unit() -> None:
    assert not stands("Drooling: 14% of the high-dose arm", LABEL.replace("               9", ""))
