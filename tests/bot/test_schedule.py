"""Schedules: words and cron fields, time zones, and days on which the clock is changed."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.digests.schedule import Schedule, next_tick, parse
from bot.errors import BadRequest
from tests.support.drills import examples

ZURICH = "Europe/Zurich"


def ticks(text: str, start: str, count: int) -> list[str]:
    schedule, at = parse(text), datetime.fromisoformat(start).replace(tzinfo=UTC)
    found = []
    for _ in range(count):
        at = next_tick(schedule, at)
        found.append(f"{at:%m-%d %H:%M}")
    return found


@pytest.mark.parametrize(
    ("text", "cron", "zone"),
    [
        ("every weekday 08:30 Europe/Zurich", "30 8 * * 1-5", ZURICH),
        ("Every weekday at 8:30 europe/zurich", "30 8 * * 1-5", ZURICH),
        ("weekdays 8am America/New_York", "0 8 * * 1-5", "America/New_York"),
        ("every day 7:00", "0 7 * * *", "UTC"),
        ("daily at 12am", "0 0 * * *", "UTC"),
        ("every morning at 7", "0 7 * * *", "UTC"),
        ("monday and thursday 9am", "0 9 * * 1,4", "UTC"),
        ("every mon, wed, fri 17:15", "15 17 * * 1,3,5", "UTC"),
        ("weekly on Friday 16:00", "0 16 * * 5", "UTC"),
        ("every 2 hours", "0 */2 * * *", "UTC"),
        ("hourly", "0 */1 * * *", "UTC"),
        ("every 30 minutes", "*/30 * * * *", "UTC"),
        ("0 8 1 * *", "0 8 1 * *", "UTC"),
        ("0 9 * * 1#1", "0 9 * * 1#1", "UTC"),
        ("30 8 * * 1-5 Europe/Zurich", "30 8 * * 1-5", ZURICH),
        ("0 9,17 * * *", "0 9,17 * * *", "UTC"),
        ("*/20 8-17 * * 1-5", "*/20 8-17 * * 1-5", "UTC"),
    ],
)
def test_words_and_cron_fields_are_understood(text: str, cron: str, zone: str) -> None:
    schedule = parse(text)
    assert (schedule.cron, schedule.zone) == (cron, zone)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sometimes",
        "every weekday",
        "every day 25:00",
        "every day 13pm",
        "every foo 8:00",
        "8:00 and 9:00 daily",
        "every day 8:00 Europe/Atlantis",
        "61 8 * * *",
        "* * * * *",
        "every 5 minutes",
        "0 8 30 2 *",
        "0 0 8 * * 1",
    ],
)
def test_what_is_no_schedule_is_refused_with_what_is_one(text: str) -> None:
    with pytest.raises(BadRequest):
        parse(text)


def test_the_same_time_on_the_clock_in_winter_and_in_summer() -> None:
    text = "every weekday 08:30 Europe/Zurich"
    assert ticks(text, "2026-03-26T12:00", 3) == ["03-27 07:30", "03-30 06:30", "03-31 06:30"]
    assert ticks(text, "2026-10-22T12:00", 2) == ["10-23 06:30", "10-26 07:30"]


def test_a_time_that_the_clock_skips_fires_once() -> None:
    assert ticks("every day 02:30 Europe/Zurich", "2026-03-27T12:00", 3) == [
        "03-28 01:30",
        "03-29 01:00",
        "03-30 00:30",
    ]


def test_a_time_that_the_clock_shows_twice_fires_once() -> None:
    assert ticks("every day 02:30 Europe/Zurich", "2026-10-23T12:00", 3) == [
        "10-24 00:30",
        "10-25 00:30",
        "10-26 01:30",
    ]


def test_hours_around_a_change_of_the_clock_come_in_order_and_once() -> None:
    assert ticks("30 * * * * Europe/Zurich", "2026-03-29T00:00", 4) == [
        "03-29 00:30",
        "03-29 01:30",
        "03-29 02:30",
        "03-29 03:30",
    ]
    assert ticks("30 * * * * Europe/Zurich", "2026-10-24T23:45", 3) == [
        "10-25 00:30",
        "10-25 01:30",
        "10-25 02:30",
    ]


@settings(max_examples=examples(40), deadline=None)
@given(
    zone=st.sampled_from(
        [ZURICH, "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "America/Santiago"]
    ),
    hour=st.integers(0, 23),
    minute=st.sampled_from([0, 15, 30, 59]),
    day=st.integers(0, 360),
)
def test_a_daily_digest_comes_once_a_day_all_year(zone: str, hour: int, minute: int, day: int) -> None:
    schedule = Schedule(f"{minute} {hour} * * *", zone, "")
    at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day)
    found = []
    for _ in range(8):
        at = next_tick(schedule, at)
        found.append(at)
    assert all(
        timedelta(hours=22) < later - earlier < timedelta(hours=26) for earlier, later in pairwise(found)
    )
