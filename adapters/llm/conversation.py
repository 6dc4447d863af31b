"""Conversations with tools over the OpenAI API, and in plain JSON where an endpoint knows no tools."""

import json
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, JsonValue, TypeAdapter, ValidationError

from adapters.llm.cache import AnswerCache, cache_key
from adapters.llm.endpoint import Completion, Endpoint
from adapters.llm.failures import Failure
from adapters.llm.formats import held_to
from agents.data_block import with_data_rule
from agents.json_answers import checked
from agents.messages import Message, Speaker, ToolCall, ToolSpec, Turn
from agents.runs.meter import spend
from agents.usage import Usage

TURN = TypeAdapter(Turn)
IN_WORDS = (
    "You may use tools. To use some, answer with one JSON object and nothing else: "
    '{"tool_calls": [{"name": "...", "arguments": {...}}]}. '
    "You then get their results, and may use more. To answer for good, use none. The tools:"
)


class WrittenCall(BaseModel):
    """A call of a tool that a model wrote as text."""

    model_config = ConfigDict(extra="forbid")

    name: str
    arguments: dict[str, JsonValue] = {}


class WrittenCalls(BaseModel):
    """Several of them."""

    tool_calls: list[WrittenCall]


class Conversation:
    """Takes turns with the models of one endpoint.

    Remembers which of them must be told of tools in words, and which refuse to be held to a form.
    """

    def __init__(self, endpoint: Endpoint, cache: AnswerCache) -> None:
        self._endpoint, self._cache = endpoint, cache
        self._in_words: set[str] = set()
        self._free: set[str] = set()

    async def turn(
        self,
        model: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        max_tokens: int = 0,
        form: dict[str, Any] | None = None,
    ) -> Turn:
        """The model's turn. The same conversation is paid once. Raises `ModelError`.

        Where no tools are offered, the endpoint is asked to hold the answer to `form`, if it can.
        """
        offered = [_offer(tool) for tool in tools]
        key = cache_key(model, in_calls(messages), {"tools": offered})
        if kept := await self._kept(key):
            spend(Usage(calls=1, cached_calls=1, models=(model,)))
            return kept
        held = None if tools or form is None else await self._held(model, messages, max_tokens, form)
        answer = held or await self._answer(model, messages, tools, offered, max_tokens)
        turn = _turn(answer, messages, tools)
        if not answer.cut:
            await self._cache.put(key, TURN.dump_json(turn).decode())
        return turn

    async def _kept(self, key: str) -> Turn | None:
        kept = await self._cache.get(key)
        try:
            return TURN.validate_json(kept) if kept is not None else None
        except ValidationError:
            return None

    async def _held(
        self, model: str, messages: Sequence[Message], max_tokens: int, form: dict[str, Any]
    ) -> Completion | None:
        """An answer that the endpoint holds to a form; None of one that cannot. Raises `ModelError`."""
        if model in self._free:
            return None
        sent = in_words(messages, ()) if model in self._in_words else in_calls(messages)
        answer = await self._endpoint.complete(model, sent, held_to(form), max_tokens=max_tokens)
        if isinstance(answer, Completion):
            return answer
        if not answer.format_refused:
            raise answer.error(Usage())
        self._free.add(model)
        return None

    async def _answer(
        self,
        model: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        offered: list[Any],
        max_tokens: int,
    ) -> Completion:
        if model not in self._in_words:
            answer = await self._endpoint.complete(
                model, in_calls(messages), tools=offered, max_tokens=max_tokens
            )
            if isinstance(answer, Completion):
                return answer
            if not (tools and answer.format_refused):
                raise answer.error(Usage())
        answer = await self._endpoint.complete(model, in_words(messages, tools), max_tokens=max_tokens)
        if isinstance(answer, Failure):
            raise answer.error(Usage())
        if tools:
            self._in_words.add(model)
        return answer


def in_calls(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Messages as the API has them."""
    return [_message(message) for message in messages]


def in_words(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Messages for an endpoint without tools: calls are JSON that the assistant says, results come from the
    user.
    """
    written = "\n".join(json.dumps(_offer(tool)["function"]) for tool in tools)
    told = f"\n\n{IN_WORDS}\n{written}" if tools else ""
    return [_worded(message, told) for message in messages]


def _offer(tool: ToolSpec) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _message(message: Message) -> dict[str, Any]:
    content = with_data_rule(message.text) if message.role is Speaker.SYSTEM else message.text
    sent: dict[str, Any] = {"role": message.role.value, "content": content}
    if message.tool_calls:
        sent["tool_calls"] = [_call(call) for call in message.tool_calls]
    if message.role is Speaker.TOOL:
        sent["tool_call_id"] = message.tool_call_id
    return sent


def _call(call: ToolCall) -> dict[str, Any]:
    """A call as it is told again, with arguments that are JSON: some endpoints refuse any other."""
    arguments = call.arguments if _is_object(call.arguments) else "{}"
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _worded(message: Message, told: str) -> dict[str, Any]:
    match message.role:
        case Speaker.SYSTEM:
            return {"role": "system", "content": with_data_rule(message.text) + told}
        case Speaker.TOOL:
            return {"role": "user", "content": f"Result of {message.tool_call_id}:\n{message.text}"}
        case Speaker.ASSISTANT if message.tool_calls:
            calls = [_call(call)["function"] for call in message.tool_calls]
            said = [{"name": call["name"], "arguments": json.loads(call["arguments"])} for call in calls]
            content = f"{message.text}\n{json.dumps({'tool_calls': said})}".strip()
            return {"role": "assistant", "content": content}
    return {"role": message.role.value, "content": message.text}


def _turn(answer: Completion, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Turn:
    """The answer as a turn, with ids that are unique in the conversation."""
    calls = answer.tool_calls or written_calls(answer.text, {tool.name for tool in tools})
    text = answer.text if answer.tool_calls or not calls else ""
    before = sum(len(message.tool_calls) for message in messages)
    taken = {call.id for message in messages for call in message.tool_calls}
    numbered = []
    for number, call in enumerate(calls, before + 1):
        own = call.id if call.id and call.id not in taken else f"call_{number}"
        taken.add(own)
        numbered.append(ToolCall(own, call.name, call.arguments))
    return Turn(text, tuple(numbered), answer.cut)


def written_calls(text: str, names: set[str]) -> tuple[ToolCall, ...]:
    """Calls of known tools that a model wrote as text: endpoints without tools, and small models, do so."""
    if not names:
        return ()
    several = checked(text, WrittenCalls)
    one = checked(text, WrittenCall)
    found = several.tool_calls if isinstance(several, WrittenCalls) else []
    found = found or ([one] if isinstance(one, WrittenCall) and one.name in names else [])
    return tuple(ToolCall("", call.name, json.dumps(call.arguments)) for call in found)
