"""What identifies a step: the SHA-256 of the canonical JSON of its inputs.

Canonical means that equal values give equal text in every process: keys sorted, sets sorted, no NaN.
"""

import dataclasses
import hashlib
import json
from collections.abc import Hashable, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Any

PLAIN = frozenset({str, int, float, bool, type(None)})


def digest(inputs: Sequence[object]) -> str:
    """SHA-256 in hex of the inputs.

    Raises `TypeError` for what is no data (a port, a function) and `ValueError` for NaN and infinity.
    """
    return hashlib.sha256(canonical_json(inputs).encode("utf-8", "surrogatepass")).hexdigest()


def canonical_json(value: object) -> str:
    """One text for equal values. Raises as `digest`."""
    from pydantic_core import PydanticSerializationError  # later: a help text need not wait for it

    try:
        data = _plain(value)
    except PydanticSerializationError as error:
        raise TypeError(f"{error}: inputs must be data; bind ports with functools.partial") from None
    return json.dumps(data, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _plain(value: Any) -> Any:
    """The value as JSON types. Sets come out sorted, which pydantic_core alone would not do."""
    kind: Any = type(value)
    if kind in PLAIN:
        return value
    if kind is tuple or kind is list:
        return [_plain(item) for item in value]
    if names := _fields(kind):
        return {name: _plain(getattr(value, name)) for name in names}
    return _container(value)


def _container(value: Any) -> Any:
    """Sets, mappings and everything that pydantic_core knows."""
    from pydantic_core import to_jsonable_python

    if isinstance(value, Enum):
        return _plain(value.value)
    if isinstance(value, set | frozenset):
        return sorted((_plain(item) for item in value), key=canonical_json)
    if isinstance(value, Mapping):
        return {_key(key): _plain(item) for key, item in value.items()}
    return to_jsonable_python(value)


def _key(key: Any) -> str:
    """A mapping's key as JSON has it."""
    from pydantic_core import to_jsonable_python

    plain = to_jsonable_python(key)
    return plain if isinstance(plain, str) else json.dumps(plain)


@cache
def _fields(kind: Hashable) -> tuple[str, ...]:
    """Fields of a dataclass or Pydantic model; empty for any other type."""
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return tuple(one.name for one in dataclasses.fields(kind))
    return tuple(getattr(kind, "model_fields", ()))
