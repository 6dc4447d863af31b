"""What the steps of an archive run leave in the ledger."""

from pathlib import Path

import pytest

from agents.archive.answer import Question
from agents.archive.pipeline import answer_question
from agents.runs.memory import trial_run
from tests.agents.archive.world import DOCUMENTS, archive


@pytest.mark.parametrize("question", ["Why was ZK-701 discontinued?", "Which lot of capsules was used?"])
async def test_no_step_keeps_what_a_step_before_it_keeps(tmp_path: Path, question: str) -> None:
    tools = await archive(tmp_path / "docs", DOCUMENTS)
    run = await trial_run()

    await answer_question(run, Question(question), tools)

    outputs = {step.name: step.output for step in await run._ledger.steps(run.id)}
    searches = {name: text for name, text in outputs.items() if name.startswith("search/")}
    assert any('"chunk_id"' in text for text in searches.values())
    assert not any('"chunk_id"' in text for name, text in outputs.items() if name not in searches)
    assert not any('"retained"' in text for name, text in outputs.items() if not name.startswith("review/"))
