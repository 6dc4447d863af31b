"""A section is written anew by a real model, and no other section changes by a byte."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adapters.llm.cache import FileCache
from adapters.llm.model import OpenAIModel
from adapters.settings import Settings
from adapters.wiring import runtime
from agents.kinds import AnyKind
from agents.ports import LanguageModel
from agents.runs.records import RunState
from agents.runs.run import Run
from agents.safety.kind import KIND
from agents.safety.order import SafetyOrder
from agents.safety.pipeline import assess
from agents.safety.values import Assessment
from bot.values import Incoming, ThreadRef
from tests.agents.safety.kit import tools
from tests.kinds.test_safety import as_bytes
from tests.support.services import language_model

SECTION, WISH = "phenotypes", "put the decreased heart rate first"


def refining(model: LanguageModel) -> AnyKind:
    """The kind whose reports are written by rules, and whose revisions by a model: one section is enough."""

    def opened(house: Any) -> Any:
        by_rules, by_model = tools(sources=house.sources), tools(model=model, sources=house.sources)

        async def work(run: Run, order: SafetyOrder) -> Assessment:
            return await assess(by_model if order.section else by_rules, run, order)

        return lambda principal: work

    return replace(KIND, open=opened)


@pytest.mark.service("llm")
@pytest.mark.timeout(300)
async def test_a_request_to_a_real_model_changes_its_section_alone(tmp_path: Path) -> None:
    model = OpenAIModel(language_model(), FileCache(tmp_path / "answers.db"))
    thread = ThreadRef("wall", "tox", "1")
    async with runtime(Settings(home=tmp_path), [refining(model)]) as built:
        asked = await built.intake.receive(Incoming("e1", thread, "ada", "safety ZORB1, inhibition"))
        assert (await built.finished(asked.run_id)).state is RunState.DONE
        revised = await built.intake.receive(Incoming("e2", thread, "ada", f"revise {SECTION}: {WISH}"))
        assert (await built.finished(revised.run_id)).state is RunState.DONE
        used = [step.usage for step in await built.ledger.steps(revised.run_id) if step.parent]
        view = await built.views.by_id(asked.run_id)
    await model.close()
    history = view.history
    assert history is not None
    assert sum(usage.calls for usage in used) >= 1
    assert sum(usage.completion_tokens for usage in used) > 0
    (line,) = history.lines
    assert (line.section.id, line.why) == (SECTION, WISH)
    assert line.section.statements
    assert all(one.citations for one in line.section.statements)
    for section in history.written.sections:
        if section.id != SECTION:
            assert as_bytes(history.standing.section(section.id)) == as_bytes(section)
