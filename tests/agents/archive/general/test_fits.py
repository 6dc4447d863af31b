"""A number is stated only where it surely counts or measures what is asked for."""

import pytest

from agents.archive.general.extract import extract
from agents.archive.general.fits import is_asked_for
from agents.archive.general.question import analyse_question
from agents.archive.general.tables import LabelledRow
from retrieval.values import Passage, PassageKind


def stated(question: str, text: str, row: LabelledRow | None = None, column: int | None = None) -> str:
    """The short answer, if it surely is what is asked for."""
    asked = analyse_question(question)
    told = extract(asked, Passage("D-1", 0, len(text), text, PassageKind.SENTENCE), row, column)
    return told.short if is_asked_for(asked, told, text, row, ("Gout trial of Zorbex",)) else ""


@pytest.mark.parametrize(
    ("question", "text", "short"),
    [
        ("How many women received Zorbex?", "Twelve women received it.", "Twelve"),
        ("How many women took Zorbex in the gout trial?", "In all, 31 women were dosed with it.", "31"),
        ("How many women actually got Zorbex?", "Of 90 women in the trial 44 were given Zorbex.", ""),
        ("How many women got Zorbex?", "A total of 90 women enrolled in the trial of Zorbex.", ""),
        ("How many women fainted on Zorbex?", "Lane 3, women with Zorbex who fainted.", ""),
        ("How many women were randomised?", "Number of women randomised: 90", "90"),
        ("How many women were randomised?", "Women randomised: see the list of the centre", ""),
    ],
)
def test_a_count_is_stated_where_one_thing_alone_is_counted_and_it_is_the_one_asked_for(
    question: str, text: str, short: str
) -> None:
    assert stated(question, text) == short


@pytest.mark.parametrize(("column", "short"), [(1, "310"), (2, "")])
def test_a_cell_is_stated_where_its_head_is_of_the_field_asked_for(column: int, short: str) -> None:
    heads = ("Species", "Peak level (ng/mL)", "Tmax (h)", "F (%)")
    row = LabelledRow(("Ferret (fed)", "310", "2", "64"), heads, "", "")
    assert stated("What was the peak level in fed ferrets?", "| Ferret |", row, column) == short


def test_a_cell_of_another_field_does_not_say_what_is_bioavailable() -> None:
    heads = ("Species", "Cmax (ng/mL)", "F (%)")
    row = LabelledRow(("Ferret (fed)", "310", "64"), heads, "", "")
    assert stated("How much of a dose is bioavailable in fed ferrets?", "| Ferret |", row, 1) == ""


@pytest.mark.parametrize(
    ("question", "text", "short"),
    [
        (
            "Which registers were searched for gout?",
            "The search for gout had two concepts: pain, joints.",
            "",
        ),
        ("Which registers were searched for gout?", "Registers searched: Alpha, Beta.", "Alpha, Beta."),
        ("What did the search for gout find?", "The search for gout found: pain, joints.", "pain, joints."),
        ("Where did the ferrets of the gout trial come from?", "Trial Title: Gout in Ferrets", ""),
        (
            "Where did the ferrets of the gout trial come from?",
            "Source of ferrets: Olberg Breeders",
            "Olberg Breeders",
        ),
        ("Why did the gout trial stop?", "Gout trial: 40 ferrets", ""),
        ("Which were searched for gout?", "The search for gout had two concepts: pain.", "pain."),
    ],
)
def test_what_stands_behind_a_colon_is_stated_where_the_things_asked_for_stand_before_it(
    question: str, text: str, short: str
) -> None:
    assert stated(question, text) == short
