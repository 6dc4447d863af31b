"""The adapter against a real model: set PESTLE_TEST_LLM_URL to its /v1 address (and PESTLE_TEST_LLM_NAME)."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.llm import FileCache, OpenAIModel
from adapters.sections import ModelSettings
from agents.runs.meter import measuring
from agents.trust.entail import Judgement, ModelEntailment
from agents.trust.values import Verdict
from tests.agents.trust.builders import evidence
from tests.support.services import missing


@pytest.fixture
async def model(tmp_path: Path) -> AsyncIterator[OpenAIModel]:
    url = os.environ.get("PESTLE_TEST_LLM_URL", "")
    if not url:
        missing("llm", "name an endpoint in PESTLE_TEST_LLM_URL")
    name = os.environ.get("PESTLE_TEST_LLM_NAME", "default")
    model = OpenAIModel(ModelSettings(base_url=url, name=name), FileCache(tmp_path / "answers.db"))
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


async def test_text_comes_in_pieces(model: OpenAIModel) -> None:
    pieces = [piece async for piece in model.stream("write", "Answer in five words.", "What is a dose?")]
    assert len(pieces) > 1
    assert "".join(pieces).strip()
