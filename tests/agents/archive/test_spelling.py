"""Misspelt words are read as the archive's own; words that are only unknown are left."""

from collections import Counter

import pytest

from agents.archive.spelling import corrected, correction, doubtful_words, words_in

ARCHIVE = words_in(
    "Hyperplasia of the pancreas and fibrosis of the pancreas were seen. The half-life was long. "
    "Tmax was short. The emulsion was tolerated."
)


def read(question: str) -> str:
    first = question.split()[0]
    known = [word for word in doubtful_words(question) if word.casefold() not in ARCHIVE]
    made = [correction(word, ARCHIVE, opens=word == first) for word in known]
    return corrected(question, [one for one in made if one])


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Was hyperplazia seen in the pancraes?", "Was hyperplasia seen in the pancreas?"),
        ("Wat was the haf-life?", "What was the half-life?"),
        ("wich emulsoin was tolerated?", "which emulsion was tolerated?"),
        ("What was the hihgest dose and the tmx?", "What was the highest dose and the tmax?"),
        ("Fibrossis in whom?", "Fibrosis in whom?"),
    ],
)
def test_a_slip_of_the_keys_is_mended(written: str, expected: str) -> None:
    assert read(written) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Was the weather in Boston cold?",
        "Did Dr Fibich sponsor the zebra project?",
        "Which monkeys and rabbits were used by NASA?",
        "What was the half-life of QB-71?",
    ],
)
def test_an_unknown_word_is_no_misspelt_one(question: str) -> None:
    assert read(question) == question


def test_the_word_used_most_wins() -> None:
    made = correction("fibrsis", Counter({"fibrosis": 9, "fibrisis": 1}), opens=False)
    assert made is not None
    assert made.note == '"fibrsis" was read as "fibrosis".'


@pytest.mark.parametrize(
    "question",
    [
        "Did any pig die early?",
        "Which patent covers QB-71?",
        "The emulsions for a slide pls",
        "Which colour had the tablets, btw?",
        "hERG IC50 of QB-71?",
        "Which mAb was used?",
    ],
)
def test_a_word_of_english_or_of_a_hurried_message_is_left(question: str) -> None:
    archive = words_in("The diet of a patient. Plus sides. Dies. A dye was used. Here, a map.")
    words = [word for word in doubtful_words(question) if word.casefold() not in archive]
    made = [correction(word, archive, opens=word == question.split()[0]) for word in words]
    assert [one for one in made if one] == []
