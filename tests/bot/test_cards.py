"""Runs, events and answers as neutral cards."""

import json
from collections.abc import Sequence
from dataclasses import replace

from agents.archive.answer import Answer, AnswerOutcome, SearchedPlace
from agents.archive.kind import KIND
from agents.evidence.values import Citation
from agents.kinds import RunView
from agents.reports.marked import bracketed, marks
from agents.reports.values import Cell, Heading, Paragraph, Points, Prose, Statement, Table
from agents.runs.records import Event, RunState
from bot import cards, report_cards
from bot.steps import lines
from bot.values import Button, Card, CardKind, Feedback, Step
from retrieval.values import Domain
from tests.support.archive import KINDS, record_of, view_of

CITATION = Citation(
    1, "E4", "reports/tox-1", "28-day study", "The NOAEL was 5 mg/kg.", 90, 112, ("Results",), 7
)
ANSWER = Answer(
    question="What was the NOAEL?",
    short="5 mg/kg",
    blocks=(Prose((Statement("The NOAEL was 5 mg/kg.", (1,)),)),),
    outcome=AnswerOutcome.ANSWERED,
    molecules=("AB-123",),
    citations=(CITATION,),
)


def event(number: int, second: float, kind: str, step: str, inputs: str = "h") -> Event:
    at = f"2026-01-01T00:00:{second:09.6f}+00:00"
    return Event(number, at, kind, json.dumps({"step": step, "inputs": inputs}))


def running(state: RunState = RunState.RUNNING, error: str = "") -> RunView:
    return KINDS.view(record_of("What was the NOAEL?", state=state, error=error))


def answer_card(answer: Answer, feedback: Sequence[Feedback] = ()) -> Card:
    (shown,) = cards.ending_cards(view_of(answer), feedback)
    return shown[1]


def test_steps_of_one_kind_are_one_line_with_its_time() -> None:
    events = [
        event(1, 0, "step.started", "classify"),
        event(2, 1.5, "step.finished", "classify"),
        event(3, 2, "step.started", "search:clinical"),
        event(4, 2, "step.started", "search:preclinical"),
        event(5, 3, "step.finished", "search:clinical"),
    ]
    assert lines(events, KIND.labels) == (
        Step("Understanding the question", "done", 1.5),
        Step("Searching the archive", "running", None, "1 of 2"),
    )


def test_the_same_step_with_other_inputs_counts_by_itself() -> None:
    events = [event(n, n, "step.started", "review", inputs=f"h{n}") for n in (1, 2)]
    assert lines(events, KIND.labels)[0].detail == "0 of 2"


def test_a_step_that_was_done_again_after_a_crash_counts_once() -> None:
    kinds = ("step.started", "step.started", "step.finished", "step.replayed")
    events = [event(n, n, kind, "research") for n, kind in enumerate(kinds)]
    assert lines(events, KIND.labels) == (Step("Reading the evidence", "done", 3.0),)


def test_nothing_runs_in_the_last_progress_card() -> None:
    events = [event(1, 0, "step.started", "classify"), event(2, 4, "step.failed", "review")]
    card = cards.progress_card(running(RunState.FAILED), events)
    assert [step.state for step in card.steps] == ["done", "failed"]
    assert card.footer == "Trace id: r1 · 4.0 s"
    assert card.buttons == ()  # its answer card has the button to resume


def test_a_running_run_can_be_stopped() -> None:
    card = cards.progress_card(running(), [])
    assert card.buttons == (Button("Stop", "stop", "r1", "danger"),)


def test_an_unknown_step_is_shown_by_its_name() -> None:
    assert lines([event(1, 0, "step.started", "cross_check/AB-123")], KIND.labels)[0].label == "Cross check"


def test_an_answer_shows_its_numbered_sources_with_their_place() -> None:
    card = answer_card(ANSWER)
    assert card.kind is CardKind.ANSWER
    assert bracketed(card.text) == ANSWER.text
    assert [(source.number, source.place, source.quote) for source in card.sources] == [
        (1, "page 7, Results", "The NOAEL was 5 mg/kg.")
    ]
    assert {button.action for button in card.buttons} == {"feedback", "sources", "revise", "export"}
    assert all(button.value.startswith("r1") for button in card.buttons)
    assert card.footer == "Trace id: r1"


def test_table_cells_carry_their_citations_which_no_bracket_of_a_document_can_be() -> None:
    row = (Cell("rat"), Cell("5 mg/kg", (1,)), Cell("liver [1]\ue0002\ue001", (1,)))
    table = Table("NOAEL", ("species", "dose", "organ"), (row,))
    citation = replace(CITATION, quote="The NOAEL was 5 mg/kg in the rat, as seen in the liver [1]2.")
    answer = replace(ANSWER, blocks=(*ANSWER.blocks, table), citations=(citation,))
    shown = answer_card(answer).tables[0]
    assert shown.rows == (("rat", f"5 mg/kg {marks((1,))}", "liver [1]2"),)


def test_blocks_are_shown_as_markdown_with_their_marks() -> None:
    points = Points((Statement("The dose was 5 mg.", (1, 2)), Statement("It was tolerated.")))
    blocks = (Heading("First dose"), Paragraph("The dose", strong=True), points, Heading("Clinical", 3))
    first = replace(CITATION, quote="The dose was 5 mg.")
    answer = replace(ANSWER, blocks=blocks, citations=(first, replace(first, number=2, start=7)))
    assert answer_card(answer).text == (
        f"## First dose\n\n**The dose**\n\n- The dose was 5 mg. {marks((1, 2))}\n- It was tolerated."
        "\n\n### Clinical"
    )


def test_a_statement_shows_its_best_two_citations_and_counts_the_others() -> None:
    citations = tuple(replace(CITATION, number=number, start=number) for number in range(1, 6))
    points = Points((Statement("The level without effect was 5 mg/kg.", (1, 2, 3, 4, 5)),))
    card = answer_card(replace(ANSWER, blocks=(points,), citations=citations))
    assert bracketed(card.text) == "- The level without effect was 5 mg/kg. [1][2]"
    assert [source.number for source in card.sources] == [1, 2]
    assert card.footer == "3 more passages: write `sources` · Trace id: r1"


def test_a_row_marks_each_citation_once() -> None:
    row = (Cell("rat", (1, 2, 3)), Cell("5 mg/kg", (1, 2)), Cell("liver", (4,)))
    citations = tuple(replace(CITATION, number=number, start=number) for number in range(1, 5))
    table = Table("NOAEL", ("species", "dose", "organ"), (row,))
    card = answer_card(replace(ANSWER, blocks=(table,), citations=citations))
    assert card.tables[0].rows == ((f"rat {marks((1, 2))}", "5 mg/kg", f"liver {marks((4,))}"),)


def test_a_quote_that_the_text_gives_is_not_shown_again_among_the_sources() -> None:
    said = Points((Statement("The NOAEL was 5 mg/kg.", (1,)), Statement("It rose.", (2,))))
    other = replace(CITATION, number=2, quote="ALT rose at 15 mg/kg.", start=90)
    card = answer_card(replace(ANSWER, blocks=(said,), citations=(CITATION, other)))
    assert [source.told for source in card.sources] == [True, False]


def test_not_stated_says_what_was_searched() -> None:
    places = tuple(SearchedPlace(f"query {n}", Domain.CLINICAL, 4) for n in range(7))
    absent = replace(
        ANSWER, outcome=AnswerOutcome.NOTHING, citations=(), not_found=("NOAEL: not stated",), searched=places
    )
    card = answer_card(absent)
    assert card.title == "Not stated in the archive"
    assert card.not_found == ("NOAEL: not stated", "Searched: 4 clinical documents.")
    assert "sources" not in {button.action for button in card.buttons}


def test_the_closest_passages_are_no_answer_and_can_be_opened() -> None:
    places = (SearchedPlace("NOAEL", None, 4),)
    card = answer_card(replace(ANSWER, outcome=AnswerOutcome.CLOSEST, searched=places))
    assert (card.title, card.not_found) == ("Closest passages", ())
    assert [source.quote for source in card.sources] == [CITATION.quote]


def test_a_partial_answer_says_so_and_can_be_resumed() -> None:
    card = answer_card(replace(ANSWER, partial="stopped by ada"))
    assert card.title == "Partial answer: stopped by ada"
    assert card.buttons[0].action == "resume"


def test_a_question_back_offers_its_choices() -> None:
    asked = replace(ANSWER, ask_back="Which molecule?", options=("AB-123", "AB-132"), citations=())
    card = answer_card(asked)
    assert card.text == "Which molecule?\n\n1. AB-123\n2. AB-132"
    assert card.buttons == (Button("AB-123", "ask", "r1 AB-123"), Button("AB-132", "ask", "r1 AB-132"))


def test_names_most_like_an_unknown_one_are_offered() -> None:
    unknown = replace(ANSWER, outcome=AnswerOutcome.NOTHING, citations=(), options=("AB-123",))
    assert Button("AB-123", "ask", "r1 AB-123") in answer_card(unknown).buttons


def test_feedback_is_counted_below_the_answer() -> None:
    given = [Feedback("r1", "ada", "up"), Feedback("r1", "bob", "down"), Feedback("r1", "cyd", "up")]
    assert answer_card(ANSWER, given).footer == "Trace id: r1 · 👍 2 · 👎 1"


def test_a_failed_run_ends_in_a_reason_and_a_next_step() -> None:
    card = cards.ending_cards(running(RunState.FAILED, error="The index cannot be read."))[0][1]
    assert card.kind is CardKind.ERROR
    assert card.text.startswith("The index cannot be read.")
    assert [button.action for button in card.buttons] == ["resume"]
    assert card.footer == "Trace id: r1"


def test_a_run_stopped_before_anything_was_found_is_no_error() -> None:
    card = cards.ending_cards(running(RunState.STOPPED, error="stopped by ada"))[0][1]
    assert (card.kind, card.title) == (CardKind.NOTICE, "Stopped before anything was found")


def test_one_source_can_be_shown_alone() -> None:
    second = replace(CITATION, number=2, quote="None.")
    view = view_of(replace(ANSWER, citations=(CITATION, second)))
    assert view.report is not None
    assert [source.number for source in report_cards.sources_card(view, view.report).sources] == [1, 2]
    assert [source.quote for source in report_cards.sources_card(view, view.report, 2).sources] == ["None."]
    assert "sources 1 to 2" in report_cards.sources_card(view, view.report, 9).text


def test_a_long_question_is_shortened_in_the_progress_card() -> None:
    shown = cards.started_card("r1", "why " * 400).text
    assert len(shown) == cards.REQUEST_SHOWN + 2
    assert shown.endswith("…")
