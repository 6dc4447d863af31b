"""A language model that answers from a script: for tests, demonstrations and the development of pipelines."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel

from agents.errors import ModelAnswerInvalid, ModelUnavailable
from agents.runs.meter import spend
from agents.usage import Usage

T = TypeVar("T", bound=BaseModel)
Answer = BaseModel | Mapping[str, object] | str | Exception
"""A value, its JSON as a mapping or text, or an error to be raised."""


@dataclass(frozen=True, slots=True)
class Call:
    """What the model was asked. `schema` is the name of the schema, or "" for streamed text."""

    role: str
    system: str
    user: str
    schema: str


class ScriptedModel:
    """Answers per role: a list that is used up in order, or a function of the call. Every call is kept in
    `calls`.

    A role without an answer, or with none left, raises `ModelUnavailable`. Each call spends `usage` (default:
    one call, no tokens).
    """

    def __init__(
        self,
        answers: Mapping[str, Sequence[Answer] | Callable[[Call], Answer]],
        *,
        name: str = "scripted",
        usage: Usage | None = None,
    ) -> None:
        self.name = name
        self.calls: list[Call] = []
        self._answers = {
            role: list(given) if isinstance(given, Sequence) else given for role, given in answers.items()
        }
        self._usage = usage or Usage(calls=1, models=(name,))

    async def ask(self, role: str, system: str, user: str, schema: type[T]) -> T:
        """The next answer of the role. Raises `ModelAnswerInvalid` if it does not fit the schema."""
        answer = self._next(Call(role, system, user, schema.__name__))
        try:
            if isinstance(answer, str):
                return schema.model_validate_json(answer)
            return schema.model_validate(answer.model_dump() if isinstance(answer, BaseModel) else answer)
        except ValueError as error:
            raise ModelAnswerInvalid(
                f"The scripted answer for {role!r} does not fit: {error}", self._usage
            ) from error

    async def stream(self, role: str, system: str, user: str) -> AsyncIterator[str]:
        """The next answer of the role, word by word."""
        text = str(self._next(Call(role, system, user, "")))
        for position, word in enumerate(text.split(" ")):
            yield f" {word}" if position else word

    def _next(self, call: Call) -> BaseModel | Mapping[str, object] | str:
        self.calls.append(call)
        spend(self._usage)
        answers = self._answers.get(call.role, [])
        if isinstance(answers, list) and not answers:
            raise ModelUnavailable(
                f"The script holds no further answer for the role {call.role!r}.", self._usage
            )
        answer = answers.pop(0) if isinstance(answers, list) else answers(call)
        if isinstance(answer, Exception):
            raise answer
        return answer
