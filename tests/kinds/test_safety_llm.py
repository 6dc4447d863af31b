"""Requests to a real model: each writes its section anew, and no other one changes by a byte.

`test_safety` holds the same of a scripted model in each run of the suite.
"""

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
from agents.runs.run import Run
from agents.safety.kind import KIND
from agents.safety.order import SafetyOrder
from agents.safety.pipeline import assess
from agents.safety.values import Assessment
from agents.usage import Usage
from tests.agents.safety.kit import tools
from tests.kinds import skins
from tests.kinds.skins import SKINS, reads
from tests.kinds.test_safety import (
    REQUESTS,
    asked_for,
    history_of,
    only_what_was_asked_changed,
    written,
)
from tests.support.drills import ONE_IN
from tests.support.services import language_model

TOKENS = 250
"""Of an answer: enough for three sentences of a small model, which does not know where to end."""

ASKED = (REQUESTS[:1], REQUESTS[1::3], REQUESTS[2::3], REQUESTS[3::6])
POINTS = [(place, part) for place in ("page", "slack") for part in ASKED]
"""Places, and the requests made there. Short drills try the first: a request takes a minute of two cores."""


def refining(model: LanguageModel) -> AnyKind:
    """The kind whose reports are written by rules, and whose revisions by a model: one section is enough."""

    def opened(house: Any) -> Any:
        by_rules, by_model = tools(sources=house.sources), tools(model=model, sources=house.sources)

        async def work(run: Run, order: SafetyOrder) -> Assessment:
            return await assess(by_model if order.section else by_rules, run, order)

        return lambda principal: work

    return replace(KIND, open=opened)


@pytest.mark.drill
@pytest.mark.service("llm")
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("place", "requests"), POINTS if ONE_IN == 1 else POINTS[:1])
async def test_requests_to_a_real_model_change_their_section_alone(
    place: str, requests: tuple[tuple[str, str], ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(skins, "PATIENCE_S", 400.0)
    settings = language_model().model_copy(update={"max_tokens": TOKENS})
    model = OpenAIModel(settings, FileCache(tmp_path / "answers.db"))
    over = refining(model)
    async with SKINS[place](tmp_path, [over]) as skin:
        await written(skin)
        await asked_for(skin, requests)
        await skin.say(f"undo {requests[-1][0]}")
        await reads(skin, "Undone")
    await model.close()
    async with runtime(Settings(home=tmp_path), [over]) as built:
        revisions = [one.run_id for one in await built.ledger.runs() if one.revises]
        steps = [step for run in revisions for step in await built.ledger.steps(run)]
        used = sum((step.usage for step in steps), Usage())
    assert used.calls >= len(requests)
    assert used.completion_tokens > 0
    history = await history_of(tmp_path, over)
    only_what_was_asked_changed(history, requests)
    for line in history.lines:
        assert line.section.statements
        assert all(one.citations for one in line.section.statements if one.claim)
