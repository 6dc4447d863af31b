"""Something of another module that is imported when it is first used: what names it stays quick to import."""

from functools import cached_property
from importlib import import_module
from typing import Any


class Late:
    """`Late("agents.safety.report:report")` is that function, and imports it when it is first called."""

    def __init__(self, path: str) -> None:
        self.path = path

    @cached_property
    def value(self) -> Any:
        """What is named."""
        module, _, name = self.path.partition(":")
        return getattr(import_module(module), name)

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Import what is named, and call it."""
        return self.value(*given, **named)

    def __repr__(self) -> str:
        return f"Late({self.path!r})"


def late(path: str) -> Any:
    """What a path names ("module:attribute"), imported when it is first used."""
    return Late(path)


def loaded(value: Any) -> Any:
    """The value itself, where one is named late."""
    return value.value if isinstance(value, Late) else value
