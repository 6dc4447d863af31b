"""Runs of the archive as the conversation sees them, made by hand."""

from dataclasses import replace

from pydantic import TypeAdapter

from agents.archive.answer import Answer, Question
from agents.archive.kind import KIND
from agents.kinds import Kinds, RunView
from agents.reports.values import Block, Paragraph
from agents.runs.pipeline import new_run
from agents.runs.records import RunRecord, RunState

KINDS = Kinds([KIND])
QUESTION = TypeAdapter(Question)
ANSWER = TypeAdapter(Answer)


def said(text: str) -> tuple[Block, ...]:
    """A text as the blocks of an answer."""
    return (Paragraph(text),)


def question_in(record: RunRecord | None) -> Question:
    """The question of a run."""
    assert record is not None
    return QUESTION.validate_json(record.inputs)


def answer_in(record: RunRecord | None) -> Answer | None:
    """The answer of a run, if it has one."""
    return ANSWER.validate_json(record.result) if record and record.result else None


def record_of(
    text: str, answer: Answer | None = None, state: RunState = RunState.RUNNING, error: str = ""
) -> RunRecord:
    """The run "r1" that was asked this and ended so."""
    result = ANSWER.dump_json(answer).decode() if answer else ""
    run = new_run("archive", Question(text))
    return replace(run, run_id="r1", state=state, error=error, result=result)


def view_of(answer: Answer, state: RunState = RunState.DONE) -> RunView:
    """The run "r1" with this answer."""
    return KINDS.view(record_of(answer.question, answer, state))
