"""A model on this machine is noticed and offered; an endpoint that is away is named within seconds."""

import json
import socket
import time
from collections.abc import Iterator

import pytest

from adapters.llm.model import OpenAIModel
from adapters.llm.near import offered, told_of_model
from adapters.model_sections import ModelSettings
from agents.errors import ModelUnavailable
from tests.adapters.llm.test_model import Size
from tests.support.hostile_endpoint import HostileEndpoint, answers, hostile, stalls


def unused() -> str:
    """An address where nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://user:hidden@127.0.0.1:{probe.getsockname()[1]}/v1"


@pytest.fixture
def endpoint() -> Iterator[HostileEndpoint]:
    with hostile() as started:
        yield started


async def test_a_model_that_answers_here_is_offered(endpoint: HostileEndpoint) -> None:
    endpoint.behaves(answers(json.dumps({"data": [{"id": "llama3.2"}, {"id": "other"}]}).encode()))
    told = await told_of_model(ModelSettings(), (unused(), endpoint.url))
    assert told.startswith(f"A model answers at {endpoint.url} (llama3.2). It is not used")
    assert endpoint.head.startswith(b"GET /v1/models")


BODIES = [b"", b"<html>", b"[]", b'{"data": 1}', b'{"data": [{"id": 7}]}', b"[" * 50_000]


@pytest.mark.parametrize("body", BODIES)
async def test_a_server_of_another_sort_is_not_offered(endpoint: HostileEndpoint, body: bytes) -> None:
    assert await offered((endpoint.behaves(answers(body)).url,)) is None


async def test_a_silent_server_holds_nobody_up(endpoint: HostileEndpoint) -> None:
    began = time.monotonic()
    assert await offered((endpoint.behaves(stalls).url,)) is None
    assert time.monotonic() - began < 10


async def test_nothing_is_offered_where_a_model_is_set(endpoint: HostileEndpoint) -> None:
    endpoint.behaves(answers(b'{"data": []}'))
    assert await told_of_model(ModelSettings(base_url=endpoint.url, name="small"), (endpoint.url,)) == ""


async def test_without_any_model_it_is_told_what_one_adds() -> None:
    told = await told_of_model(ModelSettings(), (unused(),))
    assert "any question is answered in sentences" in told
    assert "`pestle model` connects one" in told


async def test_an_endpoint_that_is_set_and_away_is_told_before_somebody_asks() -> None:
    away = unused()
    told = await told_of_model(ModelSettings(base_url=away, name="small"), ())
    assert "cannot be reached" in told
    assert "hidden" not in told


async def test_calls_to_an_endpoint_that_is_away_fail_within_seconds_and_the_next_one_at_once() -> None:
    model = OpenAIModel(ModelSettings(base_url=unused(), name="small", retries=9))
    began = time.monotonic()
    with pytest.raises(ModelUnavailable, match=r"127\.0\.0\.1.*cannot be reached"):
        await model.ask("judge", "Judge.", "How big?", Size)
    assert time.monotonic() - began < 10
    began = time.monotonic()
    for _ in range(20):
        with pytest.raises(ModelUnavailable, match="cannot be reached"):
            await model.ask("judge", "Judge.", "How big?", Size)
    assert time.monotonic() - began < 5
    await model.close()
