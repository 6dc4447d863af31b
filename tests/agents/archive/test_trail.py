"""The trace of an archive run: what was searched, kept and refused, and why."""

import json

from agents.archive.trail import NOT_RANKED, looked
from agents.evidence.looked import Refusal, Spot
from agents.runs.records import StepRecord


def step(name: str, output: object) -> StepRecord:
    return StepRecord("r1", name, name, json.dumps(output), "2026-11-22T05:53:00+00:00", 0.1)


FOUND = {
    "chunks": [
        {"chunk_id": "A#0", "doc_id": "A", "start": 0, "end": 100, "score": 0.9},
        {"chunk_id": "B#0", "doc_id": "B", "start": 0, "end": 80, "score": 0.5},
    ],
    "searched": {"query": "ZX-1 first dose", "domain": "clinical", "documents": 7, "passages": 30},
}


def test_a_search_tells_its_query_and_where_it_looked() -> None:
    (one,) = looked([step("search/clinical", [FOUND])])
    assert (one.query, one.where, one.documents) == ("ZX-1 first dose", "clinical", 7)
    assert (one.kept, one.refused) == ((), ())


def test_a_general_search_and_its_ranking_are_told() -> None:
    ranked = {"closest": [{"doc_id": "B", "start": 5, "column": None}]}
    (one,) = looked([step("search/general", FOUND), step("review/general", ranked)])
    assert (one.kept, one.refused) == ((Spot("B", 5),), (Refusal(NOT_RANKED, spot=Spot("A", 0, 100)),))
    told = ranked | {"told": {"doc_id": "C", "start": 7, "column": None}}
    (one,) = looked([step("search/general", FOUND), step("review/general", told)])
    assert one.kept == (Spot("C", 7),)


def test_values_and_claims_that_were_not_taken_are_told_once_with_the_reason() -> None:
    rejected = {"value": "10 mg", "guard": "planned vs actual", "reason": "it was planned", "key": ""}
    claim = {"text": "It was given to dogs.", "verdict": "unsupported", "reason": "No passage says so."}
    kept = {"text": "It was given to rats.", "verdict": "supported", "reason": ""}
    draft = {"value": {"rejected": [rejected]}}
    (one,) = looked(
        [
            step("research/clinical", [draft]),
            step("supervise", {"parts": [draft["value"], {"claims": [claim, kept]}]}),
        ]
    )
    assert one.refused == (
        Refusal("it was planned (planned vs actual)", "10 mg"),
        Refusal("No passage says so.", "It was given to dogs."),
    )


def test_what_a_model_searched_for_by_itself_is_told() -> None:
    turn = {
        "turn": {"text": "", "tool_calls": [{"id": "1", "name": "search", "arguments": '{"query": "ZX-1"}'}]}
    }
    (one,) = looked([step("read/turn 1", turn)])
    assert one.query == "search: query ZX-1"


def test_what_another_version_kept_in_another_form_is_left_out() -> None:
    odd = [
        "",
        "{",
        "[1, null]",
        '{"searched": 3, "chunks": 4}',
        '[{"chunks": [{"doc_id": 1, "start": "a"}]}]',
    ]
    for output in odd:
        record = StepRecord("r1", "search/clinical", "h", output, "2026-11-22T05:53:00+00:00", 0.1)
        assert all(not one.kept and not one.refused for one in looked([record]))


def test_who_judged_the_statements_is_told() -> None:
    claim = {"text": "Rats died.", "verdict": "supported", "checked_by": "numbers; entailment by big"}
    (one,) = looked([step("supervise", {"parts": [{"claims": [claim, claim]}]})])
    assert (one.query, one.where) == ("Statements were checked", "by numbers; entailment by big")
