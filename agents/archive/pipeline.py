"""The archive pipeline, from a question to a cited answer (DiscoVerse, section 2), step by step.

1. Take what can be read: no empty or endless text; an archive without documents says so.
2. Read the message: a follow-up becomes a whole question, a misspelt word is read as the archive's own.
3. Resolve the names of molecules.
4. Classify: which of the eleven question types are asked for, or none.
5. Find: the searches that a type's file has for each domain, molecule by molecule.
6. Research the types: draft from the documents of all domains; a model reads what the rules drafted.
7. Where no type answers: search all documents; tell what answers or comes closest, or let the agent answer.
8. Supervise: check every claim against its evidence.
9. Fill the tables of the question types.
10. Compose the answer.
11. Say how the question was read, and mark what is corrected or disputed.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

from agents.archive import replies
from agents.archive.actions import told_minutes
from agents.archive.answer import Answer, Question
from agents.archive.classify import classify
from agents.archive.compose import compose
from agents.archive.corrections import with_marks
from agents.archive.doubt import Doubting, with_doubts
from agents.archive.find import Found, find
from agents.archive.investigate import TypedDraft, investigate
from agents.archive.kind import KIND
from agents.archive.library import GENERAL
from agents.archive.message import as_asked, read_question
from agents.archive.names import ResolvedNames
from agents.archive.off_topic import drop_off_topic
from agents.archive.open_points import with_molecule
from agents.archive.so_far import SoFar
from agents.archive.subject import (
    is_bare,
    notes_of,
    resolve_names,
    understood_names,
    without_unmentioned_molecules,
)
from agents.archive.supervise import supervise
from agents.archive.tabled import told_records
from agents.archive.taxonomy import fill_schemas
from agents.archive.tools import ArchiveTools
from agents.archive.values import Classification, Draft, GeneralDraft
from agents.archive.versions import told_changes
from agents.kinds import UNFOLLOWED
from agents.late import late
from agents.minds.limited import Calls, LimitedModel
from agents.minds.minded import RULES
from agents.reports.numbering import in_reading_order
from agents.runs.run import Run
from agents.trust.entail import ModelEntailment
from retrieval.errors import ArchiveNotFound

research_generally: Callable[..., Awaitable[GeneralDraft]] = late(
    "agents.archive.general.answer:research_generally"
)
read_by_model = late("agents.archive.read:read_by_model")
"""What most typed questions do without, imported when it is used."""

EMPTY_ARCHIVE = (
    "The archive holds no documents yet. Add some with `pestle ingest FOLDER`, or drop them on the web page."
)

MOST_CALLS, CALLS_TO_CHECK = 40, 10
"""Calls of a language model that one question may take, and those of them for the check of claims."""
NOT_REVISED = "to follow a wish takes a language model (`pestle model` connects one)."


async def answer_question(run: Run, question: Question, tools: ArchiveTools) -> Answer:
    """Answer a question from the archive.

    The same question over the same archive gives the same answer. Raises `ArchiveNotFound` when there are no
    documents.
    """
    tools = within_calls(run, doubting(tools, question))
    so_far = SoFar(tools, question)
    run.keep(so_far.answer)
    if reason := replies.unreadable(question):
        return replies.ask_back(replace(question, text=question.text[: replies.LONGEST_QUESTION]), reason)
    if not (records := await tools.index.records()):
        raise ArchiveNotFound(EMPTY_ARCHIVE)
    if question.instruction and tools.model is None:
        return replies.ask_back(question, NOT_REVISED)
    asked, read = question, await run.step("read", partial(read_question, tools), question)
    question = replace(asked, text=read.text, written=asked.text, language=read.language)
    names = await run.step("resolve", partial(resolve_names, tools), question)
    question, names = await with_molecule(run, question, names)
    answer = (
        await told_changes(tools, question)
        or await told_minutes(tools, question, names.molecules)
        or await told_records(tools, question)
        or await researched(run, tools, so_far, question, names)
    )
    answer = await as_asked(tools, answer, asked, read)
    return with_doubts(in_order(with_marks(with_unfollowed(tools, answer, asked), records)), asked.disputed)


async def researched(
    run: Run, tools: ArchiveTools, so_far: SoFar, question: Question, names: ResolvedNames
) -> Answer:
    """Steps 4 to 10: the answer of question types, or to any other question. Where the gate would strike a
    typed answer whole, what comes closest is told in its place.
    """
    so_far.question, registry = question, await tools.index.molecules()
    types = partial(classify, tools.library, tools.model)
    classified = await run.step("classify", types, question, names.molecules)
    classified = so_far.classification = without_unmentioned_molecules(classified, names, question)
    unsettled = names.unknown or names.unclear
    bare = not (classified.molecules or unsettled) and is_bare(tools.library, classified, question.text)
    ruled, general = replace(tools, model=None), None
    drafts = await research_types(run, tools, so_far, classified)
    if not is_answered(drafts):  # a model that failed for the types is not asked again
        general = await research_generally(run, ruled if bare or drafts else tools, so_far, classified)
    if bare and not (general and general.draft.present):
        return replies.which_molecule(question, registry)
    answer = await put_together(run, tools, so_far, names, classified, drafts, general)
    if general is None and answer.present and not KIND.report(answer).found:
        general = await research_generally(run, ruled, so_far, classified)
        answer = await put_together(run, tools, so_far, names, classified, (), general)
    if tools.model is None and unsettled and not names.molecules:
        return replies.of_unsettled_name(answer, question, names, registry)
    return answer


async def put_together(
    run: Run,
    tools: ArchiveTools,
    so_far: SoFar,
    names: ResolvedNames,
    classified: Classification,
    drafts: tuple[TypedDraft, ...],
    general: GeneralDraft | None,
) -> Answer:
    """Steps 8 to 10: what is found, checked, merged and told."""
    question, check = so_far.question, partial(supervise, tools)
    merged = await run.step("supervise", check, question.text, drafts, general, then=so_far.merge)
    fill = partial(fill_schemas, tools.library)
    tables = await run.step("taxonomy", fill, merged, classified.comparison)
    notes = notes_of(understood_names(tools, names, merged), classified)
    return compose(tools.library, question, classified, merged, tables, notes)


def is_answered(drafts: Sequence[TypedDraft]) -> bool:
    """Whether question types answer: rules have found something, or a model has read the question."""
    return any(draft.draft.present or draft.mind != RULES for draft in drafts)


def doubting(tools: ArchiveTools, question: Question) -> ArchiveTools:
    """The tools with what the channel disputes ranked lower."""
    if not question.disputed:
        return tools
    return replace(tools, retriever=Doubting(tools.retriever, question.disputed))


def with_unfollowed(tools: ArchiveTools, answer: Answer, asked: Question) -> Answer:
    """The answer, with a note where rules could not follow what its channel wishes."""
    if tools.model is not None or answer.ask_back or not asked.wishes:
        return answer
    return replace(answer, notes=(*answer.notes, UNFOLLOWED))


def in_order(answer: Answer) -> Answer:
    """The answer with its citations numbered in the order of reading."""
    blocks, citations, notes = in_reading_order(answer.blocks, answer.citations, answer.notes)
    return replace(answer, blocks=blocks, citations=citations, notes=notes)


def within_calls(run: Run, tools: ArchiveTools) -> ArchiveTools:
    """The tools with a model that a question can ask so often and no more.

    Some of the calls are kept for the check of claims: what is read must also be judged.
    """
    if tools.model is None:
        return tools
    calls = Calls(run.model_calls)
    entailment = tools.entailment
    if isinstance(entailment, ModelEntailment):
        entailment = entailment.asking(LimitedModel(tools.model, calls, MOST_CALLS))
    reading = LimitedModel(tools.model, calls, MOST_CALLS - CALLS_TO_CHECK)
    return replace(tools, model=reading, entailment=entailment)


def stopped(kept: Answer, reason: str) -> Answer:
    """The partial answer of a run that was stopped early."""
    return replace(kept, partial=reason)


async def research_types(
    run: Run, tools: ArchiveTools, so_far: SoFar, classified: Classification
) -> tuple[TypedDraft, ...]:
    """Search and research of every question type, side by side; told in the order of the question.

    Each step keeps what is new; here it is put together with what the steps before it keep.
    """
    text, study = so_far.question.text, partial(investigate, replace(tools, model=None))
    types = [key for key in classified.question_types if key != GENERAL and classified.molecules]
    search = partial(find, tools)
    found = await run.gather(*(run.call(f"search/{key}", search, key, classified.molecules) for key in types))

    def keep(batch: tuple[Found, ...], made: tuple[Draft, ...]) -> None:
        so_far.add(list(map(TypedDraft, batch, made)))

    made = await run.gather(
        *(
            run.call(f"research/{key}", study, batch, text, then=partial(keep, batch))
            for key, batch in zip(types, found, strict=True)
        )
    )
    pairs = zip(found, made, strict=True)
    drafts = tuple(draft for batch, own in pairs for draft in map(TypedDraft, batch, own))
    if tools.model is not None and drafts:
        drafts = await read_by_model(run, tools, tools.model, so_far.question, drafts, so_far.add)
    registry = await tools.index.molecules()
    return drop_off_topic(tools.library, text, drafts, registry, await tools.index.records())
