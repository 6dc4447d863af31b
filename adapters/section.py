"""What every group of settings is."""

from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict

T = TypeVar("T")


class Section(BaseModel):
    """A group of settings: frozen, and closed to unknown names."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def listed(value: object) -> object:
    """A variable holds text: T1,T2."""
    return (
        tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value
    )


Listed = Annotated[tuple[T, ...], BeforeValidator(listed)]
"""Several values; a variable holds them as one text."""


def paired(value: object, between: str, example: str) -> object:
    """A variable holds text: names with what belongs to each, as in the example. Raises `ValueError`."""
    if not isinstance(value, str):
        return value
    pairs = [part.partition("=") for part in value.split(between) if part.strip()]
    if not all(equals for _, equals, _ in pairs):
        raise ValueError(f"write it as {example}")
    return {name.strip(): held.strip() for name, _, held in pairs}
