"""What an HTTP reply says beside its status: how long to wait, and its text."""

import re
from datetime import datetime
from email.utils import parsedate_to_datetime

import httpx


def wanted_pause(response: httpx.Response, now: datetime) -> float | None:
    """What Retry-After says, in seconds: it holds a number or a date."""
    said = response.headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,6}", said):
        return float(said)
    try:
        return max(0.0, (parsedate_to_datetime(said) - now).total_seconds())
    except (ValueError, TypeError):
        return None


def decoded(body: bytes, charset: str | None) -> str:
    """A body as text; what does not fit its encoding becomes a replacement character."""
    try:
        return body.decode(charset or "utf-8", errors="replace")
    except LookupError:
        return body.decode("utf-8", errors="replace")
