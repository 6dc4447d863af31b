"""A whole question of pharmacovigilance with a real model: it is asked, and nothing uncited is shown.

`tests/agents/vigilance/test_minds.py` holds the same of a scripted model in each run of the suite.
"""

from pathlib import Path

import pytest

from adapters.llm.cache import FileCache
from adapters.llm.model import OpenAIModel
from agents.runs.pipeline import new_run
from agents.runs.run import Run
from agents.usage import Usage
from agents.vigilance.kind import KIND
from agents.vigilance.pipeline import assess
from agents.vigilance.understand import ordered
from tests.agents.vigilance.kit import desk
from tests.support.memory.ledger import MemoryLedger
from tests.support.services import language_model

TOKENS = 240
"""Of an answer: enough for a verdict of a few sentences; a small model does not know where to end."""
SECONDS = 280.0
"""For an answer, on cores that other tests want too."""


@pytest.mark.drill
@pytest.mark.service("llm")
@pytest.mark.timeout(900)
async def test_a_real_model_answers_a_whole_question_and_all_that_is_shown_is_cited(tmp_path: Path) -> None:
    settings = language_model().model_copy(update={"max_tokens": TOKENS, "timeout": SECONDS, "retries": 0})
    model = OpenAIModel(settings, FileCache(tmp_path / "answers.db"))
    order, ledger = ordered("warfarin: bleeding"), MemoryLedger()
    record = new_run("vigilance", order)
    await ledger.create(record)
    made = await assess(desk(model=model), Run(record, ledger), order)
    await model.close()
    spent = sum((step.usage for step in await ledger.steps(record.run_id)), Usage())
    assert spent.completion_tokens > 0
    (cell,) = made.cells
    assert cell.by == model.name or any("rules were used" in one for drug in cell.drugs for one in drug.notes)
    shown = KIND.report(made)
    assert shown.found
    assert all(one.citations for section in shown.sections for one in section.statements)
    texts = {one.key: one.text for one in made.evidence}
    assert all(one.quote in texts[one.key] for one in shown.citations)
