"""Calls at the edge of a toolset: valid ones work, all others say what is wrong."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from agents.errors import RunCancelled, ToolFailed, ToolRetry
from agents.runs.encoding import decode, encode
from agents.tools.reply import ToolReply
from agents.tools.tool import Tool
from agents.tools.toolset import Toolset
from tests.agents.tools.builders import Counter, Lookup, lookup, reply_on

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["drug", "limit", "x"]), inner),
)


def of(work: object) -> Toolset:
    return Toolset("test", [lookup(work)])  # type: ignore[arg-type]


async def test_a_valid_call_is_answered() -> None:
    work = Counter()
    reply = await of(work).call("drug_label", '{"drug": "zorvatinib"}')
    assert reply == reply_on("zorvatinib", "zorvatinib was asked for 1 times.")
    assert work.asked == [Lookup(drug="zorvatinib", limit=5)]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("{}", "drug: Field required"),
        ("", "drug: Field required"),
        ('{"drug": "a", "dose": 1}', "dose: Extra inputs are not permitted"),
        ('{"drug": "a", "limit": 0}', "limit: Input should be greater than or equal to 1"),
        ("[1]", "should be an object"),
        ("{drug}", "Invalid JSON"),
        ('{"drug": "\ud800"}', "drug_label cannot be called so"),
    ],
)
async def test_wrong_arguments_are_told_with_how_to_call(arguments: str, told: str) -> None:
    with pytest.raises(ToolRetry) as raised:
        await of(Counter()).call("drug_label", arguments)
    assert told in str(raised.value)
    assert "Required: drug" in str(raised.value)
    assert "generic name of the drug" in str(raised.value)


async def test_an_unknown_tool_is_told_with_the_nearest_name() -> None:
    with pytest.raises(ToolRetry, match="drug_label"):
        await of(Counter()).call("drug_lable", "{}")


async def test_an_error_of_the_work_ends_the_asking() -> None:
    async def broken(inputs: Lookup) -> ToolReply:
        raise KeyError(inputs.drug)

    with pytest.raises(ToolFailed, match="drug_label failed"):
        await of(broken).call("drug_label", '{"drug": "a"}')


async def test_a_stop_of_the_run_passes_through() -> None:
    async def stopped(inputs: Lookup) -> ToolReply:
        raise RunCancelled("somebody said stop")

    with pytest.raises(RunCancelled):
        await of(stopped).call("drug_label", '{"drug": "a"}')


async def test_a_tool_that_needs_approval_does_not_run_unasked() -> None:
    work = Counter()
    tools = Toolset("test", [lookup(work, needs_approval=True)])
    with pytest.raises(ToolFailed, match="approval"):
        await tools.call("drug_label", '{"drug": "a"}')
    assert work.asked == []


async def test_data_that_do_not_fit_the_output_are_a_failure() -> None:
    class Count(BaseModel):
        labels: int

    async def work(inputs: Lookup) -> ToolReply:
        return ToolReply(data={"labels": inputs.drug})

    tools = Toolset("test", [lookup(work, output=Count)])
    assert (await tools.call("drug_label", '{"drug": "3"}')).data == {"labels": "3"}
    with pytest.raises(ToolFailed, match="Count"):
        await tools.call("drug_label", '{"drug": "many"}')


@given(st.text() | JSON.map(json.dumps), st.text())
async def test_no_text_at_all_gives_another_exception(arguments: str, name: str) -> None:
    for called in ("drug_label", name):
        with contextlib.suppress(ToolRetry, ToolFailed):
            assert (await of(Counter()).call(called, arguments)).records


def test_names_are_unique() -> None:
    tool = lookup(Counter())
    with pytest.raises(ValueError, match="two tools"):
        Toolset("test", [tool, tool])
    other = Toolset("other", [lookup(Counter(), "other")])
    assert list(Toolset("test", [tool]).joined(other)) == ["drug_label", "other"]


def test_a_model_sees_name_description_and_schema() -> None:
    (spec,) = of(Counter()).spec()
    assert (spec.name, spec.description) == ("drug_label", "The label of a drug.")
    assert spec.parameters["additionalProperties"] is False
    assert spec.parameters["properties"]["drug"]["description"] == "generic name of the drug"


def test_a_reply_can_be_a_step_of_a_run() -> None:
    reply = reply_on("zorvatinib", "12 mg/kg").noted("Labels of 2026-06.")
    text, read = encode(ToolReply, reply)
    assert read == reply == decode(ToolReply, text, "reply")
    assert isinstance(lookup(Counter()), Tool)
