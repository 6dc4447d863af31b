"""Codes of molecules, studies and animals in a text; measures, parts and adjectives are none."""

import pytest

from agents.text.identifiers import codes, folded, pattern

CASES = [
    ("PX-1001 and AB 12-345 were given.", ["12-345", "AB 12-345", "PX-1001"]),
    ("Study LAB/elk/231 and 20Qz1", ["LAB/elk/231", "20Qz1"]),
    ("A 4-arm study, the 2nd of 10/sex/group, log10", []),
    ("CYP3A4-inhibitors", ["CYP3A4"]),
    ("14-226 showed it", ["14-226"]),
    ("MP:0005377", ["MP:0005377"]),
]


@pytest.mark.parametrize(("text", "found"), CASES)
def test_codes_of_a_text(text: str, found: list[str]) -> None:
    assert sorted(codes(text)) == sorted(found)


def test_a_code_is_the_same_with_other_separators_and_case() -> None:
    assert pattern("PX-1001").search(folded("the px 1001 arm"))
    assert not pattern("PX-1001").search(folded("the px 10012 arm"))
