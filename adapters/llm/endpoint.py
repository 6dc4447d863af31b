"""One endpoint of the OpenAI API: requests with time-outs, retries, limits and accounting."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import httpx
import openai

from adapters.llm.address import address_of
from adapters.llm.bounded import PLAIN, async_client
from adapters.llm.failures import LONGEST_WAIT_S, Failure, failure_of
from adapters.llm.shapes import ChatAnswer, Spent
from adapters.model_sections import ModelSettings
from agents.errors import ModelRefused
from agents.messages import ToolCall
from agents.runs.deadline import seconds_left
from agents.runs.meter import spend
from agents.usage import Usage

SEED = 0
FIRST_WAIT_S = 0.5
LONGEST_BACKOFF_S = 30.0
SHARE_OF_TIME = 0.5
"""Part of a run's remaining time that a call may take with all its retries: rules need the rest."""
CHARACTERS_PER_TOKEN = 4
"""Rough, for limits beforehand and where an endpoint reports no usage."""

ANSWERED = 8
"""An answer has about this part of the tokens that it may have."""
AWAY_S = 20.0
"""Seconds for which an endpoint that could not be reached is not asked: a run makes many calls."""

Message = dict[str, Any]
Request = Callable[[], Awaitable[ChatAnswer]]


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer, the tools that it calls, and what it spent. `cut` if it ended at the limit of tokens."""

    text: str
    usage: Usage
    tool_calls: tuple[ToolCall, ...] = ()
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Away:
    """That nothing listens at the address, and until when, by the loop's clock, nobody tries again."""

    failure: Failure
    until: float


class Rate(Protocol):
    """The tokens a minute that all workers share."""

    async def wait(self, tokens: int) -> None:
        """Wait for room, and take it."""

    async def correct(self, tokens: int) -> None:
        """Count so many more, or less, than were taken."""


class Endpoint:
    """A connection to `settings.base_url`.

    The key, and a password in the address, stay inside the client; no error and no log holds them. A call
    takes no longer than the run around has time for, whatever the endpoint does.
    """

    def __init__(
        self,
        settings: ModelSettings,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        rate: Rate | None = None,
    ) -> None:
        self._settings = settings
        self._sleep = sleep
        self._rate = rate
        address = address_of(settings.base_url)
        self._where = address.shown
        self._client = openai.AsyncOpenAI(
            base_url=address.url,
            api_key=settings.api_key.get_secret_value() or "none",
            timeout=settings.timeout,
            max_retries=0,
            default_headers=PLAIN,
            http_client=cast(Any, async_client(address, settings.timeout)),
        )
        self._away: Away | None = None
        self._completions: Any = self._client.chat.completions

    async def complete(
        self,
        model: str,
        messages: Sequence[Message],
        response_format: dict[str, Any] | None = None,
        tools: Sequence[dict[str, Any]] = (),
        *,
        max_tokens: int = 0,
        temperature: float = 0.0,
    ) -> Completion | Failure:
        """An answer, or why there is none after all retries. What it spent goes to the current step.

        `max_tokens` is the most that is answered; 0 leaves it to the endpoint.
        """
        given = {"response_format": response_format, "tools": list(tools), "max_tokens": max_tokens}
        extra = {name: value for name, value in given.items() if value}

        async def request() -> ChatAnswer:
            response = await self._completions.with_raw_response.create(
                model=model, messages=list(messages), temperature=temperature, seed=SEED, **extra
            )
            return ChatAnswer.model_validate_json(response.content)

        taken = _estimate(messages) + max_tokens // ANSWERED
        answer = await self._persist(request, taken)
        done = answer if isinstance(answer, Failure) else self._completion(model, messages, answer)
        if self._rate and isinstance(done, Completion):
            await self._rate.correct(done.usage.tokens - taken)
        return done

    async def close(self) -> None:
        """Close connections."""
        await self._client.close()

    async def _persist(self, request: Request, tokens: int) -> ChatAnswer | Failure:
        """Ask until there is an answer, asking again cannot help, or all retries or the time are used up."""
        if self._away and asyncio.get_running_loop().time() < self._away.until:
            return self._away.failure
        left, attempt = seconds_left(), 0
        last: ChatAnswer | Failure | None = None
        try:
            async with asyncio.timeout(None if left is None else left * SHARE_OF_TIME) as patience:
                while True:
                    if self._rate:
                        await self._rate.wait(tokens)
                    last = await self._attempt(request)
                    wait = self._wait(last, attempt)
                    if wait is None or not _worth(wait, patience):
                        return last
                    await self._sleep(wait)
                    attempt += 1
        except TimeoutError as error:
            return last or failure_of(error, self._where)

    def _wait(self, outcome: ChatAnswer | Failure, attempt: int) -> float | None:
        """Seconds until it is asked again; None for an answer, and for a failure that stays one."""
        if not isinstance(outcome, Failure):
            return None
        if outcome.unreachable and attempt >= min(1, self._settings.retries):
            self._away = Away(outcome, asyncio.get_running_loop().time() + AWAY_S)
            return None
        if not outcome.again or attempt == self._settings.retries:
            return None
        return backoff(attempt) if outcome.wait_s is None else outcome.wait_s

    async def _attempt(self, request: Request) -> ChatAnswer | Failure:
        try:
            async with asyncio.timeout(self._settings.timeout):
                return await request()
        except (openai.OpenAIError, httpx.HTTPError, TimeoutError, ValueError) as error:
            return failure_of(error, self._where)

    def _completion(
        self, model: str, messages: Sequence[Message], answer: ChatAnswer
    ) -> Completion | Failure:
        choice = answer.choices[0] if answer.choices else None
        text = (choice.message.content or "") if choice else ""
        calls = choice.message.calls if choice else ()
        written = text + "".join(call.name + call.arguments for call in calls)
        usage = self._usage(model, messages, written, answer.usage)
        spend(usage)
        if choice is not None and choice.message.refusal:
            return Failure(
                ModelRefused, "The language model declined to answer; put the question differently."
            )
        return Completion(text, usage, calls, choice is not None and choice.finish_reason == "length")

    def _usage(self, model: str, messages: Sequence[Message], text: str, reported: Spent | None) -> Usage:
        prompt = reported.prompt_tokens if reported else _estimate(messages)
        answer = reported.completion_tokens if reported else -(-len(text) // CHARACTERS_PER_TOKEN)
        price = prompt * self._settings.prompt_price + answer * self._settings.completion_price
        return Usage(prompt, answer, price / 1e6, calls=1, models=(model,))


def _worth(wait: float, patience: asyncio.Timeout) -> bool:
    """Whether there is time to ask again after so many seconds."""
    end = patience.when()
    return wait <= LONGEST_WAIT_S and (end is None or asyncio.get_running_loop().time() + wait < end)


def backoff(attempt: int) -> float:
    """Seconds before the next attempt: doubling, with jitter so that many workers do not return at once."""
    return random.uniform(0.5, 1.0) * min(FIRST_WAIT_S * 2.0**attempt, LONGEST_BACKOFF_S)


def _estimate(messages: Sequence[Message]) -> int:
    written = (f"{message['content']}{message.get('tool_calls', '')}" for message in messages)
    return sum(map(len, written)) // CHARACTERS_PER_TOKEN + 1
