"""Looks whether a language model answers: at the endpoint that is set, and on this machine where none is.

A model that is noticed is offered and never used unasked: what it is shown leaves this process.
"""

import asyncio
import json
from dataclasses import dataclass
from typing import Any

import httpx

from adapters.llm.address import address_of
from adapters.llm.bounded import PLAIN, AnswerTooLarge, async_client
from adapters.model_sections import ModelSettings

LOCAL = (
    "http://localhost:11434/v1",
    "http://localhost:1234/v1",
    "http://localhost:8080/v1",
    "http://localhost:8000/v1",
)
"""Where Ollama, LM Studio, llama.cpp and vLLM serve unless told otherwise."""
NO_MODEL = (
    "No language model is set: rules answer, or show the closest passages. With one, any question is "
    "answered in sentences and in its own language, each checked against its source: `pestle model` "
    "connects one."
)
LOCAL_S, FAR_S = 0.5, 3.0
"""Seconds that a look at this machine, or at the endpoint that is set, may take."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that answers on this machine."""

    url: str
    name: str

    def __str__(self) -> str:
        return (
            f"A model answers at {self.url} ({self.name}). It is not used; `pestle model` tries and sets it. "
            "With one, free questions are answered in sentences; without, with the closest passages."
        )


async def told_of_model(settings: ModelSettings, places: tuple[str, ...] = LOCAL) -> str:
    """What should be known of the model before somebody asks: without one what it adds; "" if nothing."""
    if not settings.base_url:
        return str(await offered(places) or NO_MODEL)
    if await _listed(settings.base_url, FAR_S) is not None:
        return ""
    where = address_of(settings.base_url).shown
    return f"The language model at {where} cannot be reached: rules answer until it can."


async def offered(places: tuple[str, ...] = LOCAL) -> Offer | None:
    """The first model that one of these endpoints serves."""
    return next(iter(await all_offered(places)), None)


async def all_offered(places: tuple[str, ...] = LOCAL, seconds: float = LOCAL_S) -> tuple[Offer, ...]:
    """Every model that these endpoints list. Raises `SettingsError` for a place that is no address."""
    lists = await asyncio.gather(*(_listed(place, seconds) for place in places))
    return tuple(
        Offer(place, name) for place, names in zip(places, lists, strict=True) for name in names or ()
    )


async def _listed(url: str, seconds: float) -> list[str] | None:
    """Names of the models that an endpoint lists; none for an answer of another form, None without one."""
    address = address_of(url)
    try:
        async with asyncio.timeout(seconds), async_client(address, seconds) as client:
            response = await client.get(f"{address.url.rstrip('/')}/models", headers=PLAIN)
            return _names(response.content)
    except AnswerTooLarge:
        return []
    except (httpx.HTTPError, TimeoutError, OSError):
        return None


def _names(body: bytes) -> list[str]:
    try:
        listed: Any = json.loads(body)
        names = [one["id"] for one in listed["data"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []
    return [name for name in names if isinstance(name, str) and name.isprintable()]
