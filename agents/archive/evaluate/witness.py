"""A model that reads and never answers: it notes what a model would get to see, and rules do the work."""

from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from agents.errors import ModelUnavailable
from agents.messages import Message, ToolSpec, Turn

T = TypeVar("T", bound=BaseModel)


class Witness:
    """Implements `agents.ports.LanguageModel`; every call fails, so each step falls back to rules."""

    name = "witness"

    def __init__(self) -> None:
        self.seen: list[str] = []
        """The texts that a model was to read."""

    async def ask(self, role: str, system: str, user: str, schema: type[T]) -> T:
        """See the port."""
        self.seen.append(user)
        raise ModelUnavailable(f"the witness only reads ({role})")

    async def converse(
        self,
        role: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        form: dict[str, Any] | None = None,
    ) -> Turn:
        """See the port."""
        self.seen += [message.text for message in messages]
        raise ModelUnavailable(f"the witness only reads ({role})")
