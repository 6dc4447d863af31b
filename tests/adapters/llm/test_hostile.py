"""An endpoint that stalls, drips, never ends or answers nonsense costs bounded time and memory."""

import asyncio
import json
import logging
import resource
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, SecretStr

from adapters.errors import SettingsError
from adapters.llm.bounded import LARGEST_ANSWER
from adapters.llm.model import OpenAIModel
from adapters.llm.vision import VisionOcr
from adapters.model_sections import ModelSettings
from agents.errors import ModelError, ModelUnavailable
from agents.messages import Message, Speaker, ToolSpec
from agents.minds.minded import Minded, minded
from agents.runs.execute import execute
from agents.runs.pipeline import Pipeline, new_run
from agents.runs.records import Budget, RunState
from agents.runs.run import Run
from retrieval.errors import DocumentError
from tests.support import hostile_endpoint as manners
from tests.support.drills import examples
from tests.support.hostile_endpoint import HostileEndpoint, Manner, hostile
from tests.support.memory.ledger import MemoryLedger

PASSWORD = "p4ss-of-the-endpoint"
TOOLS = (ToolSpec("look", "Look.", {"type": "object"}),)


class Size(BaseModel):
    value: int


@pytest.fixture(scope="module")
def endpoint() -> Iterator[HostileEndpoint]:
    with hostile() as started:
        yield started


def memory() -> int:
    """The most that this process has had, in kB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@asynccontextmanager
async def model_at(url: str, **changes: Any) -> AsyncIterator[OpenAIModel]:
    given = {"base_url": url, "name": "small", "timeout": 30.0, "retries": 2, **changes}
    model = OpenAIModel(ModelSettings.model_validate(given))
    try:
        yield model
    finally:
        await model.close()


async def fails(endpoint: HostileEndpoint, manner: Manner, **changes: Any) -> ModelError:
    async with model_at(endpoint.behaves(manner).url, **changes) as model:
        with pytest.raises(ModelError) as caught:
            await model.ask("judge", "", "", Size)
    return caught.value


@pytest.mark.parametrize("manner", [manners.endless, manners.endless_failure, manners.endless_headers])
async def test_an_answer_without_end_is_read_to_the_limit_only(
    endpoint: HostileEndpoint, manner: Manner
) -> None:
    before = memory()
    began = time.monotonic()
    await fails(endpoint, manner)
    assert time.monotonic() - began < 30
    assert endpoint.sent < 4 * LARGEST_ANSWER + 30_000_000  # what lies in the buffers of three sockets
    assert memory() - before < 100_000


async def test_a_compressed_body_is_not_unpacked(endpoint: HostileEndpoint) -> None:
    before = memory()
    assert "compressed" in str(await fails(endpoint, manners.bomb))
    assert memory() - before < 100_000


@pytest.mark.parametrize("manner", [manners.stalls, manners.drips])
async def test_a_call_takes_no_longer_than_its_time(endpoint: HostileEndpoint, manner: Manner) -> None:
    began = time.monotonic()
    assert "in time" in str(await fails(endpoint, manner, timeout=0.3, retries=0))
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("told", ["3600", "inf", "1e400", "Wed, 21 Oct 2099 07:28:00 GMT"])
async def test_an_endpoint_that_says_in_an_hour_is_not_asked_again(
    endpoint: HostileEndpoint, told: str
) -> None:
    began = time.monotonic()
    assert "rate limit" in str(await fails(endpoint, manners.wants_to_wait(told)))
    assert endpoint.requests == 1
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("told", ["nan", "-5", "soon", "Wed, 99 Foo", ""])
async def test_a_wait_that_is_none_is_no_wait(endpoint: HostileEndpoint, told: str) -> None:
    await fails(endpoint, manners.wants_to_wait(told), retries=1)
    assert endpoint.requests == 2


@dataclass
class Sized:
    """A pipeline of one step: a model is asked, and rules say 7."""

    model: OpenAIModel

    async def work(self, run: Run, _: str) -> Minded[int]:
        return await run.step("size", self.size)

    async def size(self) -> Minded[int]:
        async def thought(model: Any) -> int:
            return int((await model.ask("judge", "", "", Size)).value)

        async def ruled() -> int:
            return 7

        return await minded(self.model, thought, ruled)


@asynccontextmanager
async def run_of(url: str, seconds: float) -> AsyncIterator[tuple[MemoryLedger, str, "asyncio.Task[None]"]]:
    async with model_at(url) as model:
        ledger = MemoryLedger()
        record = new_run("sized", "", budget=Budget(seconds=seconds))
        await ledger.create(record)
        pipelines = {"sized": Pipeline(Sized(model).work, str, Minded[int])}
        yield ledger, record.run_id, asyncio.create_task(execute(record.run_id, ledger, pipelines, "test"))


@pytest.mark.parametrize("manner", [manners.stalls, manners.drips, manners.wants_to_wait("50")])
async def test_rules_answer_within_the_time_of_the_run(endpoint: HostileEndpoint, manner: Manner) -> None:
    began = time.monotonic()
    async with run_of(endpoint.behaves(manner).url, 2.0) as (ledger, run_id, executing):
        await executing
        ended = await ledger.run(run_id)
    assert ended is not None
    assert (ended.state, json.loads(ended.result)["value"]) == (RunState.DONE, 7)
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("manner", [manners.stalls, manners.drips, manners.wants_to_wait("50")])
async def test_a_stop_ends_a_running_call_within_two_seconds(
    endpoint: HostileEndpoint, manner: Manner
) -> None:
    async with run_of(endpoint.behaves(manner).url, 600.0) as (ledger, run_id, executing):
        assert await asyncio.to_thread(endpoint.asked.wait, 10)
        began = time.monotonic()
        await ledger.request_stop(run_id, "enough")
        await executing
        ended = await ledger.run(run_id)
    assert ended is not None
    assert ended.state is RunState.STOPPED
    assert time.monotonic() - began < 10


BRACES = 100_000


@pytest.mark.parametrize(
    "content",
    [
        "{" * BRACES,
        '{"' * BRACES,
        '{"a":' * BRACES,
        '{"a":[' * BRACES,
        '{"a":1} {' * 3 + '{"a":"' * BRACES,
        '{"a": {"a":[' * 400 + "[]," * 300_000,
        "\n" * 1_000_000 + '{"x ' * BRACES,
        '{"a":' + "1" * 1_000_000,
        "[" * BRACES,
    ],
)
async def test_a_search_for_json_takes_linear_time(endpoint: HostileEndpoint, content: str) -> None:
    longest = 0.0

    async def beat() -> None:
        nonlocal longest
        while True:
            began = time.monotonic()
            await asyncio.sleep(0.01)
            longest = max(longest, time.monotonic() - began)

    beating = asyncio.create_task(beat())
    await fails(endpoint, manners.writes(content))
    beating.cancel()
    assert longest < 3.0


MESSAGES: list[Any] = [
    None,
    [],
    7,
    "text",
    {"content": ["a", "list"]},
    {"content": 7},
    {"content": {"type": "text"}},
    {"content": "{}", "refusal": {"no": 1}},
    {"content": None, "tool_calls": 3},
    {"content": None, "tool_calls": [None]},
    {"content": None, "tool_calls": [{"id": "1", "type": "function", "function": {"name": 7}}]},
    {"content": None, "tool_calls": [{"id": [], "type": "function", "function": "look"}]},
]


@pytest.mark.parametrize(
    "body",
    [
        *({"choices": [{"message": message}]} for message in MESSAGES),
        {"choices": None},
        {"choices": {"0": "x"}},
        {"choices": [None]},
        {"choices": "no"},
        [],
        None,
        7,
        {"choices": [{"message": {"content": '{"value": 1}'}}], "usage": [1, 2]},
        {"choices": [{"message": {"content": '{"value": 1}'}}], "usage": {"prompt_tokens": "many"}},
        {"choices": [{"message": {"content": '{"value": 1}'}}], "usage": {"prompt_tokens": -5}},
        {"choices": [{"message": {"content": '{"value": 1}'}}], "usage": {"completion_tokens": 10**400}},
    ],
)
async def test_an_answer_of_an_odd_shape_is_a_failed_answer(endpoint: HostileEndpoint, body: object) -> None:
    error = await fails(endpoint, manners.answers(json.dumps(body).encode()), retries=0)
    assert isinstance(error, ModelUnavailable)


@pytest.mark.parametrize("body", [b"", b"<html>", b"\xff\xfe", b'{"choices": ' + b"[" * 100_000, b"\x00"])
async def test_what_is_no_json_is_a_failed_answer(endpoint: HostileEndpoint, body: bytes) -> None:
    await fails(endpoint, manners.answers(body), retries=0)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.sampled_from(["role", "content", "refusal", "tool_calls", "type", "function", "name", "id", "x"])
NEAR = st.recursive(
    st.none()
    | st.integers()
    | st.text(st.characters(exclude_categories=()), max_size=5)
    | st.just("function"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=4),
    max_leaves=15,
)
BODIES = st.one_of(
    st.binary(max_size=200),
    JSON.map(lambda value: json.dumps(value).encode()),
    st.fixed_dictionaries({"choices": NEAR}, optional={"usage": NEAR}).map(lambda v: json.dumps(v).encode()),
    st.fixed_dictionaries(
        {"choices": NEAR.map(lambda message: [{"message": message}])},
        optional={"usage": st.dictionaries(st.sampled_from(["prompt_tokens", "completion_tokens"]), JSON)},
    ).map(lambda value: json.dumps(value).encode()),
)
FUZZ = settings(
    max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@FUZZ
@given(BODIES, st.sampled_from([200, 200, 200, 204, 302, 400, 418, 429, 503, 999]))
async def test_no_body_whatever_is_more_than_a_failed_answer(
    endpoint: HostileEndpoint, body: bytes, status: int
) -> None:
    async with model_at(endpoint.behaves(manners.answers(body, status)).url, retries=0) as model:
        for call in (
            model.ask("judge", "", "", Size),
            model.converse("judge", [Message(Speaker.USER, "Look.")], TOOLS),
        ):
            with suppress(ModelError):
                await call


@FUZZ
@given(
    st.text(st.characters(exclude_categories=()), max_size=60)
    | NEAR.map(json.dumps)
    | NEAR.map(lambda value: json.dumps({"tool_calls": value}))
    | NEAR.map(lambda value: f"Well. ```{json.dumps(value)}```")
)
async def test_no_content_whatever_is_more_than_a_failed_answer(
    endpoint: HostileEndpoint, content: str
) -> None:
    async with model_at(endpoint.behaves(manners.writes(content)).url, retries=0) as model:
        with suppress(ModelError):
            await model.converse("judge", [Message(Speaker.USER, "Look.")], TOOLS)
            await model.ask("judge", "", "", Size)


@pytest.mark.parametrize(
    ("changes", "sent"),
    [({}, 8192), ({"max_tokens": 50}, 50), ({"max_tokens_by_role": "judge=9,research=7"}, 9)],
)
async def test_an_answer_has_a_limit_of_tokens_for_its_role(
    endpoint: HostileEndpoint, changes: dict[str, Any], sent: int
) -> None:
    async with model_at(endpoint.behaves(manners.writes('{"value": 1}')).url, **changes) as model:
        await model.ask("judge", "", "", Size)
    assert json.loads(endpoint.body)["max_tokens"] == sent


@pytest.mark.parametrize(
    "manner", [manners.hangs_up, manners.wants_to_wait("3600"), manners.answers(b"no", 401)]
)
async def test_a_password_in_the_address_is_shown_nowhere(
    endpoint: HostileEndpoint, manner: Manner, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    url = endpoint.behaves(manner).url.replace("//", f"//{PASSWORD}:{PASSWORD}%40@")
    given = ModelSettings(base_url=url, name="small", vision="seeing", retries=0, api_key=SecretStr("k"))
    model = OpenAIModel(given)
    with pytest.raises(ModelError) as caught:
        await model.ask("judge", "", "", Size)
    await model.close()
    with pytest.raises(DocumentError) as read:
        await asyncio.to_thread(VisionOcr(given, "Read.").read, b"")
    assert b"authorization: basic" in endpoint.head.lower()
    shown = f"{caught.value} {read.value} {caplog.text} {given!r} {vars(model)}"
    assert "http://127.0.0.1" in str(caught.value)
    assert PASSWORD not in shown


@pytest.mark.parametrize(
    "url",
    [
        f"http://u:{PASSWORD}/x@host/v1",
        f"http://[{PASSWORD}",
        f"//u:{PASSWORD}@host",
        f"ftp://u:{PASSWORD}@h",
    ],
)
def test_an_address_that_is_none_is_refused_without_being_shown(url: str) -> None:
    with pytest.raises(SettingsError, match=r"model\.base_url") as caught:
        OpenAIModel(ModelSettings(base_url=url, name="small"))
    assert PASSWORD not in str(caught.value)
