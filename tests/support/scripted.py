"""A language model that answers from a script: for tests, demonstrations and the development of pipelines."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from agents.errors import ModelAnswerInvalid, ModelUnavailable
from agents.json_answers import checked
from agents.messages import Message, Speaker, ToolCall, ToolSpec, Turn
from agents.runs.meter import spend
from agents.usage import Usage

T = TypeVar("T", bound=BaseModel)
Answer = BaseModel | Mapping[str, object] | str | Turn | Exception
"""A value, its JSON as a mapping or text, a turn of a conversation, or an error to be raised."""


@dataclass(frozen=True, slots=True)
class Call:
    """What the model was asked. `schema` is the name of the schema, or "" in a conversation.

    In a conversation `user` is the last message, whoever said it; `messages` are all of them.
    """

    role: str
    system: str
    user: str
    schema: str
    messages: tuple[Message, ...] = ()
    tools: tuple[ToolSpec, ...] = ()


def calls(*named: tuple[str, Mapping[str, object] | str], text: str = "") -> Turn:
    """A turn that calls tools: pairs of a name and arguments, as a mapping or as raw text.

    `ScriptedModel` gives each call an id of its own.
    """
    made = (
        ToolCall("", name, given if isinstance(given, str) else json.dumps(given)) for name, given in named
    )
    return Turn(text, tuple(made))


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
        value = checked(_text(self._next(Call(role, system, user, schema.__name__))), schema)
        if isinstance(value, ValidationError):
            raise ModelAnswerInvalid(
                f"The scripted answer for {role!r} does not fit: {value}", self._usage
            ) from value
        return value

    async def converse(
        self,
        role: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        form: dict[str, Any] | None = None,
    ) -> Turn:
        """The next answer of the role as a turn: text, or calls of tools."""
        system = next((message.text for message in messages if message.role is Speaker.SYSTEM), "")
        call = Call(role, system, messages[-1].text, "", tuple(messages), tuple(tools))
        answer = self._next(call)
        if not isinstance(answer, Turn):
            return Turn(_text(answer))
        before = sum(len(message.tool_calls) for message in messages)
        numbered = enumerate(answer.tool_calls, before + 1)
        calls = tuple(replace(each, id=f"call_{number}") for number, each in numbered)
        return replace(answer, tool_calls=calls)

    def _next(self, call: Call) -> BaseModel | Mapping[str, object] | str | Turn:
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


def _text(answer: BaseModel | Mapping[str, object] | str | Turn) -> str:
    """An answer as a model would write it."""
    if isinstance(answer, Turn):
        return answer.text
    if isinstance(answer, BaseModel):
        return answer.model_dump_json()
    return answer if isinstance(answer, str) else json.dumps(dict(answer))
