"""Numbers without a unit: what they count, and what they only name."""

import pytest

from agents.trust.numbered import carries, parse_bare


def number(text: str, value: str) -> tuple[str, str]:
    [found] = [one for one in parse_bare(text) if one.text == value]
    return found.text, found.label


@pytest.mark.parametrize(
    ("text", "value", "label"),
    [
        ("In the last cohort 3 of 8 subjects fainted.", "3", ""),
        ("In arm 5 out of 12 were cured.", "5", ""),
        ("Cohort 3 was given 40 mg.", "3", "cohort"),
        ("Page 3 of 8", "3", "page"),
        ("Study 07 of the programme", "07", "study"),
    ],
)
def test_a_number_before_of_counts_a_part_and_is_no_label(text: str, value: str, label: str) -> None:
    assert number(text, value) == (value, label)


@pytest.mark.parametrize(
    ("stated", "claimed", "carried"),
    [
        ("| Ribotype 027 | 6/11 |", "Cure with ribotype 027", True),
        ("| Ribotype 027 | 6/11 |", "27 were cured", False),
        ("Study 07 was done", "07 were done", False),
        ("7 were done", "07", False),
        ("in the last cohort 3 of 8 subjects", "3 of 8 had it", True),
    ],
)
def test_a_code_with_a_leading_zero_carries_itself_and_no_count(
    stated: str, claimed: str, carried: bool
) -> None:
    numbers = parse_bare(stated)
    assert any(carries(one, parse_bare(claimed)[0]) for one in numbers) is carried


@pytest.mark.parametrize(
    ("stated", "claimed", "carried"),
    [
        ("RNA TS TPM: appendix: 1.0;spleen: 7.2", "raised in the appendix (1.0 TPM)", True),
        ("RNA TS TPM: appendix: 1.0;spleen: 7.2", "spleen 7.2; appendix 1.0", True),
        ("as listed in Appendix 16", "16 subjects were listed", False),
    ],
)
def test_a_value_of_the_appendix_as_an_organ_is_no_number_of_an_appendix(
    stated: str, claimed: str, carried: bool
) -> None:
    told = parse_bare(claimed)[-1]
    assert any(carries(one, told) for one in parse_bare(stated)) is carried
