"""What denies, plans or doubts, and what is the opposite of what."""

import pytest

from agents.text.polarity import is_doubted, is_planned, negated, opposed

DENIED = [
    ("No animal died.", True),
    ("Neither sex was affected.", True),
    ("It wasn't seen.", True),
    ("It failed to lower the pressure.", True),
    ("It is not without risk.", False),
    ("All animals died.", False),
    ("Nothing was notable.", True),
    ("Nodules were noted.", False),
]
TO_COME = [
    ("It will be given at 5 mg.", True),
    ("A second cohort is planned.", True),
    ("Dosing is scheduled for May.", True),
    ("The proposed dose is 5 mg.", True),
    ("5 mg was given.", False),
    ("A plant and a planet", False),
]
OPPOSED = [
    ("ALT was increased.", "ALT was decreased.", True),
    ("No deaths occurred.", "Deaths occurred.", True),
    ("The effect was reversible.", "The effect was irreversible.", True),
    ("ALT was higher.", "ALT was higher in males.", False),
]


@pytest.mark.parametrize(("text", "denied"), DENIED)
def test_an_odd_number_of_negations_denies(text: str, denied: bool) -> None:
    assert negated(text) is denied


@pytest.mark.parametrize(("text", "planned"), TO_COME)
def test_what_is_planned_is_not_done(text: str, planned: bool) -> None:
    assert is_planned(text) is planned


@pytest.mark.parametrize(("one", "other", "are"), OPPOSED)
def test_opposites(one: str, other: str, are: bool) -> None:
    assert bool(opposed(one, other)) is are


def test_a_condition_is_a_doubt() -> None:
    assert is_doubted("It was stopped if ALT rose.")
    assert not is_doubted("It was stopped.")
