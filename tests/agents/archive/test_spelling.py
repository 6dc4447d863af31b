"""Misspelt words are read as the archive's own; words that are only unknown are left."""

from collections import Counter

import pytest

from agents.archive.spelling import corrected, correction, corrections, doubtful_words, note_of, words_in

ARCHIVE = words_in(
    "Hyperplasia of the pancreas and fibrosis of the pancreas were seen. The half-life was long. "
    "Tmax was short. The emulsion was tolerated."
)


def read(question: str) -> str:
    unknown = [word for word in doubtful_words(question) if word.casefold() not in ARCHIVE]
    return corrected(question, corrections(question, unknown, ARCHIVE))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Was hyperplazia seen in the pancraes?", "Was hyperplasia seen in the pancreas?"),
        ("Wat was the haf-life?", "What was the half-life?"),
        ("wich emulsoin was tolerated?", "which emulsion was tolerated?"),
        ("What was the hihgest dose and the tmx?", "What was the highest dose and the tmax?"),
        ("Fibrossis in whom?", "Fibrosis in whom?"),
        ("hoe many were tolerated?", "how many were tolerated?"),
        ("whta was the half lfe of QB-71 in humens?", "what was the half life of QB-71 in humans?"),
        ("What is teh dosr in the dpg?", "What is the dose in the dog?"),
        ("howw logn was the halflife of QB-71?", "how long was the half-life of QB-71?"),
        ("Any sideeffects or tox icity in phse 2?", "Any side effects or toxicity in phase 2?"),
        ("Which foood fo the dogs was tolerated?", "Which food of the dogs was tolerated?"),
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
        "Has QT, qtc, auc, inr, herg or alt changed at 5 mg bid sc or im?",
        "Which dose of pancratinib and of emulsimab was given?",
        "What is AF-21O7, and what is emulsi 7?",
        "Were emulsions or pancreases seen?",
        "melting point of the salt?",
        "sites and mergers of the sponsor?",
        "Bleaching agents, please",
        "Was it in the feces, the sera or fecal, with titers over the lod?",
        "Is dosing biw or tiw in ibd, cll or als, and at which cros?",
    ],
)
def test_an_unknown_word_is_no_misspelt_one(question: str) -> None:
    assert read(question) == question


def test_the_word_used_most_wins() -> None:
    made = correction("fibrsis", Counter({"fibrosis": 9, "fibrisis": 1}), opens=False)
    assert made is not None
    assert note_of([made]) == '"fibrsis" was read as "fibrosis".'


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
    assert corrections(question, words, archive) == []


def test_several_corrections_are_told_in_one_sentence_and_a_lost_hyphen_is_not() -> None:
    words = ["halflife", "emulsoin", "hyperplazia"]
    told = note_of(corrections(" ".join(words), words, ARCHIVE))
    assert told == '"emulsoin" was read as "emulsion", "hyperplazia" was read as "hyperplasia".'


def test_words_written_as_they_sound_become_no_other_word() -> None:
    question = "hou meny subjects of the fase 1 trial had a rash"
    read = corrected(question, corrections(question, doubtful_words(question), Counter()))
    assert "many subjects" in read
    assert not {"you", "menu", "case"} & set(read.split())
