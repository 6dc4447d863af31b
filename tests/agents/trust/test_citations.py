"""Citations: no invented key survives, every quote is verbatim, every number leads to its place."""

import re

from hypothesis import given
from hypothesis import strategies as st

from agents.trust.citations import (
    cited,
    close_citations,
    find_quote,
    marked_keys,
    without_marks,
)
from agents.trust.values import Claim, Derivation
from tests.agents.trust.builders import claim, evidence, remember

TEXTS = ("Doses of 5 and 10 mg were given.", "No deaths\n  occurred.", "The study was stopped.")
KEYS = st.integers(0, 12).map(lambda number: f"E{number}")


def test_marks_become_keys_and_leave_the_text() -> None:
    closed = close_citations(claim("Doses were given [E1, E9] and nobody died [E2].", "E7"), remember(*TEXTS))
    assert closed.keys == ("E1", "E2")
    assert closed.text == "Doses were given and nobody died."


def test_white_space_of_a_quote_may_differ_and_its_offsets_are_those_of_the_document() -> None:
    memory = remember(*TEXTS)
    found = memory.get("E2")
    place = find_quote('"deaths occurred."', found)
    assert place is not None
    document = " ".join(TEXTS)
    assert document[place[0] : place[1]] == "deaths\n  occurred."


def test_a_quote_with_another_word_is_dropped() -> None:
    closed = close_citations(claim("A", "E1", quotes=("5 and 20 mg", "10 mg were given")), remember(*TEXTS))
    assert closed.quotes == ("10 mg were given",)


def test_an_empty_quote_is_nowhere() -> None:
    assert find_quote("  ''", evidence("Any text.")) is None


def test_a_quote_must_stand_in_a_passage_that_the_claim_cites() -> None:
    closed = close_citations(claim("A", "E1", quotes=("study was stopped",)), remember(*TEXTS))
    assert closed.quotes == ()


def test_keys_of_a_derivation_are_closed_too() -> None:
    derived = Derivation("20 mg/day", "10 * 2", ("10 mg b.i.d.",), ("E1", "E44"))
    closed = close_citations(Claim("20 mg/day", ("E1",), derived=(derived,)), remember(*TEXTS))
    assert closed.derived[0].keys == ("E1",)


@given(st.lists(KEYS), st.lists(st.lists(KEYS, min_size=1, max_size=3), max_size=4), st.text(max_size=30))
def test_no_invented_key_survives(keys: list[str], marks: list[list[str]], words: str) -> None:
    memory = remember(*TEXTS)
    text = words + " ".join(f"[{', '.join(mark)}]" for mark in marks)
    closed = close_citations(claim(text, *keys), memory)
    assert all(key in memory for key in closed.keys)
    assert not any(marked_keys(closed.text)) or all(key in memory for key in marked_keys(closed.text))


@given(st.lists(st.text(max_size=20)), st.integers(0, 30), st.integers(1, 40))
def test_every_quote_that_survives_is_verbatim(invented: list[str], start: int, length: int) -> None:
    memory = remember(*TEXTS)
    sliced = re.sub(r"\s+", " ", TEXTS[0][start : start + length])
    closed = close_citations(claim("A", "E1", "E2", quotes=(*invented, sliced)), memory)
    places = [
        (memory.get(key), find_quote(quote, memory.get(key)))
        for key in closed.keys
        for quote in closed.quotes
    ]
    citations = [cited(1, found, *place) for found, place in places if place]
    document = " ".join(TEXTS)
    assert all(citation.quote == document[citation.start : citation.end] for citation in citations)
    assert all(any(quote in text for text in TEXTS) for quote in closed.quotes)


@given(st.text(max_size=60))
def test_a_text_without_marks_has_none(text: str) -> None:
    assert marked_keys(without_marks(text)) == () or marked_keys(text) != ()
