"""A step's output as JSON and back, checked in both directions."""

import inspect
from collections.abc import Callable
from functools import cache, partial
from typing import Any, TypeVar, get_type_hints

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from agents.errors import LedgerMismatch


@cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    """The validator of a type; made once."""
    return TypeAdapter(kind)


def returned_type(work: Callable[..., Any]) -> Any:
    """The return annotation of a function, method, callable object or partial of one.

    Raises `TypeError` if it says nothing to validate against.
    """
    while isinstance(work, partial):
        work = work.func
    function = work if inspect.isroutine(work) else type(work).__call__
    kind = get_type_hints(function).get("return", TypeVar)
    if kind is TypeVar or isinstance(kind, TypeVar):
        raise TypeError(f"{work!r} does not say what it returns; name the type as output=")
    return kind


def encode(kind: Any, value: object) -> tuple[str, Any]:
    """The value as JSON, and as a replay will read it: both runs go on with the very same value.

    Raises `TypeError` if the value does not fit the type.
    """
    try:
        text = adapter(kind).dump_json(value, warnings="error").decode()
        return text, adapter(kind).validate_json(text)
    except (PydanticSerializationError, ValidationError) as error:
        raise TypeError(f"the output does not fit {kind}: {error}") from error


def decode(kind: Any, text: str, what: str) -> Any:
    """A stored value. Raises `LedgerMismatch`."""
    try:
        return adapter(kind).validate_json(text)
    except ValidationError as error:
        raise LedgerMismatch(
            f"The stored {what} does not fit its type any more "
            f"({error.error_count()} problems, first: {error.errors(include_url=False)[0]['msg']}). "
            "It was written by another version of Pestle: ask the question again."
        ) from error
