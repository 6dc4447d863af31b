"""Whether every value of every answer is carried by its citation, from the stored texts."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from agents.archive.answer import Answer
from agents.archive.evaluate.natural import DOCUMENTS, Thread
from agents.archive.evaluate.question_set import read_question_set
from agents.archive.evaluate.questions import QUESTIONS, read_questions
from agents.archive.evaluate.run import ToolsFactory, ask_all
from agents.archive.kind import KIND
from agents.archive.pipeline import answer_question
from agents.archive.tools import ArchiveTools
from agents.archive.work import report as ungated
from agents.reports.gate import Audit, gated
from agents.reports.recheck import Texts, recheck
from agents.reports.values import Report
from agents.runs.memory import trial_run


@dataclass(frozen=True, slots=True)
class SupportReport:
    """How many values were shown in how many reports; `wrong` tells of each that is not carried.

    `computed` and `proposed` are values that no citation carries and that say so. Of `statements` that were
    judged to stand the gate changed or struck `cut`.
    """

    reports: int = 0
    citations: int = 0
    values: int = 0
    wrong: tuple[str, ...] = ()
    statements: int = 0
    cut: int = 0
    computed: int = 0
    proposed: int = 0

    def __add__(self, other: "SupportReport") -> "SupportReport":
        return SupportReport(
            self.reports + other.reports,
            self.citations + other.citations,
            self.values + other.values,
            self.wrong + other.wrong,
            self.statements + other.statements,
            self.cut + other.cut,
            self.computed + other.computed,
            self.proposed + other.proposed,
        )


async def support_of(report: Report, texts: Texts) -> SupportReport:
    """The values of one report, checked over the stored texts."""
    found: Audit = await recheck(report, texts)
    wrong = tuple(f"{report.title}: {place}: {fault.value!r}: {fault.reason}" for place, fault in found.wrong)
    return SupportReport(
        1,
        len(report.citations),
        found.values,
        wrong,
        computed=found.computed,
        proposed=found.proposed,
    )


async def evaluate_support(folder: Path, tools_factory: ToolsFactory) -> SupportReport:
    """Ask every question of a folder, in either form of a question set. Raises `ArchiveNotFound`."""
    total = SupportReport()
    async for tools, answer in _answers(folder, tools_factory):
        total += await support_of(KIND.report(answer), tools.index.document)
        total += cut_by_gate(ungated(answer))
    return total


def cut_by_gate(report: Report) -> SupportReport:
    """How many judged statements a report has, and how many of them the gate does not leave as they are."""
    left = {one.text for section in gated(report).sections for one in section.statements}
    judged = [one.text for section in report.sections for one in section.statements if one.claim]
    return SupportReport(statements=len(judged), cut=sum(text not in left for text in judged))


async def _answers(folder: Path, tools_factory: ToolsFactory) -> AsyncIterator[tuple[ArchiveTools, Answer]]:
    if (folder / QUESTIONS).is_file():
        async with tools_factory(folder / DOCUMENTS) as tools:
            threads: dict[str, Thread] = {}
            for asked in read_questions(folder):
                thread = threads.get(asked.after, Thread())
                question = thread.understood(asked)
                answer = await answer_question(await trial_run(), question, tools)
                threads[asked.id] = thread.after(question, answer)
                yield tools, answer
        return
    async for tools, _, answer in ask_all(read_question_set(folder), tools_factory):
        yield tools, answer
