"""A sentence decides a question for yes or no where it says plainly what is asked."""

import pytest

from agents.archive.general.polarity import verdict
from agents.archive.general.question import analyse_question


@pytest.mark.parametrize(
    ("asked", "sentence", "said"),
    [
        ("Was quorlin given at 30 mg?", "Quorlin was given at 30 mg.", "Yes"),
        ("Was quorlin given at 30 mg?", "Quorlin was given at 10 mg and 30 mg.", "Yes"),
        ("Was quorlin given at 30 mg?", "Quorlin was to be given at 30 mg.", ""),
        ("Was quorlin given at 30 mg?", "Quorlin will be given at 30 mg.", ""),
        ("Will quorlin be given at 30 mg?", "Quorlin will be given at 30 mg.", "Yes"),
        ("Was quorlin given at 30 mg?", "Quorlin was given at 10 mg, since 30 mg was toxic.", ""),
        ("Was quorlin given at 30 mg?", "Quorlin was given at 10 mg rather than 30 mg.", ""),
    ],
)
def test_what_is_to_come_or_another_dose_decides_nothing(asked: str, sentence: str, said: str) -> None:
    assert verdict(analyse_question(asked), sentence) == said
