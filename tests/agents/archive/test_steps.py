"""What the steps of an archive run leave in the ledger, and that the method tells them as the code does."""

from pathlib import Path

import pytest

from agents.archive import pipeline
from agents.archive.answer import Question
from agents.archive.pipeline import answer_question
from agents.runs.memory import trial_run
from tests.agents.archive.world import DOCUMENTS, archive


@pytest.mark.parametrize(
    ("question", "found"),
    [("Why was ZK-701 discontinued?", '"doc_ids"'), ("Which lot of capsules was used?", '"chunk_id"')],
)
async def test_no_step_keeps_what_a_step_before_it_keeps(tmp_path: Path, question: str, found: str) -> None:
    tools = await archive(tmp_path / "docs", DOCUMENTS)
    run = await trial_run()

    await answer_question(run, Question(question), tools)

    outputs = {step.name: step.output for step in await run._ledger.steps(run.id)}
    searches = {name: text for name, text in outputs.items() if name.startswith("search/")}
    assert any(found in text for text in searches.values())
    assert not any(found in text for name, text in outputs.items() if name not in searches)


def test_the_walk_in_the_method_is_the_one_in_the_code() -> None:
    steps = [line for line in (pipeline.__doc__ or "").splitlines() if line[:1].isdigit()]
    assert len(steps) == 11
    assert "\n".join(steps) in Path("docs/method.md").read_text(encoding="utf-8")
