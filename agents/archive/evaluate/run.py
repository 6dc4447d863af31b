"""Evaluates the archive pipeline on a folder of documents with gold answers.

The figures are those of DiscoVerse (section 4.2 and Appendix B). Every citation of every answer is compared
with its source, letter by letter.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from agents.archive.answer import Answer, Question
from agents.archive.evaluate.question_set import question_text, read_question_set
from agents.archive.evaluate.scoring import CellOutcome, Figures, GoldCell, GradedAnswer, figures, grade
from agents.archive.evaluate.verbatim import VerbatimReport, check_citations
from agents.archive.pipeline import answer_question
from agents.archive.tools import ArchiveTools
from agents.archive.work import as_shown
from agents.runs.memory import trial_run

TOGETHER = frozenset(f"Q{number}" for number in range(1, 8))
"""The questions whose figures the paper reports together."""
ToolsFactory = Callable[[Path], AbstractAsyncContextManager[ArchiveTools]]
"""Tools over an index of the documents of a folder, closed when the context ends."""


@dataclass(frozen=True, slots=True)
class CellResult:
    """A cell that was asked, judged, and for a miss explained."""

    gold: GoldCell
    present: bool
    answer: str
    judged: GradedAnswer
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Everything that an evaluation found.

    `groups` are figures by name: each question, "Q1-Q7", "all", and each archive.
    """

    folder: str
    groups: dict[str, Figures]
    cells: tuple[CellResult, ...]
    verbatim: VerbatimReport

    def as_json(self) -> str:
        """The machine form."""
        return TypeAdapter(Evaluation).dump_json(self, indent=1).decode()


async def evaluate(folder: Path, tools_factory: ToolsFactory) -> Evaluation:
    """Ask every gold cell's question and score the answers; each folder of documents is indexed once.

    Raises `ArchiveNotFound`.
    """
    questions = read_question_set(folder)
    cells: list[CellResult] = []
    report = VerbatimReport()
    for name in dict.fromkeys(entry.folder for entry in questions.molecules):
        documents = questions.folder / name
        async with tools_factory(documents) as tools:
            for cell in (cell for cell in questions.gold if questions.documents_of(cell) == documents):
                given = await ask(tools, question_text(questions, cell))
                cells.append(judged_cell(cell, given))
                report += await check_citations(given, tools.index, documents)
    scored = [cell for cell in cells if cell.gold.scored]
    return Evaluation(str(folder), groups_of(scored), tuple(cells), report)


async def ask(tools: ArchiveTools, text: str) -> Answer:
    """One run of the pipeline with a ledger in memory; its answer as people see it."""
    return as_shown(await answer_question(await trial_run(), Question(text), tools))


def judged_cell(gold: GoldCell, answer: Answer) -> CellResult:
    """An answer compared with gold."""
    judged = grade(gold, answer.present, answer.short)
    return CellResult(gold, answer.present, answer.short, judged, explain(gold, answer, judged))


def explain(gold: GoldCell, given: Answer, judged: GradedAnswer) -> str:
    """Why a cell was missed, with the passage that carries or misled; empty for a hit."""
    if judged.outcome in (CellOutcome.TP, CellOutcome.TN):
        return ""
    expected = f"expected {gold.answer!r}" if gold.present else "expected absence"
    if gold.evidence and gold.present:
        expected += f" ({gold.evidence[0].doc_id}: {gold.evidence[0].quote!r})"
    if judged.outcome is CellOutcome.FN:
        return f"said absent; {expected}"
    trap = next((trap for trap in gold.must_not if trap.trap == judged.trap), None)
    why = f"{judged.trap}: {trap.why}" if trap and trap.why else judged.trap
    cited = f"; cited {given.citations[0].doc_id}: {given.citations[0].quote!r}" if given.citations else ""
    return f"{why}; said {given.short!r}; {expected}{cited}"


def groups_of(cells: Sequence[CellResult]) -> dict[str, Figures]:
    """Figures of each question, of Q1 to Q7 together, of all cells, and of each archive."""
    names = sorted({cell.gold.question_id for cell in cells})
    archives = sorted({cell.gold.archive for cell in cells} - {""})
    groups = {name: [cell for cell in cells if cell.gold.question_id == name] for name in names}
    groups["Q1-Q7"] = [cell for cell in cells if cell.gold.question_id in TOGETHER]
    groups["all"] = list(cells)
    for archive in archives:
        groups[archive] = [cell for cell in cells if cell.gold.archive == archive]
        groups[f"{archive} Q1-Q7"] = [cell for cell in groups[archive] if cell.gold.question_id in TOGETHER]
    return {name: figures([(cell.gold, cell.judged) for cell in group]) for name, group in groups.items()}
