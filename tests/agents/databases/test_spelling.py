"""British and American spelling: what is respelled, and what only looks alike."""

import pytest

from agents.databases.spelling import american, british


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("fecal incontinence", "faecal incontinence"),
        ("defecation urgency", "defaecation urgency"),
        ("hemorrhage and hematuria", "haemorrhage and haematuria"),
        ("methemoglobinemia", "methaemoglobinaemia"),
        ("ischemic colitis", "ischaemic colitis"),
        ("fetal distress", "foetal distress"),
        ("gastroesophageal reflux", "gastrooesophageal reflux"),
        ("blood estrogen increased", "blood oestrogen increased"),
    ],
)
def test_a_term_has_both_spellings(here: str, there: str) -> None:
    assert british(here) == there
    assert american(there) == here
    assert british(there) == there


@pytest.mark.parametrize(
    "word",
    [
        *("infection", "defect", "affected", "chemotherapy", "erythema", "exanthema", "hemiplegia"),
        *("hemianopia", "systemic", "safety", "lifetime", "pedal", "stopped", "restriction", "membranes"),
        *("destruction", "angioedema", "anaemia"),
    ],
)
def test_a_word_that_only_looks_alike_stays(word: str) -> None:
    assert british(word) == word


def test_american_words_that_hold_a_british_part_stay() -> None:
    assert american("gastroesophageal angioedema") == "gastroesophageal angioedema"
    assert american("gastrooesophageal oedema, oesophagus") == "gastroesophageal edema, esophagus"
