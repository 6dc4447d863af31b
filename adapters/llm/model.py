"""`LanguageModel` over any endpoint of the OpenAI API: checked answers, one repair, cache."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from adapters.errors import SettingsError
from adapters.llm.cache import AnswerCache, MemoryCache, cache_key
from adapters.llm.conversation import Conversation
from adapters.llm.endpoint import Completion, Endpoint, Message, Rate
from adapters.llm.failures import Failure
from adapters.llm.formats import FORMATS, response_format, schema_instruction
from adapters.model_sections import ModelSettings
from agents.data_block import with_data_rule
from agents.errors import ModelAnswerInvalid
from agents.json_answers import checked, repair_request
from agents.messages import Message as Said
from agents.messages import ToolSpec, Turn
from agents.runs.meter import spend
from agents.usage import Usage

T = TypeVar("T", bound=BaseModel)

SAMPLED = {"design_propose": 0.7, "design_criticise": 0.7}
"""Temperatures of roles that are asked for ideas (Indibator, appendix B.1); all others are asked at 0."""
SHOWN_AGAIN = 20_000
"""Characters of a wrong answer that a model sees again when it is asked to repair it."""


@dataclass(frozen=True, slots=True)
class _Request:
    """What is asked of which model, and how many tokens it may answer."""

    model: str
    system: str
    user: str
    max_tokens: int
    temperature: float = 0.0

    def messages(self, instruction: str = "") -> list[Message]:
        system = with_data_rule(self.system) + instruction
        return [{"role": "system", "content": system}, {"role": "user", "content": self.user}]


class OpenAIModel:
    """One model per role, temperature 0 but for `SAMPLED` roles, fixed seed.

    `cache` defaults to the life of this object. Raises `SettingsError` when no model is named.
    """

    def __init__(
        self,
        settings: ModelSettings,
        cache: AnswerCache | None = None,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        rate: Rate | None = None,
    ) -> None:
        if not (settings.base_url and settings.name):
            raise SettingsError("A language model needs model.base_url and model.name (PESTLE_MODEL_NAME).")
        self.name = settings.name
        self._settings = settings
        self._cache = cache or MemoryCache()
        self._endpoint = Endpoint(settings, sleep=sleep, rate=rate)
        self._formats: dict[str, str] = {}
        self._conversation = Conversation(self._endpoint, self._cache)

    async def ask(self, role: str, system: str, user: str, schema: type[T]) -> T:
        """A value that fits the schema. Raises `ModelError` with the tokens already spent."""
        warmth = SAMPLED.get(role, 0.0)
        request = _Request(self.of_role(role), system, user, self._max_tokens(role), warmth)
        key = cache_key(request.model, request.messages(), schema.model_json_schema())
        if kept := await self._cached(key, schema, request.model):
            return kept
        first, how = await self._first_answer(request, schema)
        value = checked(first.text, schema)
        if isinstance(value, ValidationError):
            value = await self._repaired(request, how, first, value, schema)
        await self._cache.put(key, value.model_dump_json())
        return value

    async def converse(
        self,
        role: str,
        messages: Sequence[Said],
        tools: Sequence[ToolSpec] = (),
        form: dict[str, Any] | None = None,
    ) -> Turn:
        """The model's turn in a conversation. Raises `ModelError`."""
        return await self._conversation.turn(
            self.of_role(role), messages, tools, self._max_tokens(role), form
        )

    async def close(self) -> None:
        """Close connections."""
        await self._endpoint.close()

    def of_role(self, role: str) -> str:
        """The model that is asked in a role."""
        return self._settings.roles.get(role, self.name)

    def _max_tokens(self, role: str) -> int:
        return self._settings.max_tokens_by_role.get(role, self._settings.max_tokens)

    async def _cached(self, key: str, schema: type[T], model: str) -> T | None:
        kept = await self._cache.get(key)
        value = checked(kept, schema) if kept is not None else None
        if value is None or isinstance(value, ValidationError):
            return None
        spend(Usage(calls=1, cached_calls=1, models=(model,)))
        return value

    async def _first_answer(self, request: _Request, schema: type[T]) -> tuple[Completion, str]:
        """The first answer, and how it was asked for: in the strictest format that the endpoint takes.

        A format is remembered for the model once it has worked.
        """
        start = FORMATS.index(self._formats.get(request.model, FORMATS[0]))
        for how in FORMATS[start:]:
            answer = await self._endpoint.complete(
                request.model,
                request.messages(schema_instruction(how, schema)),
                response_format(how, schema),
                max_tokens=request.max_tokens,
                temperature=request.temperature,
            )
            if isinstance(answer, Completion):
                self._formats[request.model] = how
                return answer, how
            if not answer.format_refused:
                break
        assert isinstance(answer, Failure)
        raise answer.error(Usage())

    async def _repaired(
        self, request: _Request, how: str, first: Completion, fault: ValidationError, schema: type[T]
    ) -> T:
        """The answer to a second request that says what was wrong. Raises `ModelAnswerInvalid`."""
        messages = [
            *request.messages(schema_instruction(how, schema)),
            {"role": "assistant", "content": first.text[:SHOWN_AGAIN]},
            {"role": "user", "content": repair_request(fault, cut=first.cut)},
        ]
        second = await self._endpoint.complete(
            request.model, messages, response_format(how, schema), max_tokens=request.max_tokens
        )
        if isinstance(second, Failure):
            raise second.error(first.usage)
        value = checked(second.text, schema)
        if isinstance(value, ValidationError):
            message = (
                f"{request.model} gave no valid {schema.__name__}, also when asked again; try another model."
            )
            raise ModelAnswerInvalid(message, first.usage + second.usage)
        return value
