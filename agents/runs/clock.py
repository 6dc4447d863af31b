"""Wall clock of the ledger: UTC, as ISO 8601 text that sorts by time.

Leases are compared by the clock of the database, where it is a server; all other times are those of the
machine that wrote them.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The time now, in UTC."""
    return datetime.now(UTC)


def stamp(moment: datetime, seconds: float = 0.0) -> str:
    """`moment`, or a time `seconds` after it, as text of one length."""
    return (moment + timedelta(seconds=seconds)).isoformat(timespec="microseconds")


def month_of(moment: datetime) -> str:
    """When the month of a moment began."""
    return stamp(moment.replace(day=1, hour=0, minute=0, second=0, microsecond=0))


def between(first: str, last: str) -> float:
    """Seconds from one time to another, both as `stamp` writes them."""
    return (datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds()
