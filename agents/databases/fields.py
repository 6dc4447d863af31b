"""Reading a reply that may be anything: what is not there, or of another type than expected, is empty."""

import json
import math

from pydantic import JsonValue

from agents.databases.ports import WebReply
from agents.databases.refusals import unknown_form
from agents.errors import ToolFailed

Place = str | int


def json_of(reply: WebReply, title: str) -> JsonValue:
    """The reply as JSON. Raises `ToolFailed` that names the database if it is none."""
    try:
        value: JsonValue = json.loads(reply.text)
    except (ValueError, RecursionError) as error:
        raise ToolFailed(f"{title} replied with something that is no JSON ({reply.url}).") from error
    return value


def at(value: JsonValue, *path: Place) -> JsonValue:
    """What stands at a path of names and numbers; None where there is nothing."""
    for place in path:
        if isinstance(place, str) and isinstance(value, dict):
            value = value.get(place)
        elif isinstance(place, int) and isinstance(value, list) and -len(value) <= place < len(value):
            value = value[place]
        else:
            return None
    return value


def text(value: JsonValue, *path: Place) -> str:
    """The text or number at a path, on one line; "" for anything else."""
    found = at(value, *path)
    if isinstance(found, bool) or not isinstance(found, str | int | float):
        return ""
    return " ".join(str(found).split())


def number(value: JsonValue, *path: Place) -> float | None:
    """The finite number at a path, also if it is written as text; None for anything else."""
    try:
        found = float(text(value, *path))
    except ValueError:
        return None
    return found if math.isfinite(found) else None


def items(value: JsonValue, *path: Place) -> list[JsonValue]:
    """The list at a path. A single value is a list of one, as some databases write it; None is none."""
    found = at(value, *path)
    if found is None:
        return []
    return found if isinstance(found, list) else [found]


def list_of(value: JsonValue, title: str, *path: Place) -> list[JsonValue]:
    """The list that each reply of `title` has at a path. Raises `ToolFailed` where there is none."""
    found = at(value, *path)
    if not isinstance(found, list):
        raise unknown_form(title, f"no list `{path[-1]}`")
    return found


def texts(value: JsonValue, *path: Place) -> tuple[str, ...]:
    """The texts in the list at a path, without empty ones."""
    return tuple(found for one in items(value, *path) if (found := text(one)))


def cell(row_value: str) -> JsonValue:
    """The value of a cell that holds JSON (see `bulk_format.Row`); None for an empty or broken one."""
    try:
        value: JsonValue = json.loads(row_value)
    except (ValueError, RecursionError):
        return None
    return value
