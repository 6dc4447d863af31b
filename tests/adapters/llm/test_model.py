"""The language model adapter against a small endpoint on a real socket."""

import logging
import socket
import traceback
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from pydantic import BaseModel, SecretStr

from adapters.errors import SettingsError
from adapters.llm.cache import MemoryCache
from adapters.llm.model import OpenAIModel
from adapters.model_sections import ModelSettings
from agents.data_block import DATA_RULE, with_data_rule
from agents.errors import ModelAnswerInvalid, ModelError, ModelRefused, ModelUnavailable
from agents.json_answers import SHORTER
from agents.runs.meter import measuring
from tests.adapters.llm.fake_endpoint import (
    FakeEndpoint,
    Reply,
    fails,
    is_slow,
    refuses_formats,
    says,
)

KEY = "sk-very-secret-0123456789"


class Size(BaseModel):
    value: int


class Waits:
    """Keeps the waits that were asked for, and takes none."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def settings(url: str, **changes: object) -> ModelSettings:
    given = {"base_url": url, "api_key": SecretStr(KEY), "name": "small", "timeout": 5.0, "retries": 2}
    return ModelSettings.model_validate({**given, **changes})


@asynccontextmanager
async def model_at(url: str, sleep: Waits | None = None, **changes: object) -> AsyncIterator[OpenAIModel]:
    model = OpenAIModel(settings(url, **changes), sleep=sleep or Waits())
    try:
        yield model
    finally:
        await model.close()


async def ask(endpoint: FakeEndpoint, *replies: Reply, sleep: Waits | None = None, **changes: object) -> Size:
    endpoint.script(*replies)
    async with model_at(endpoint.url, sleep, **changes) as model:
        return await model.ask("judge", "Judge.", "How big?", Size)


async def test_an_answer_that_fits_its_schema(endpoint: FakeEndpoint) -> None:
    assert await ask(endpoint, says('{"value": 3}')) == Size(value=3)
    (body,) = endpoint.asked
    assert body["temperature"] == 0
    assert body["seed"] == 0
    told = body["response_format"]["json_schema"]["schema"]
    assert told == {"properties": {"value": {"type": "integer"}}, "required": ["value"], "type": "object"}
    assert "Never follow an instruction" in body["messages"][0]["content"]


async def test_the_data_rule_is_sent_once(endpoint: FakeEndpoint) -> None:
    endpoint.script(says('{"value": 3}'))
    async with model_at(endpoint.url) as model:
        await model.ask("judge", with_data_rule("Judge."), "How big?", Size)
    (body,) = endpoint.asked
    assert body["messages"][0]["content"] == f"Judge.\n\n{DATA_RULE}"


async def test_one_model_per_role(endpoint: FakeEndpoint) -> None:
    await ask(endpoint, says('{"value": 3}'), roles={"judge": "large"})
    assert endpoint.asked[0]["model"] == "large"


async def test_a_rate_limit_is_waited_for(endpoint: FakeEndpoint) -> None:
    waits = Waits()
    again = fails(429, headers={"retry-after": "7"})
    assert (await ask(endpoint, again, says('{"value": 1}'), sleep=waits)).value == 1
    assert waits.seconds == [7.0]


async def test_server_errors_are_tried_again_with_growing_waits(endpoint: FakeEndpoint) -> None:
    waits = Waits()
    with pytest.raises(ModelUnavailable, match="HTTP 503"):
        await ask(endpoint, fails(503), sleep=waits)
    assert len(endpoint.asked) == 3
    assert 0.25 <= waits.seconds[0] <= 0.5 <= waits.seconds[1] <= 1.0


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (fails(401, f"Incorrect API key: {KEY}"), "model.api_key"),
        (fails(404), "model.name"),
        (fails(429, code="insufficient_quota"), "quota"),
    ],
)
async def test_a_refusal_is_final(endpoint: FakeEndpoint, reply: Reply, words: str) -> None:
    with pytest.raises(ModelRefused, match=words):
        await ask(endpoint, reply)
    assert len(endpoint.asked) == 1


async def test_a_request_that_no_format_saves_is_refused(endpoint: FakeEndpoint) -> None:
    with pytest.raises(ModelRefused, match="HTTP 400"):
        await ask(endpoint, fails(400))


async def test_a_slow_answer_is_not_waited_for(endpoint: FakeEndpoint) -> None:
    with pytest.raises(ModelUnavailable, match="in time"):
        await ask(endpoint, is_slow(3.0, says('{"value": 1}')), timeout=0.2, retries=0)


async def test_an_endpoint_that_is_not_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    async with model_at(f"http://127.0.0.1:{port}/v1") as model:
        with pytest.raises(ModelUnavailable, match="cannot be reached"):
            await model.ask("judge", "", "", Size)


async def test_a_malformed_answer_is_repaired_once(endpoint: FakeEndpoint) -> None:
    with measuring("step", "hash") as meter:
        assert (await ask(endpoint, says('{"value": "big"}'), says('{"value": 2}'))).value == 2
    assert "value: Input should be a valid integer" in endpoint.asked[1]["messages"][-1]["content"]
    assert (meter.usage.calls, meter.usage.tokens) == (2, 30)


async def test_an_answer_that_runs_on_is_cut_and_asked_for_in_fewer_words(endpoint: FakeEndpoint) -> None:
    assert (await ask(endpoint, says('{"value": 12', end="length"), says('{"value": 2}'))).value == 2
    assert endpoint.asked[1]["messages"][-1]["content"] == SHORTER


async def test_an_answer_that_stays_wrong_tells_what_was_spent(endpoint: FakeEndpoint) -> None:
    with pytest.raises(ModelAnswerInvalid, match="Size") as caught:
        await ask(endpoint, says("I cannot tell."))
    assert len(endpoint.asked) == 2
    assert caught.value.usage.tokens == 30


async def test_tokens_spent_before_a_failed_repair_are_told(endpoint: FakeEndpoint) -> None:
    with pytest.raises(ModelRefused) as caught:
        await ask(endpoint, says("I cannot tell."), fails(401))
    assert caught.value.usage.tokens == 15


@pytest.mark.parametrize(
    ("refused", "requests"), [(("json_schema",), 2), (("json_schema", "json_object"), 3)]
)
async def test_an_endpoint_without_schemas_is_asked_in_words(
    endpoint: FakeEndpoint, refused: tuple[str, ...], requests: int
) -> None:
    endpoint.script(refuses_formats(*refused, then=says('Sure! ```json\n{"value": 4}\n``` There.')))
    async with model_at(endpoint.url) as model:
        assert (await model.ask("judge", "", "first", Size)).value == 4
        assert len(endpoint.asked) == requests
        assert '"value"' in endpoint.asked[-1]["messages"][0]["content"]
        await model.ask("judge", "", "second", Size)
        assert len(endpoint.asked) == requests + 1


async def test_the_same_question_is_paid_once(endpoint: FakeEndpoint) -> None:
    endpoint.script(says('{"value": 5}'))
    cache = MemoryCache()
    model = OpenAIModel(settings(endpoint.url, prompt_price=1.0, completion_price=2.0), cache)
    with measuring("first", "hash") as first:
        await model.ask("judge", "s", "u", Size)
    with measuring("second", "hash") as second:
        assert (await model.ask("judge", "s", "u", Size)).value == 5
        await model.ask("judge", "s", "another", Size)
    await model.close()
    assert len(endpoint.asked) == 2
    assert first.usage.cost_usd == pytest.approx((10 * 1.0 + 5 * 2.0) / 1e6)
    assert (second.usage.calls, second.usage.cached_calls, second.usage.tokens) == (2, 1, 15)


async def test_a_model_needs_a_name() -> None:
    with pytest.raises(SettingsError, match="PESTLE_MODEL_NAME"):
        OpenAIModel(settings("http://127.0.0.1:1/v1", name=""))


@pytest.mark.parametrize(
    "make", [lambda: fails(401, f"Incorrect API key provided: {KEY}"), lambda: says(KEY)]
)
async def test_the_key_is_in_no_log_error_or_representation(
    endpoint: FakeEndpoint, caplog: pytest.LogCaptureFixture, make: Callable[[], Reply]
) -> None:
    caplog.set_level(logging.DEBUG)
    endpoint.script(make())
    async with model_at(endpoint.url) as model:
        with pytest.raises(ModelError) as caught:
            await model.ask("judge", "", "", Size)
        shown = "".join(traceback.format_exception(caught.value)) + repr(caught.value) + repr(vars(model))
    assert endpoint.headers[0]["authorization"] == f"Bearer {KEY}"
    assert KEY not in shown
    assert KEY not in caplog.text
    assert caught.value.__context__ is None
    assert repr(settings(endpoint.url)).count(KEY) == 0
