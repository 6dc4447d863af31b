"""Files sent without a word: which section of the thread's report shall read them is asked first."""

from dataclasses import replace

from agents.reports.values import Section
from agents.runs.records import RunState
from bot.offers import MOST_SECTIONS, chosen_file, offer_card
from bot.values import Attached
from tests.bot.test_intake import ANSWER
from tests.support.archive import view_of

FILE = Attached("study 9 (final).pdf", "F1")


def test_each_section_that_takes_sources_is_a_button_that_names_the_file() -> None:
    view = view_of(ANSWER)
    assert view.history is not None
    sections = tuple(Section(f"s{number}", f"Section {number}") for number in range(30))
    kind = replace(view.kind, takes_sources=frozenset(f"s{number}" for number in range(1, 30)))
    report = replace(view.history.written, sections=sections)
    view = replace(view, kind=kind, history=replace(view.history, written=report))
    card = offer_card(FILE, view)
    assert len(card.buttons) == MOST_SECTIONS
    assert card.buttons[0].label == "Source of Section 1"
    assert chosen_file(card.buttons[0].value) == (f"{view.record.run_id} s1", FILE)


def test_without_a_report_it_says_where_files_go() -> None:
    for view in (None, view_of(ANSWER), view_of(ANSWER, RunState.RUNNING)):
        card = offer_card(FILE, view)
        assert card.buttons == ()
        assert "archive" in card.text


def test_a_value_that_no_button_has_names_nothing() -> None:
    assert chosen_file("") == (" ", Attached("", ""))
