"""Misspelt words are read as the archive's own; words that are only unknown are left."""

from collections import Counter

import pytest

from agents.archive.spelling import corrected, corrections, doubtful_words, note_of, words_in

ARCHIVE = words_in(
    "Hyperplasia of the pancreas and fibrosis of the pancreas were seen. The half-life was long. "
    "Tmax was short. The emulsion was tolerated. The diet of a patient. Plus sides. Dies. A dye was used."
)


def read(question: str) -> str:
    unknown = [word for word in doubtful_words(question) if word.casefold() not in ARCHIVE]
    return corrected(question, corrections(unknown, ARCHIVE))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Was hyperplazia seen in the pancraes?", "Was hyperplasia seen in the pancreas?"),
        ("Which emulsoin was tolerated?", "Which emulsion was tolerated?"),
        ("Fibrossis in whom?", "Fibrosis in whom?"),
    ],
)
def test_a_slip_of_the_keys_is_mended(written: str, expected: str) -> None:
    assert read(written) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Was the weather in Boston cold?",
        "Which monkeys and rabbits were used by NASA?",
        "What was the half-life of QB-71?",
        "Has QT, qtc, auc, inr, herg or alt changed at 5 mg bid sc or im?",
        "Which dose of pancratinib and of emulsimab was given?",
        "What is AF-21O7, and what is emulsi 7?",
        "Were emulsions or pancreases seen?",
        "Was it in the feces, the sera or fecal, with titers over the lod?",
        "Is dosing biw or tiw in ibd, cll or als, and at which cros?",
        "Did any pig die early?",
        "Which colour had the tablets, btw?",
    ],
)
def test_an_unknown_word_is_no_misspelt_one(question: str) -> None:
    assert read(question) == question


def test_the_word_used_most_wins_and_is_told() -> None:
    made = corrections(["fibrsis"], Counter({"fibrosis": 9, "fibrisis": 1}))
    assert note_of(made) == '"fibrsis" was read as "fibrosis".'
