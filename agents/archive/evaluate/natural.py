"""Evaluates the archive pipeline on natural questions, as somebody who knows the documents would ask them.

Questions of one thread are asked in it, one after the other. Each is timed; where a model is set, its calls
and tokens are counted.
"""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from statistics import fmean
from textwrap import shorten

from agents.archive.answer import Answer, AnswerOutcome, Question
from agents.archive.evaluate.plain import answer_plainly
from agents.archive.evaluate.questions import (
    AskedQuestion,
    Judged,
    QuestionKind,
    Reply,
    judge,
    read_questions,
    reply_of,
)
from agents.archive.evaluate.run import ToolsFactory
from agents.archive.evaluate.scoring import ratio
from agents.archive.pipeline import answer_question
from agents.archive.tools import ArchiveTools
from agents.archive.understand import Discussed, remember, understand
from agents.archive.work import as_shown, report
from agents.errors import ModelError, RunStopped
from agents.kinds import ThreadContext, UserMessage
from agents.ports import LanguageModel
from agents.runs.memory import MemoryLedger
from agents.runs.records import RunRecord
from agents.runs.run import Run
from agents.usage import Usage

PIPELINE, PLAIN = "pestle", "plain"
"""Who answers: the pipeline, or one prompt over the first chunks."""
DOCUMENTS = "docs"
LONGEST_SAID = 160
SHARES = ("right", "helped", "stated_wrong", "nothing")


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """A question that was asked, and what came of it.

    `by` says who answered.
    """

    id: str
    kind: str
    question: str
    by: str
    outcome: AnswerOutcome
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


async def evaluate_questions(
    folder: Path, tools_factory: ToolsFactory, *, plain: bool = False
) -> NaturalEvaluation:
    """Ask every question, and judge what is answered. `plain` also asks the baseline.

    Raises `ArchiveNotFound`.
    """
    results: list[QuestionResult] = []
    questions, threads = read_questions(folder), dict[str, Thread]()
    async with tools_factory(folder / DOCUMENTS) as tools:
        for asked in questions:
            results.append(await result_of(asked, PIPELINE, partial(ask_in_thread, tools, asked, threads)))
            if plain and tools.model is not None:
                baseline = partial(ask_plainly, tools, tools.model, asked, threads)
                results.append(await result_of(asked, PLAIN, baseline))
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
    tools: ArchiveTools, asked: AskedQuestion, threads: dict[str, Thread], run: Run
) -> Reply:
    """The pipeline's reply; its thread goes on without an answer where the run is stopped."""
    thread = threads[asked.id] = threads.get(asked.after, Thread())
    question = thread.understood(asked)
    answer = await answer_question(run, question, tools)
    threads[asked.id] = thread.after(question, answer)
    return reply_of(as_shown(answer))


async def ask_plainly(
    tools: ArchiveTools, model: LanguageModel, asked: AskedQuestion, threads: dict[str, Thread], run: Run
) -> Reply:
    """The baseline's reply."""
    question = threads.get(asked.after, Thread()).understood(asked)
    return await run.step("plain", partial(answer_plainly, tools, model), question)


async def result_of(asked: AskedQuestion, by: str, ask: Callable[[Run], Awaitable[Reply]]) -> QuestionResult:
    """A reply in a run of its own, judged and for a miss explained; one that was stopped, or whose model
    failed, has found nothing.
    """
    ledger, record = MemoryLedger(), RunRecord("trial", "trial", "null", "trial")
    await ledger.create(record)
    run = Run(record, ledger)
    began = time.perf_counter()
    try:
        reply = await ask(run)
    except (RunStopped, ModelError) as error:
        reply = Reply(AnswerOutcome.NOTHING, str(error))
    seconds = round(time.perf_counter() - began, 3)
    judged = judge(asked, reply)
    said = shorten(reply.text, LONGEST_SAID, placeholder=" …")
    return QuestionResult(
        asked.id,
        asked.kind.value,
        asked.question,
        by,
        reply.outcome,
        said,
        judged,
        seconds,
        sum((step.usage for step in await ledger.steps(run.id)), Usage()),
        explain(asked, judged, reply.outcome, said),
    )


def explain(asked: AskedQuestion, judged: Judged, outcome: AnswerOutcome, said: str) -> str:
    """Why a question counts as missed, in a line; empty where the reader was helped."""
    if judged.helped:
        return ""
    if judged.made_up:
        return f"gave a value that the documents do not state: {said!r}"
    what = "said that there is nothing" if judged.nothing else f"{outcome.value}: {said!r}"
    patterns = " | ".join(one.pattern for one in (*asked.accept, *asked.all))
    wanted = asked.quotes[0] if asked.quotes else patterns
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
    """Figures over some results, at least one."""
    there = [one.judged for one in results if one.kind != QuestionKind.ABSENT]
    absent = [one.judged for one in results if one.kind == QuestionKind.ABSENT]
    times = sorted(one.seconds for one in results)
    shares = {name: ratio(sum(map(attrgetter(name), there)), len(there)) for name in SHARES}
    return QuestionFigures(
        questions=len(results),
        **shares,
        made_up=ratio(sum(one.made_up for one in absent), len(absent)),
        calls=round(fmean(one.usage.calls for one in results), 1),
        tokens=round(fmean(one.usage.tokens for one in results), 1),
        slow=times[min(len(times) - 1, int(0.95 * len(times)))],
    )
