"""Conversations with tools against a small endpoint on a real socket."""

import json
from typing import Any

import pytest
from pydantic import BaseModel
from starlette.responses import JSONResponse, Response

from adapters.llm.conversation import written_calls
from agents.data_block import DATA_RULE
from agents.errors import ModelRefused, ModelUnavailable
from agents.messages import Message, Speaker, ToolCall, ToolSpec, Turn
from agents.runs.meter import measuring
from tests.adapters.llm.fake_endpoint import FakeEndpoint, Reply, fails, refuses_formats, says
from tests.adapters.llm.test_model import model_at

LABELS = ToolSpec("search_labels", "Searches drug labels.", {"type": "object", "properties": {}})
ASKED = (Message(Speaker.SYSTEM, "Research."), Message(Speaker.USER, "Is angioedema known?"))


def uses(*named: tuple[str, str, str]) -> Reply:
    """A reply that calls tools: id, name and arguments of each."""

    def reply(body: dict[str, Any]) -> Response:
        plain = json.loads(bytes(says("")(body).body))
        plain["choices"][0]["message"]["tool_calls"] = [
            {"id": own, "type": "function", "function": {"name": name, "arguments": arguments}}
            for own, name, arguments in named
        ]
        return JSONResponse(plain)

    return reply


def knows_no_tools(then: Reply) -> Reply:
    return lambda body: fails(400, "tools are not supported")(body) if "tools" in body else then(body)


async def test_a_model_calls_several_tools_and_reads_their_results(endpoint: FakeEndpoint) -> None:
    endpoint.script(uses(("a", "search_labels", '{"drug": "x"}'), ("b", "search_labels", "{")), says("Yes."))
    async with model_at(endpoint.url) as model:
        with measuring("turn", "hash") as meter:
            turn = await model.converse("research", ASKED, [LABELS])
        results = (Message(Speaker.TOOL, f"of {call.id}", tool_call_id=call.id) for call in turn.tool_calls)
        last = await model.converse("research", (*ASKED, turn.message, *results), [LABELS])

    assert [(call.id, call.arguments) for call in turn.tool_calls] == [("a", '{"drug": "x"}'), ("b", "{")]
    assert last == Turn("Yes.")
    assert (meter.usage.calls, meter.usage.tokens) == (1, 15)
    first, second = endpoint.asked
    assert first["tools"][0]["function"]["name"] == "search_labels"
    assert first["messages"][0]["content"] == f"Research.\n\n{DATA_RULE}"
    assert [message["role"] for message in second["messages"]] == [
        "system",
        "user",
        "assistant",
        "tool",
        "tool",
    ]
    told = [call["function"]["arguments"] for call in second["messages"][2]["tool_calls"]]
    assert told == ['{"drug": "x"}', "{}"]  # what is no JSON is not sent again
    assert second["messages"][4]["tool_call_id"] == "b"


async def test_ids_that_occur_twice_or_not_at_all_become_unique(endpoint: FakeEndpoint) -> None:
    endpoint.script(
        uses(("", "search_labels", "{}"), ("a", "search_labels", "{}"), ("a", "search_labels", "{}"))
    )
    async with model_at(endpoint.url) as model:
        turn = await model.converse("research", ASKED, [LABELS])

    assert [call.id for call in turn.tool_calls] == ["call_1", "a", "call_3"]


async def test_an_endpoint_without_tools_is_told_of_them_in_words(endpoint: FakeEndpoint) -> None:
    wanted = 'I search. ```json\n{"tool_calls": [{"name": "search_labels", "arguments": {"drug": "x"}}]}\n```'
    endpoint.script(knows_no_tools(says(wanted)), knows_no_tools(says(wanted)), knows_no_tools(says("Yes.")))
    async with model_at(endpoint.url) as model:
        turn = await model.converse("research", ASKED, [LABELS])
        result = Message(Speaker.TOOL, "one label", tool_call_id="call_1")
        last = await model.converse("research", (*ASKED, turn.message, result), [LABELS])

    assert turn == Turn("", (ToolCall("call_1", "search_labels", '{"drug": "x"}'),))
    assert last == Turn("Yes.")
    assert ["tools" in body for body in endpoint.asked] == [True, False, False]  # the refusal is remembered
    system, _, said, told = (message["content"] for message in endpoint.asked[-1]["messages"])
    assert "search_labels" in system
    assert DATA_RULE in system
    assert json.loads(said)["tool_calls"][0]["arguments"] == {"drug": "x"}
    assert told == "Result of call_1:\none label"


async def test_a_request_that_words_do_not_save_is_refused(endpoint: FakeEndpoint) -> None:
    endpoint.script(fails(400))
    async with model_at(endpoint.url) as model:
        with pytest.raises(ModelRefused, match="HTTP 400"):
            await model.converse("research", ASKED, [LABELS])
        endpoint.script(says("Yes."))
        await model.converse("research", ASKED, [LABELS])
    assert "tools" in endpoint.asked[0]  # one bad request is no proof that the endpoint lacks tools


async def test_a_dead_endpoint_is_not_asked_in_words(endpoint: FakeEndpoint) -> None:
    endpoint.script(fails(503))
    async with model_at(endpoint.url) as model:
        with pytest.raises(ModelUnavailable, match="HTTP 503"):
            await model.converse("research", ASKED, [LABELS])
    assert all("tools" in body for body in endpoint.asked)


async def test_the_same_conversation_is_paid_once(endpoint: FakeEndpoint) -> None:
    endpoint.script(uses(("a", "search_labels", "{}")))
    async with model_at(endpoint.url) as model:
        with measuring("turn", "hash") as meter:
            first = await model.converse("research", ASKED, [LABELS])
            assert await model.converse("research", ASKED, [LABELS]) == first
            await model.converse("research", ASKED)
    assert len(endpoint.asked) == 2
    assert (meter.usage.calls, meter.usage.cached_calls) == (3, 1)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('{"name": "search_labels", "arguments": {}}', ["search_labels"]),
        ('{"name": "aspirin", "arguments": {}}', []),
        ('{"name": "search_labels", "dose": "5 mg"}', []),
        ("No tool is needed.", []),
        ('{"tool_calls": []}', []),
    ],
)
def test_a_call_that_a_small_model_writes_as_text_is_one(text: str, names: list[str]) -> None:
    assert [call.name for call in written_calls(text, {"search_labels"})] == names


class Found(BaseModel):
    """What is asked for in the end."""

    known: bool


async def test_a_last_turn_is_held_to_its_form_and_one_with_tools_is_not(endpoint: FakeEndpoint) -> None:
    endpoint.script(says('{"known": true}'))
    async with model_at(endpoint.url) as model:
        await model.converse("research", ASKED, [LABELS], Found.model_json_schema())
        await model.converse("research", ASKED, (), Found.model_json_schema())
    with_tools, last = endpoint.asked
    assert "response_format" not in with_tools
    assert last["response_format"]["json_schema"]["schema"]["required"] == ["known"]


async def test_an_endpoint_that_refuses_forms_is_asked_freely_from_then_on(endpoint: FakeEndpoint) -> None:
    endpoint.script(refuses_formats("json_schema", then=says('{"known": true}')))
    async with model_at(endpoint.url) as model:
        assert (
            await model.converse("research", ASKED, (), Found.model_json_schema())
        ).text == '{"known": true}'
        await model.converse("research", (*ASKED, ASKED[1]), (), Found.model_json_schema())
    assert ["response_format" in asked for asked in endpoint.asked] == [True, False, False]


async def test_a_turn_that_ended_at_the_limit_of_tokens_says_so_and_is_not_kept(
    endpoint: FakeEndpoint,
) -> None:
    endpoint.script(says('{"known": ', end="length"), says('{"known": true}'))
    async with model_at(endpoint.url) as model:
        assert (await model.converse("research", ASKED)).cut
        assert not (await model.converse("research", ASKED)).cut
