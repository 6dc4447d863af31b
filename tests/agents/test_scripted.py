"""The scripted model."""

import pytest
from pydantic import BaseModel

from agents.errors import ModelAnswerInvalid, ModelRefused, ModelUnavailable
from agents.messages import Message, Speaker, Turn
from tests.support.scripted import ScriptedModel, calls


class Size(BaseModel):
    value: int


async def test_answers_are_used_up_in_order_and_calls_are_kept() -> None:
    model = ScriptedModel({"judge": [Size(value=1), {"value": 2}, '{"value": 3}']})
    assert [(await model.ask("judge", "s", f"u{n}", Size)).value for n in range(3)] == [1, 2, 3]
    assert [call.user for call in model.calls] == ["u0", "u1", "u2"]
    with pytest.raises(ModelUnavailable, match="judge"):
        await model.ask("judge", "s", "u", Size)


async def test_a_function_answers_from_the_call() -> None:
    model = ScriptedModel({"judge": lambda call: {"value": len(call.user)}})
    assert (await model.ask("judge", "", "four", Size)).value == 4


async def test_failures_are_scripted_too() -> None:
    model = ScriptedModel({"judge": [ModelRefused("no"), "not JSON"]})
    with pytest.raises(ModelRefused):
        await model.ask("judge", "", "", Size)
    with pytest.raises(ModelAnswerInvalid):
        await model.ask("judge", "", "", Size)


async def test_a_conversation_is_scripted_too() -> None:
    model = ScriptedModel(
        {"research": [calls(("search", {"words": "a"}), ("search", "{")), {"value": 1}, "Done."]}
    )
    said = [Message(Speaker.SYSTEM, "s"), Message(Speaker.USER, "u")]

    first = await model.converse("research", said)
    second = await model.converse(
        "research", [*said, first.message, Message(Speaker.TOOL, "t", tool_call_id="x")]
    )

    assert [(call.id, call.arguments) for call in first.tool_calls] == [
        ("call_1", '{"words": "a"}'),
        ("call_2", "{"),
    ]
    assert second == Turn('{"value": 1}')
    assert [(call.system, call.user) for call in model.calls] == [("s", "u"), ("s", "t")]
    assert (await model.converse("research", said)).text == "Done."
    with pytest.raises(ModelUnavailable):
        await model.converse("research", said)
