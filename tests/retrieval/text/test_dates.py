"""Dates as documents and answers write them."""

import pytest

from retrieval.text.dates import covers, first_date, parse_dates

CASES = [
    ("7 May 2019, 10:00, Basel", "2019-05-07"),
    ("May 7, 2019", "2019-05-07"),
    ("signed on the 7th of May 2019.", "2019-05-07"),
    ("2019-05-07", "2019-05-07"),
    ("2019/05/07", "2019-05-07"),
    ("07.05.2019", "2019-05-07"),
    ("12/25/2019", "2019-12-25"),
    ("7.V.2019", "2019-05-07"),
    ("3. März 1990", "1990-03-03"),
    ("14-SEP-2021", "2021-09-14"),
    ("Sept. 2021", "2021-09"),
    ("in 2021-09", "2021-09"),
    ("in 2021", ""),
    ("they may 2021 times", ""),
    ("report 2019-05-071", ""),
]


@pytest.mark.parametrize(("text", "date"), CASES)
def test_the_first_day_or_month_of_a_text(text: str, date: str) -> None:
    assert first_date(text) == date


def test_a_date_in_numbers_alone_can_be_read_in_two_ways() -> None:
    [written] = parse_dates("03/04/2019")
    assert written.readings == ((2019, 4, 3), (2019, 3, 4))
    assert all(covers(written, one) for text in ("3 April 2019", "4 March 2019") for one in parse_dates(text))
    assert not any(covers(written, one) for one in parse_dates("5 April 2019"))
