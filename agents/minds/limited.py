"""A limit on the calls that one run makes of its language model, whoever makes them."""

from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from agents.errors import ModelRefused
from agents.messages import Message, ToolSpec, Turn
from agents.ports import LanguageModel

T = TypeVar("T", bound=BaseModel)

ASKING = 2
"""Calls that `ask` may take: one, and another to repair an answer that does not fit."""


class Calls:
    """Calls made so far; `made` are those before, of a run that goes on after a crash."""

    def __init__(self, made: int = 0) -> None:
        self.made = made

    def take(self, calls: int, most: int) -> None:
        """Count calls that are about to be made. Raises `ModelRefused` if they are too many."""
        if self.made + calls > most:
            raise ModelRefused(f"This question has used its {most} calls of the language model.")
        self.made += calls


class LimitedModel:
    """A language model that refuses further calls once `calls` has counted `most`.

    Several may count together, each with a limit of its own, so that what comes last has calls left.
    """

    def __init__(self, model: LanguageModel, calls: Calls, most: int) -> None:
        self.name = model.name
        self._model, self._calls, self._most = model, calls, most

    async def ask(self, role: str, system: str, user: str, schema: type[T]) -> T:
        """See the port. Raises `ModelRefused` at the limit."""
        self._calls.take(ASKING, self._most)
        return await self._model.ask(role, system, user, schema)

    async def converse(
        self,
        role: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        form: dict[str, Any] | None = None,
    ) -> Turn:
        """See the port. Raises `ModelRefused` at the limit."""
        self._calls.take(1, self._most)
        return await self._model.converse(role, messages, tools, form)
