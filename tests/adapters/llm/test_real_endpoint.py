"""The adapter against a real model: set PESTLE_TEST_LLM_URL to its /v1 address (and PESTLE_TEST_LLM_NAME)."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.llm.cache import FileCache
from adapters.llm.model import OpenAIModel
from agents.messages import Message, Speaker, ToolSpec
from agents.runs.meter import measuring
from agents.trust.entail import Judgement, ModelEntailment
from agents.trust.values import Verdict
from tests.agents.trust.builders import evidence
from tests.support.services import language_model


@pytest.fixture
async def model(tmp_path: Path) -> AsyncIterator[OpenAIModel]:
    model = OpenAIModel(language_model(), FileCache(tmp_path / "answers.db"))
    yield model
    await model.close()


async def test_a_judgement_fits_its_schema_and_is_kept(model: OpenAIModel) -> None:
    with measuring("entail", "hash") as meter:
        first = await model.ask(
            "entail", "Judge the claim.", "Claim: 2 is even. Evidence: 2 is even.", Judgement
        )
        again = await model.ask(
            "entail", "Judge the claim.", "Claim: 2 is even. Evidence: 2 is even.", Judgement
        )
    assert first == again
    assert meter.usage.cached_calls == 1
    assert meter.usage.prompt_tokens > 20


async def test_entailment_gives_a_verdict_with_a_reason(model: OpenAIModel) -> None:
    verdict, reason = await ModelEntailment(model).judge(
        "The dose was 5 mg.", [evidence("The dose was 5 mg once daily.")]
    )
    assert verdict in Verdict
    assert reason


async def test_a_conversation_with_a_tool(model: OpenAIModel) -> None:
    lookup = ToolSpec(
        "look_up_dose",
        "Looks up the highest dose of a molecule. The only way to know it.",
        {"type": "object", "properties": {"molecule": {"type": "string"}}, "required": ["molecule"]},
    )
    said = (
        Message(Speaker.SYSTEM, "Use the tool look_up_dose, then answer in one sentence."),
        Message(Speaker.USER, "What is the highest dose of ZK-701?"),
    )

    turn = await model.converse("research", said, [lookup])

    assert [call.name for call in turn.tool_calls][:1] == ["look_up_dose"]
    assert "701" in turn.tool_calls[0].arguments
    results = [Message(Speaker.TOOL, "60 mg", tool_call_id=call.id) for call in turn.tool_calls]
    assert "60" in (await model.converse("research", (*said, turn.message, *results))).text
