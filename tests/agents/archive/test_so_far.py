"""What a run yields that ends early: the findings it had, at no cost, also when it was resumed meanwhile."""

from functools import partial
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from agents.archive.answer import Answer, AnswerOutcome, Question
from agents.archive.pipeline import answer_question, stopped
from agents.archive.tools import ArchiveTools
from agents.runs.execute import execute, resume
from agents.runs.pipeline import Pipeline, new_run
from agents.runs.records import RunState, StepRecord
from tests.agents.archive.test_model_mind import QUESTION, REASON, draft
from tests.agents.archive.world import DOCUMENTS, archive
from tests.support.memory.ledger import MemoryLedger
from tests.support.scripted import ScriptedModel


class StopsAfter(MemoryLedger):
    """A ledger to which somebody says stop when a step is finished."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    async def save_step(self, step: StepRecord) -> None:
        await super().save_step(step)
        if step.name == self.name and not step.error:
            await self.request_stop(step.run_id, "enough")


async def ends(ledger: MemoryLedger, run_id: str, tools: ArchiveTools) -> Answer:
    """The partial answer of a run that is stopped."""
    pipelines = {"archive": Pipeline(partial(answer_question, tools=tools), Question, Answer, stopped)}
    await execute(run_id, ledger, pipelines, "worker")
    record = await ledger.run(run_id)
    assert record is not None
    assert (record.state, record.error) == (RunState.STOPPED, "enough")
    answer: Answer = TypeAdapter(Answer).validate_json(record.result)
    assert answer.partial == "enough"
    return answer


async def test_what_was_read_of_a_molecule_is_kept_over_stops_and_costs_no_model_call(tmp_path: Path) -> None:
    told = "The development of ZK-701 was stopped because of liver toxicity in the multiple dose study."
    model = ScriptedModel({"research": draft(told, REASON)})  # type: ignore[dict-item]
    tools = await archive(tmp_path / "docs", DOCUMENTS, model)
    ledger, run = StopsAfter("reader/ZK-701/answer"), new_run("archive", Question(QUESTION))
    await ledger.create(run)

    first = await ends(ledger, run.run_id, tools)

    assert first.short == told
    assert first.citations[0].quote == REASON
    assert model.calls[-1].role == "research"

    asked = len(model.calls)
    assert await resume(run.run_id, ledger)
    await ledger.request_stop(run.run_id, "enough")

    assert await ends(ledger, run.run_id, tools) == first
    assert len(model.calls) == asked


@pytest.mark.parametrize(
    ("question", "step", "short"),
    [
        ("Which lot of capsules was used?", "research/general", "K-114"),
        (QUESTION, "supervise", "liver toxicity"),
        (QUESTION, "search/discontinuation_reason", "stopped before anything was found"),
    ],
)
async def test_a_run_yields_what_it_had_when_it_was_stopped(
    tmp_path: Path, question: str, step: str, short: str
) -> None:
    tools = await archive(tmp_path / "docs", DOCUMENTS)
    ledger, run = StopsAfter(step), new_run("archive", Question(question))
    await ledger.create(run)

    answer = await ends(ledger, run.run_id, tools)

    assert short in f"{answer.short} {answer.text}"
    assert (answer.outcome is not AnswerOutcome.NOTHING) == bool(answer.citations)
