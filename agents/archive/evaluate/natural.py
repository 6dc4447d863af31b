"""Evaluates the archive pipeline on natural questions, as somebody who knows the documents would ask them.

Questions of one thread are asked in it, one after the other. Each is timed; where a model is set, its calls
and tokens are counted.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pydantic import TypeAdapter

from agents.archive.answer import Answer, Outcome, Question
from agents.archive.evaluate.plain import answer_plainly
from agents.archive.evaluate.questions import (
    AskedQuestion,
    Judged,
    Reply,
    judge,
    read_questions,
    reply_of,
)
from agents.archive.evaluate.run import ToolsFactory
from agents.archive.pipeline import answer_question
from agents.archive.tools import ArchiveTools
from agents.archive.understand import Discussed, remember, understand
from agents.archive.work import as_shown, report
from agents.errors import ModelError, RunStopped
from agents.kinds import ThreadContext, UserMessage
from agents.runs.memory import MemoryLedger
from agents.runs.records import RunRecord
from agents.runs.run import Run
from agents.usage import Usage

PIPELINE, PLAIN = "pestle", "plain"
"""Who answers: the pipeline, or one prompt over the first chunks."""
DOCUMENTS = "docs"
LONGEST_SAID = 160


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """A question that was asked, and what came of it.

    `by` says who answered.
    """

    id: str
    kind: str
    question: str
    by: str
    outcome: Outcome
    said: str
    judged: Judged
    seconds: float
    usage: Usage = Usage()
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class QuestionFigures:
    """Shares over some questions; None: the denominator is empty.

    `right`, `helped` (right, or shown within the first passages), `stated_wrong`, `nothing` (said to be
    absent) are shares of the questions with an answer, `made_up` of those without. `calls` and
    `tokens` are means a question, `slow` is the 95th percentile of seconds.
    """

    questions: int
    right: float | None
    helped: float | None
    stated_wrong: float | None
    nothing: float | None
    made_up: float | None
    calls: float
    tokens: float
    slow: float


@dataclass(frozen=True, slots=True)
class NaturalEvaluation:
    """All that an evaluation found: figures by who answered and by kind of question, and each result."""

    folder: str
    figures: dict[str, dict[str, QuestionFigures]]
    results: tuple[QuestionResult, ...]

    def as_json(self) -> str:
        """The machine form."""
        return TypeAdapter(NaturalEvaluation).dump_json(self, indent=1).decode()


async def evaluate_questions(
    folder: Path, tools_factory: ToolsFactory, *, plain: bool = False
) -> NaturalEvaluation:
    """Ask every question, and judge what is answered. `plain` also asks the baseline.

    Raises `ArchiveNotFound`.
    """
    asked = read_questions(folder)
    results: list[QuestionResult] = []
    async with tools_factory(folder / DOCUMENTS) as tools:
        threads: dict[str, Thread] = {}
        for question in asked:
            thread = threads.get(question.after, Thread())
            threads[question.id], result = await ask_in_thread(tools, question, thread)
            results.append(result)
            if plain and tools.model is not None:
                results.append(await ask_plainly(tools, question, thread))
    return NaturalEvaluation(str(folder), figures_of(results), tuple(results))


@dataclass(frozen=True, slots=True)
class Thread:
    """What was asked and answered before, newest first."""

    earlier: tuple[Question, ...] = ()
    remembered: Discussed | None = None
    last: Answer | None = None

    def understood(self, question: AskedQuestion) -> Question:
        """A question as the pipeline gets it in this thread."""
        last = report(self.last) if self.last else None
        context = ThreadContext(self.remembered, self.earlier, last)
        return understand(UserMessage(question.question, "reader"), context).inputs

    def after(self, question: Question, answer: Answer) -> "Thread":
        """The thread with one more answer."""
        return Thread((question, *self.earlier), remember(answer, self.remembered), answer)


async def ask_in_thread(
    tools: ArchiveTools, asked: AskedQuestion, thread: Thread
) -> tuple[Thread, QuestionResult]:
    """One run of the pipeline with a ledger in memory, and the thread after it.

    One that reaches its limits counts as a miss, and its thread goes on without it.
    """
    question = thread.understood(asked)
    ledger, run = await trial()
    began = time.perf_counter()
    try:
        answer = await answer_question(run, question, tools)
    except RunStopped as error:
        reply = Reply(Outcome.NOTHING, str(error))
    else:
        reply, thread = reply_of(as_shown(answer)), thread.after(question, answer)
    seconds = time.perf_counter() - began
    result = result_of(asked, PIPELINE, reply, seconds, await spent(ledger, run))
    return thread, result


async def ask_plainly(tools: ArchiveTools, asked: AskedQuestion, thread: Thread) -> QuestionResult:
    """The baseline's answer; a model that fails has found nothing."""
    assert tools.model is not None
    ledger, run = await trial()
    began = time.perf_counter()
    try:
        reply = await run.step("plain", partial(answer_plainly, tools, tools.model), thread.understood(asked))
    except ModelError as error:
        reply = Reply(Outcome.NOTHING, str(error))
    return result_of(asked, PLAIN, reply, time.perf_counter() - began, await spent(ledger, run))


async def trial() -> tuple[MemoryLedger, Run]:
    """A run of its own, and the ledger that keeps what it spends."""
    ledger, record = MemoryLedger(), RunRecord("trial", "trial", "null", "trial")
    await ledger.create(record)
    return ledger, Run(record, ledger)


async def spent(ledger: MemoryLedger, run: Run) -> Usage:
    """What all steps of a run spent."""
    return sum((step.usage for step in await ledger.steps(run.id)), Usage())


def result_of(asked: AskedQuestion, by: str, reply: Reply, seconds: float, usage: Usage) -> QuestionResult:
    """A reply, judged and for a miss explained."""
    judged = judge(asked, reply)
    said = " ".join(reply.text.split())
    said = said if len(said) <= LONGEST_SAID else f"{said[:LONGEST_SAID]} …"
    return QuestionResult(
        asked.id,
        asked.kind.value,
        asked.question,
        by,
        reply.outcome,
        said,
        judged,
        round(seconds, 3),
        usage,
        explanation=explain(asked, judged, reply.outcome, said),
    )


def explain(asked: AskedQuestion, judged: Judged, outcome: Outcome, said: str) -> str:
    """Why a question counts as missed, in a line; empty where the reader was helped."""
    if judged.helped:
        return ""
    if judged.made_up:
        return f"gave a value that the documents do not state: {said!r}"
    what = "said that there is nothing" if judged.nothing else f"{outcome.value}: {said!r}"
    wanted = asked.quotes[0] if asked.quotes else " | ".join((*asked.accept, *asked.all))
    return f"{what}; expected {wanted!r}" + (f" ({asked.doc})" if asked.doc else "")


def figures_of(results: Sequence[QuestionResult]) -> dict[str, dict[str, QuestionFigures]]:
    """Figures by who answered, then by kind of question and over all."""
    found: dict[str, dict[str, QuestionFigures]] = {}
    for by in dict.fromkeys(result.by for result in results):
        mine = [result for result in results if result.by == by]
        kinds = dict.fromkeys(result.kind for result in mine)
        found[by] = {kind: figures([r for r in mine if r.kind == kind]) for kind in kinds}
        found[by]["all"] = figures(mine)
    return found


def figures(results: Sequence[QuestionResult]) -> QuestionFigures:
    """Figures over some results."""
    there = [one for one in results if one.kind != "absent"]
    absent = [one.judged for one in results if one.kind == "absent"]
    judged = [one.judged for one in there]
    times = sorted(one.seconds for one in results)
    return QuestionFigures(
        len(results),
        share([one.right for one in judged]),
        share([one.helped for one in judged]),
        share([one.stated_wrong for one in judged]),
        share([one.nothing for one in judged]),
        share([one.made_up for one in absent]),
        mean([one.usage.calls for one in results]),
        mean([one.usage.tokens for one in results]),
        times[min(len(times) - 1, int(0.95 * len(times)))] if times else 0.0,
    )


def share(held: Sequence[bool]) -> float | None:
    """How many of them hold; None for none at all."""
    return round(sum(held) / len(held), 4) if held else None


def mean(values: Sequence[float]) -> float:
    """The mean; 0 for none at all."""
    return round(sum(values) / len(values), 1) if values else 0.0
