"""Months in Roman numerals ("14.III.2023", "3/XI/2022", "7 IX 2021"), in one form for all who read dates."""

MONTHS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
BETWEEN = (
    r"(?:\.\s?(?=\w+\.)|/(?=\w+/)|-(?=\w+-)|\s(?=\w+\s))"
    r"(?P<roman>(?-i:I{1,3}|IV|VI{0,3}|IX|X|XI|XII))[./\s-]\s?"
)
"""The month between the day and the year, in capitals, with the same sign before and behind it."""


def month_of(numeral: str) -> int:
    """The number of a month."""
    return MONTHS.index(numeral) + 1
