"""What questions to the archive work with, and their answers as reports."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from agents.archive.answer import Answer, AnswerOutcome, Question, SearchedPlace
from agents.archive.kind import KIND
from agents.archive.pipeline import EMPTY_ARCHIVE, answer_question
from agents.archive.suggest import starters as beginnings
from agents.archive.suggest import suggest as suggestions
from agents.archive.toolbox import archive_toolset
from agents.archive.tools import ArchiveTools
from agents.archive.vouched import UNVOUCHED
from agents.house import House
from agents.kinds import Principal, RevisionRequest, Work
from agents.reports.structures import stated_structures
from agents.reports.values import Report, Section
from agents.runs.run import Run
from agents.tools.toolset import Toolset
from retrieval.errors import ArchiveNotFound

OUTCOMES = {
    AnswerOutcome.ANSWERED: "Answer",
    AnswerOutcome.CLOSEST: KIND.closest,
    AnswerOutcome.NOTHING: "Not stated in the archive",
}
"""What a report calls each outcome."""
UNCONFIRMED = "Answer, not confirmed by the words of its passages"
"""What it calls an answer of which no statement stands in its passages in the same words."""


def report(answer: Answer) -> Report:
    """An answer as a report with one section."""
    drawn = stated_structures(answer.citations, answer.molecules)
    section = Section("answer", "Answer", (*answer.blocks, *drawn), answer.citations)
    return Report(
        answer.question,
        UNCONFIRMED if answer.present and UNVOUCHED in answer.notes else OUTCOMES[answer.outcome],
        answer.short,
        answer.outcome is not AnswerOutcome.NOTHING,
        (section,),
        answer.notes,
        answer.not_found,
        searched(answer.searched),
        answer.ask_back,
        answer.options,
        answer.partial,
        about=tuple(dict.fromkeys((*answer.molecules, *answer.subjects))),
        derived=answer.derived,
    )


def as_shown(answer: Answer) -> Answer:
    """The answer as everybody sees it: behind the gate."""
    told = KIND.report(answer)
    outcomes = {text: outcome for outcome, text in OUTCOMES.items()} | {UNCONFIRMED: AnswerOutcome.ANSWERED}
    return replace(
        answer,
        short=told.short,
        blocks=told.sections[0].blocks,
        outcome=outcomes.get(told.outcome, AnswerOutcome.NOTHING),
        notes=told.notes,
        not_found=told.not_found,
    )


def searched(places: Sequence[SearchedPlace]) -> tuple[str, ...]:
    """What was searched, in one sentence: how many documents of each domain."""
    counts = {
        place.domain.value if place.domain else "": max(
            other.documents for other in places if other.domain is place.domain
        )
        for place in places
    }
    if not any(counts.values()):
        return ("The archive holds no documents to search for it.",) if counts else ()
    told = [f"{count} {domain}".strip() for domain, count in counts.items() if count]
    return (f"Searched: {', '.join(told)} document{'' if told == ['1'] else 's'}.",)


def revise(question: Question, report: Report, request: RevisionRequest) -> Question:
    """The same question, with what is wished of its answer beside it: never searched for or classified."""
    wished = "\n".join(filter(None, (question.instruction, request.instruction)))
    return replace(question, instruction=wished, asked_by=request.by)


def tools_of(house: House) -> ArchiveTools:
    """The pipeline's tools over the ports of a house."""
    return ArchiveTools(house.index, house.retriever, house.reranker, house.entailment, house.model)


def open_archive(house: House) -> Callable[[Principal], Work[Question, Answer]]:
    """Open the tools. Documents are the same for every principal: the archive has no rights of its
    own yet.
    """
    tools = tools_of(house)

    async def work(run: Run, question: Question) -> Answer:
        return await answer_question(run, question, tools)

    return lambda principal: work


async def suggest(house: House, answer: Answer) -> tuple[str, ...]:
    """Questions about the answer's molecule that the archive answers too."""
    return await suggestions(tools_of(house), answer)


async def starters(house: House) -> tuple[str, ...]:
    """Questions to begin with, each of which the archive answers."""
    return await beginnings(tools_of(house))


def toolset(house: House) -> Toolset:
    """The archive as tools: search, read, list, look up."""
    return archive_toolset(tools_of(house))


async def check(house: House) -> None:
    """Raises `ArchiveNotFound` while the archive is empty, and whatever hinders its tools."""
    if not await tools_of(house).index.records():
        raise ArchiveNotFound(EMPTY_ARCHIVE)
