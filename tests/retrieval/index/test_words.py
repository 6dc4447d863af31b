import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.index.words import codes, fold, match_expression, rarest, terms


@pytest.mark.parametrize("written", ["QX-2207", "QX2207", "QX 2207", "qx-2207", "QX‑2207", "QX–2207"])
def test_all_spellings_of_a_code_are_one(written: str) -> None:
    assert codes(f"Results of {written} in rats") == ("qx2207",)


def test_words_of_function_before_numbers_are_no_codes() -> None:
    assert codes("of 25 animals in 1998 and on day 28") == ("day28",)


def test_both_micro_signs_are_one() -> None:
    assert fold("5 \N{MICRO SIGN}g") == fold("5 \N{GREEK SMALL LETTER MU}g")


def test_terms_are_words_that_carry_a_topic() -> None:
    assert terms("What was the highest dose of QX-2207 in Phase 2?") == (
        "highest",
        "dose",
        "qx",
        "2207",
        "phase",
        "2",
    )


def test_the_rarest_terms_are_chosen_within_both_bounds() -> None:
    counts = {"dose": 900, "zelmarin": 3, "dog": 50, "unknown": 0, "liver": 60}
    assert rarest(counts, 2000, most=2, postings=1000) == ("zelmarin", "dog")
    assert rarest(counts, 2000, most=9, postings=100) == ("zelmarin", "dog")
    assert rarest({"unknown": 0}, 2000, most=9, postings=100) == ()


def test_a_single_frequent_term_is_searched_unless_most_chunks_have_it() -> None:
    assert rarest({"dose": 900}, 2000, most=9, postings=100) == ("dose",)
    assert rarest({"dose": 1900}, 2000, most=9, postings=100) == ()
    assert rarest({"dose": 19}, 20, most=9, postings=100) == ("dose",)


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4))
def test_a_match_expression_is_quoted_phrases_and_nothing_else(phrases: list[str]) -> None:
    expression = match_expression(phrases)
    assert expression.replace('""', "").count('"') % 2 == 0
    assert expression.startswith('"')
    assert expression.endswith('"')
