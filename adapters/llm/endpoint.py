"""One endpoint of the OpenAI API: requests with time-outs, retries, limits and accounting."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import openai
from openai.types.completion_usage import CompletionUsage

from adapters.llm.failures import Failure, failure_of
from adapters.llm.limits import MinuteLimiter
from adapters.sections import ModelSettings
from agents.errors import ModelRefused
from agents.messages import ToolCall
from agents.runs.meter import spend
from agents.usage import Usage

SEED = 0
FIRST_WAIT_S = 0.5
LONGEST_BACKOFF_S = 30.0
CHARACTERS_PER_TOKEN = 4
"""Rough, for limits beforehand and where an endpoint reports no usage."""

Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer, the tools that it calls, and what it spent."""

    text: str
    usage: Usage
    tool_calls: tuple[ToolCall, ...] = ()


class Endpoint:
    """A connection to `settings.base_url`. The key stays inside the client; no error and no log holds it."""

    def __init__(
        self,
        settings: ModelSettings,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._settings = settings
        self._sleep = sleep
        self._limiter = MinuteLimiter(settings.requests_per_minute, settings.tokens_per_minute, sleep=sleep)
        self._client = openai.AsyncOpenAI(
            base_url=settings.base_url,
            api_key=settings.api_key.get_secret_value() or "none",
            timeout=settings.timeout,
            max_retries=0,
        )

    async def complete(
        self,
        model: str,
        messages: Sequence[Message],
        response_format: dict[str, Any] | None = None,
        tools: Sequence[dict[str, Any]] = (),
    ) -> Completion | Failure:
        """An answer, or why there is none after all retries. What it spent goes to the current step."""
        given = {"response_format": response_format, "tools": list(tools)}
        extra = {name: value for name, value in given.items() if value}
        response = await self._persist(lambda: self._request(model, messages, **extra), messages)
        return response if isinstance(response, Failure) else self._completion(model, messages, response)

    async def stream(self, model: str, messages: Sequence[Message]) -> AsyncIterator[str]:
        """The answer in pieces. Retries until the first piece; an interruption after it is an error.

        Raises `ModelError` with what was spent.
        """
        opened = await self._persist(
            lambda: self._request(model, messages, stream=True, stream_options={"include_usage": True}),
            messages,
        )
        if isinstance(opened, Failure):
            raise opened.error(Usage())
        pieces: list[str] = []
        reported: CompletionUsage | None = None
        failure: Failure | None = None
        try:
            async with asyncio.timeout(self._settings.timeout), opened:
                async for chunk in opened:
                    reported = chunk.usage or reported
                    for choice in chunk.choices:
                        if piece := choice.delta.content:
                            pieces.append(piece)
                            yield piece
        except Exception as error:  # transport errors have no common base over the client's versions
            failure = failure_of(error, self._settings.base_url)
        finally:
            usage = self._usage(model, messages, "".join(pieces), reported)
            spend(usage)
        if failure:
            raise failure.error(usage)

    async def close(self) -> None:
        """Close connections."""
        await self._client.close()

    async def _request(self, model: str, messages: Sequence[Message], **extra: Any) -> Any:
        return await self._client.chat.completions.create(
            model=model, messages=cast(Any, list(messages)), temperature=0, seed=SEED, **extra
        )

    async def _persist(self, request: Callable[[], Awaitable[Any]], messages: Sequence[Message]) -> Any:
        """Ask until there is an answer, asking again cannot help, or all retries are used up."""
        for attempt in range(self._settings.retries + 1):
            await self._limiter.enter(_estimate(messages))
            outcome = await self._attempt(request)
            if not (isinstance(outcome, Failure) and outcome.again) or attempt == self._settings.retries:
                return outcome
            await self._sleep(backoff(attempt) if outcome.wait_s is None else outcome.wait_s)
        raise AssertionError("unreachable: the last attempt returns")

    async def _attempt(self, request: Callable[[], Awaitable[Any]]) -> Any:
        try:
            async with asyncio.timeout(self._settings.timeout):
                return await request()
        except (openai.OpenAIError, TimeoutError, ValueError) as error:
            return failure_of(error, self._settings.base_url)

    def _completion(self, model: str, messages: Sequence[Message], response: Any) -> Completion | Failure:
        choice = response.choices[0] if getattr(response, "choices", None) else None
        text = (choice.message.content or "") if choice else ""
        calls = _tool_calls(choice.message.tool_calls or ()) if choice else ()
        written = text + "".join(call.name + call.arguments for call in calls)
        usage = self._usage(model, messages, written, getattr(response, "usage", None))
        spend(usage)
        if choice is not None and choice.message.refusal:
            return Failure(
                ModelRefused, "The language model declined to answer; put the question differently."
            )
        return Completion(text, usage, calls)

    def _usage(
        self, model: str, messages: Sequence[Message], text: str, reported: CompletionUsage | None
    ) -> Usage:
        prompt = reported.prompt_tokens if reported else _estimate(messages)
        answer = reported.completion_tokens if reported else -(-len(text) // CHARACTERS_PER_TOKEN)
        price = prompt * self._settings.prompt_price + answer * self._settings.completion_price
        return Usage(prompt, answer, price / 1e6, calls=1, models=(model,))


def backoff(attempt: int) -> float:
    """Seconds before the next attempt: doubling, with jitter so that many workers do not return at once."""
    return random.uniform(0.5, 1.0) * min(FIRST_WAIT_S * 2.0**attempt, LONGEST_BACKOFF_S)


def _tool_calls(calls: Sequence[Any]) -> tuple[ToolCall, ...]:
    """Calls of functions; an endpoint's tools of other kinds are none of ours."""
    return tuple(
        ToolCall(call.id or "", call.function.name, call.function.arguments or "")
        for call in calls
        if call.type == "function"
    )


def _estimate(messages: Sequence[Message]) -> int:
    written = (f"{message['content']}{message.get('tool_calls', '')}" for message in messages)
    return sum(map(len, written)) // CHARACTERS_PER_TOKEN + 1
