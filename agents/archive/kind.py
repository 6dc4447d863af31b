"""The archive as a kind of run: questions over the reports of drug candidates (DiscoVerse)."""

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from agents.archive.answer import Answer, Outcome, Question, SearchedPlace
from agents.archive.how_sure import ANSWER, HOW_SURE, how_sure
from agents.archive.pipeline import EMPTY_ARCHIVE, answer_question, stopped
from agents.archive.suggest import suggest as suggestions
from agents.archive.toolbox import archive_toolset
from agents.archive.tools import ArchiveTools
from agents.archive.trail import looked
from agents.house import House
from agents.kinds import (
    Guidance,
    Principal,
    RevisionRequest,
    RunKind,
    ThreadContext,
    Understood,
    UserMessage,
    Work,
    chosen,
)
from agents.reports.disputed import Disputed
from agents.reports.structures import stated_structures
from agents.reports.values import Report, Section
from agents.runs.open_points import Responsible
from agents.runs.run import Run
from agents.tools.toolset import Toolset
from retrieval.errors import ArchiveNotFound

MOLECULES_KEPT = 5
QUESTIONS_KEPT = 5
OUTCOMES = {
    Outcome.ANSWERED: ANSWER,
    Outcome.CLOSEST: "Closest passages",
    Outcome.NOTHING: "Not stated in the archive",
}
"""What a report calls each outcome."""
_CLOSE = 0.6
"""Similarity over which words of the earlier question are taken for the imperfect name asked about."""


@dataclass(frozen=True, slots=True)
class Discussed:
    """What a thread keeps of the archive: the molecules being discussed, latest first, the questions as they
    were understood, latest first, and the document that the last answer stood in.
    """

    molecules: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    document: str = ""


def understand(message: UserMessage, thread: ThreadContext[Question, Discussed]) -> Understood[Question]:
    """Any text is a question, with what its thread knows.

    A reply that picks one of the choices offered last asks the earlier question again, with the choice in it.
    A question how sure the last answer is comes with what its report tells of that.
    """
    kept = thread.remembered or Discussed()
    if thread.subject and not kept.molecules:
        kept = replace(kept, molecules=(thread.subject,))
    previous = kept.asked or tuple(question.text for question in thread.earlier[:QUESTIONS_KEPT])
    choice = chosen(message.text, thread.last.options) if thread.last else ""
    if not choice:
        question = Question(message.text, kept.molecules, previous, message.user, kept.document)
        if thread.last and HOW_SURE.fullmatch(message.text):
            question = replace(question, how_sure=how_sure(thread.last))
        return Understood(question)
    return Understood(
        Question(with_choice(previous[0], choice), kept.molecules, previous[1:], message.user, kept.document)
    )


def with_choice(question: str, choice: str) -> str:
    """The question with the name most like the choice replaced by it, or with the choice added."""
    words = [found.span() for found in re.finditer(r"[\w-]+", question)]
    length = len(choice.split())
    spans = [
        (words[first][0], words[first + count - 1][1])
        for count in {1, length, length + 1}
        for first in range(len(words) - count + 1)
    ]

    def likeness(span: tuple[int, int]) -> float:
        written = question[slice(*span)]
        return difflib.SequenceMatcher(None, written.casefold(), choice.casefold()).ratio()

    best = max(spans, key=likeness, default=(0, 0))
    if likeness(best) < _CLOSE:
        return f"{question.rstrip('?. ')} ({choice})?"
    return question[: best[0]] + choice + question[best[1] :]


def report(answer: Answer) -> Report:
    """An answer as a report with one section."""
    drawn = stated_structures(answer.citations, answer.molecules)
    section = Section("answer", "Answer", (*answer.blocks, *drawn), answer.citations)
    return Report(
        answer.question,
        OUTCOMES[answer.outcome],
        answer.short,
        answer.outcome is not Outcome.NOTHING,
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
    outcomes = {text: outcome for outcome, text in OUTCOMES.items()}
    return replace(
        answer,
        short=told.short,
        blocks=told.sections[0].blocks,
        outcome=outcomes.get(told.outcome, Outcome.NOTHING),
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


def remember(answer: Answer, before: Discussed | None) -> Discussed:
    """The molecules under discussion once this answer was given, and what it answered."""
    kept = before or Discussed()
    molecules = dict.fromkeys((*(answer.molecules or answer.subjects), *kept.molecules))
    asked = dict.fromkeys((answer.understood or answer.question, *kept.asked))
    document = answer.citations[0].doc_id if answer.citations else ""
    return Discussed(tuple(molecules)[:MOLECULES_KEPT], tuple(asked)[:QUESTIONS_KEPT], document)


def revise(question: Question, report: Report, request: RevisionRequest) -> Question:
    """The same question with an instruction added to it."""
    return replace(question, text=f"{question.text} {request.instruction}".strip(), asked_by=request.by)


def guided(question: Question, guidance: tuple[Guidance, ...]) -> Question:
    """The question with what the channel wants of all its answers."""
    return replace(question, wishes=tuple(one.text for one in guidance))


def doubting(question: Question, disputed: tuple[Disputed, ...]) -> Question:
    """The question with what the channel disputes."""
    return replace(question, disputed=disputed)


def asking(question: Question, responsible: Responsible) -> Question:
    """The question with who says what it leaves open."""
    return replace(question, asks=responsible)


def tools_of(house: House) -> ArchiveTools:
    """The pipeline's tools over the ports of a house."""
    return ArchiveTools(house.index, house.retriever, house.reranker, house.entailment, house.model)


def open_archive(house: House) -> Callable[[Principal], Work[Question, Answer]]:
    """Open the tools. Documents are the same for every principal: the archive has no rights of its
    own yet.
    """
    tools = tools_of(house)

    def pipeline(principal: Principal) -> Work[Question, Answer]:
        async def work(run: Run, question: Question) -> Answer:
            return await answer_question(run, question, tools)

        return work

    return pipeline


async def suggest(house: House, answer: Answer) -> tuple[str, ...]:
    """Questions about the answer's molecule that the archive answers too."""
    return await suggestions(tools_of(house), answer)


def toolset(house: House) -> Toolset:
    """The archive as tools: search, read, list, look up."""
    return archive_toolset(tools_of(house))


async def check(house: House) -> None:
    """Raises `ArchiveNotFound` while the archive is empty, and whatever hinders its tools."""
    if not await tools_of(house).index.records():
        raise ArchiveNotFound(EMPTY_ARCHIVE)


KIND = RunKind(
    name="archive",
    title="Questions to the archive",
    inputs=Question,
    output=Answer,
    memory=Discussed,
    understand=understand,
    asked=lambda question: question.text,
    report=report,
    open=open_archive,
    remember=remember,
    tools=toolset,
    check=check,
    revise=revise,
    guided=guided,
    doubting=doubting,
    asking=asking,
    stopped=stopped,
    looked=looked,
    suggest=suggest,
    labels={
        "read": "Reading the question",
        "overview": "Looking through the records",
        "structure": "Looking for the structure",
        "classify": "Understanding the question",
        "resolve": "Recognising the molecules",
        "premise": "Checking what the question takes for granted",
        "decompose": "Breaking it down",
        "search": "Searching the archive",
        "review": "Reviewing what was found",
        "research": "Reading the evidence",
        "reader": "Reading what was found",
        "tool": "Looking further",
        "check": "Checking every claim",
        "supervise": "Putting the answer together",
        "taxonomy": "Filling the table",
    },
    commands=("ask", "question"),
    help=(
        "Ask a question about the archive in your own words; follow-ups in a thread know the molecule being "
        "discussed.",
    ),
    sections={"answer": ()},
    request="question",
    result="answer",
)
