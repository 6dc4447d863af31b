"""When a digest is due: words or cron fields with a time zone, and the instants that they name.

    schedule = parse("every weekday 08:30 Europe/Zurich")      # cron "30 8 * * 1-5"
    next_tick(schedule, after)                                 # the first instant after `after`, in UTC

A time of the day that the clock skips in spring fires as the clock goes on, one that it shows twice in autumn
once; what comes every hour comes every hour (`cronsim`, after the cron of Debian).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise
from zoneinfo import ZoneInfo, available_timezones

from cronsim import CronSim, CronSimError

from bot.errors import BadRequest

DEFAULT_ZONE = "UTC"
LEAST = timedelta(minutes=15)
"""Between two digests: each looks through all that its channel keeps."""
LOOKED_AT = 200
"""Ticks by which it is judged how often a schedule fires."""
HOW = (
    'Write a schedule such as "every weekday 08:30 Europe/Zurich", "every day 7:00", "monday and thursday '
    '9am", "every 2 hours", or five cron fields, "30 8 * * 1-5", each with a time zone behind it if it is '
    "not UTC."
)
_DAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
_NAMED = {"weekday": "1-5", "working day": "1-5", "weekend": "0,6", "day": "*", "morning": "*"}
_TIME = re.compile(r"\b(?:at )?(\d{1,2})(?::(\d{2}))?\s*(am|pm)?\b", re.IGNORECASE)
_EVERY = re.compile(r"(?:every )?(\d{1,2}) (hours|minutes)")


@dataclass(frozen=True, slots=True)
class Schedule:
    """Five cron fields on the clock of a time zone (IANA name). `text` is how a person wrote it."""

    cron: str
    zone: str
    text: str


def parse(text: str) -> Schedule:
    """A schedule from words or cron fields. Raises `BadRequest` that says what can be written."""
    words = " ".join(text.replace(",", " , ").split())
    words, zone = _without_zone(words)
    fields = words.replace(" , ", ",")
    cron = fields if re.fullmatch(r"[\d*]\S*(?: \S+){4}", fields) else _cron_of(words.casefold())
    schedule = Schedule(cron, zone, " ".join(text.split()))
    try:
        ticks = list(islice(_ticks(schedule, datetime(2026, 1, 1, tzinfo=UTC)), LOOKED_AT))
    except (CronSimError, StopIteration):
        raise BadRequest(f"“{text}” is no schedule that I understand. {HOW}") from None
    if not ticks:
        raise BadRequest(f"“{text}” never comes. {HOW}")
    if any(second - first < LEAST for first, second in pairwise(ticks)):
        raise BadRequest("A digest comes at most every 15 minutes.")
    return schedule


def next_tick(schedule: Schedule, after: datetime) -> datetime:
    """The first instant of a schedule after another one, in UTC."""
    return next(_ticks(schedule, after))


def _ticks(schedule: Schedule, after: datetime) -> Iterator[datetime]:
    """The instants after another one, in order."""
    for instant in CronSim(schedule.cron, after.astimezone(ZoneInfo(schedule.zone))):
        yield instant.astimezone(UTC)


def render_moment(moment: datetime, schedule: Schedule) -> str:
    """An instant on the schedule's clock, for people."""
    return f"{moment.astimezone(ZoneInfo(schedule.zone)):%a %-d %b %Y, %H:%M} {schedule.zone}"


def _without_zone(words: str) -> tuple[str, str]:
    """The words before a time zone at their end, and its name as IANA writes it."""
    known = {name.casefold(): name for name in available_timezones()}
    before, _, last = words.rpartition(" ")
    if last.casefold() in known:
        return before, known[last.casefold()]
    if re.fullmatch(r"[A-Za-z_]+/[A-Za-z_/+-]+", last):
        raise BadRequest(f"There is no time zone {last}. Write one as Europe/Zurich or America/New_York.")
    return words, DEFAULT_ZONE


def _cron_of(words: str) -> str:
    """Five cron fields from words. Raises `BadRequest`."""
    words = re.sub(r"\b(?:daily)\b", "every day", words)
    words = re.sub(r"\bhourly\b|\bevery hour\b", "every 1 hours", words)
    if every := _EVERY.fullmatch(words):
        count = int(every[1])
        return f"0 */{count} * * *" if every[2] == "hours" else f"*/{count} * * * *"
    times = _TIME.findall(words)
    if len(times) != 1:
        raise BadRequest(f"“{words}” names no time, or several. {HOW}")
    return f"{_minute_hour(*times[0])} * * {_days_of(_TIME.sub(' ', words, count=1))}"


def _minute_hour(hour: str, minute: str, half: str) -> str:
    """The first two fields. Raises `BadRequest` for a time that no clock shows."""
    hours, minutes = int(hour), int(minute or 0)
    if half:
        hours = hours % 12 + (12 if half.casefold() == "pm" else 0) if 1 <= hours <= 12 else 24
    if hours > 23 or minutes > 59:
        raise BadRequest(f"There is no such time of the day: {hour}:{minute or '00'}{half}.")
    return f"{minutes} {hours}"


def _days_of(words: str) -> str:
    """The field of the days of the week. Raises `BadRequest` for words that name none."""
    plain = re.sub(r"\b(?:every|each|on|at|the|of|and|weekly|week)\b|[,&]", " ", words)
    named = [re.sub(r"s$", "", word) for word in re.findall(r"working days?|[a-z]+", plain)]
    fields = [_NAMED.get(word) or _day_of(word, words) for word in named]
    if not fields:
        raise BadRequest(f"“{words.strip()}” names no day. {HOW}")
    return "*" if "*" in fields else ",".join(dict.fromkeys(fields))


def _day_of(word: str, words: str) -> str:
    """The number of a day's name, written out or begun with three letters or more. Raises `BadRequest`."""
    found = [number for number, name in enumerate(_DAYS) if len(word) >= 3 and name.startswith(word)]
    if len(found) != 1:
        raise BadRequest(f"“{words.strip()}” names no day that I know. {HOW}")
    return str(found[0])
