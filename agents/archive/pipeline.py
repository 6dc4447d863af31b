"""The archive pipeline, from a question to a cited answer (DiscoVerse, section 2).

A question is read, classified and decomposed; each domain searches, reviews and researches side by side; the
supervisor checks and merges what they found, and the taxonomy agent fills the schemas.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from agents.archive import corrections, how_sure, replies
from agents.archive.answer import Answer, Question
from agents.archive.classify import classify
from agents.archive.compose import compose
from agents.archive.decided import corrected_premise, decided_at_once
from agents.archive.decompose import decompose
from agents.archive.doubt import Doubting, with_doubts
from agents.archive.exact import exact
from agents.archive.find import find
from agents.archive.general.agent import answer_by_model
from agents.archive.general.answer import GeneralDraft, answer_generally
from agents.archive.general.review import review_generally
from agents.archive.general.search import search_generally
from agents.archive.investigate import DomainDraft, domain_drafts, investigate
from agents.archive.library import GENERAL
from agents.archive.message import as_asked, read_question
from agents.archive.names import ResolvedNames
from agents.archive.open_points import with_molecule
from agents.archive.over_archive import over_archive
from agents.archive.overview import (
    answer_from_records,
    asked_over_archive,
    asks_for_structure,
    structure_answer,
)
from agents.archive.premises import not_stopped
from agents.archive.read import read_by_model
from agents.archive.review import Reviewed, review
from agents.archive.several import asked_in, in_order_asked
from agents.archive.so_far import SoFar
from agents.archive.subject import (
    is_bare,
    is_unreadable,
    names_study,
    notes_of,
    resolve_names,
    understood_names,
    without_unmentioned_molecules,
)
from agents.archive.supervise import supervise
from agents.archive.taxonomy import fill_schemas
from agents.archive.tools import ArchiveTools
from agents.archive.values import Classification, SubQuery
from agents.foreign import foreign_remark
from agents.kinds import UNFOLLOWED
from agents.minds.limited import Calls, LimitedModel
from agents.minds.minded import RULES
from agents.reports.numbering import in_reading_order
from agents.runs.run import Run
from agents.trust.entail import ModelEntailment
from retrieval.errors import ArchiveNotFound
from retrieval.values import Molecule

EMPTY_ARCHIVE = (
    "The archive holds no documents yet. Add some with `pestle ingest FOLDER`, or drop them on the web page."
)

MOST_CALLS, CALLS_TO_CHECK = 40, 10
"""Calls of a language model that one question may take, and those of them for the check of claims."""
STOP_TYPE = "discontinuation_reason"
ENGLISH_ONLY = "Without a language model I read English only. Please ask in English, and name the molecule."


async def answer_question(run: Run, question: Question, tools: ArchiveTools) -> Answer:
    """Answer a question from the archive.

    The same question over the same archive gives the same answer. Raises `ArchiveNotFound` when there are no
    documents.
    """
    if question.disputed:
        tools = replace(tools, retriever=Doubting(tools.retriever, question.disputed))
    so_far = SoFar(tools, question)
    tools = within_calls(run, tools)
    run.keep(so_far.answer)
    if reason := replies.unreadable(question):
        return replies.ask_back(replace(question, text=question.text[: replies.LONGEST_QUESTION]), reason)
    if question.how_sure:
        return how_sure.reply(question)
    if not await tools.index.records():
        raise ArchiveNotFound(EMPTY_ARCHIVE)
    registry = await tools.index.molecules()
    read = await run.step("read", partial(read_question, tools), question)
    understood = replace(question, text=read.text, written=question.text, language=read.language)
    asked, question = question, understood
    so_far.question = question
    answer = await answer_parts(run, question, tools, so_far, registry)
    if asked.wishes and tools.model is None and not answer.ask_back:
        answer = replace(answer, notes=(*answer.notes, UNFOLLOWED))
    answer = corrections.with_marks(await as_asked(tools, answer, asked, read), await tools.index.records())
    blocks, citations, notes = in_reading_order(answer.blocks, answer.citations, answer.notes)
    answer = replace(answer, blocks=blocks, citations=citations, notes=notes)
    return with_doubts(answer, asked.disputed)


async def answer_parts(
    run: Run, question: Question, tools: ArchiveTools, so_far: SoFar, registry: Sequence[Molecule]
) -> Answer:
    """The answer to a question that stands for itself; without a model, each of its parts has its own."""
    parts = asked_in(question.text, registry)
    if tools.model is not None or len(parts) == 1:
        return await answer_read(run, question, tools, so_far, registry)
    answers = list[Answer]()
    for part in parts:
        alone = replace(question, text=part.whole, previous=())
        so_far = SoFar(tools, alone)

        async def kept(so_far: SoFar = so_far) -> Answer:
            return in_order_asked(question, parts, (*answers, await so_far.answer()))

        run.keep(kept)
        answers.append(await answer_read(run, alone, tools, so_far, registry))
    return in_order_asked(question, parts, answers)


async def from_records(
    run: Run,
    question: Question,
    tools: ArchiveTools,
    so_far: SoFar,
    names: ResolvedNames,
    registry: Sequence[Molecule],
) -> Answer | None:
    """The answer to a question over the whole archive, or for a structure; None to any other question."""
    if asked := asked_over_archive(question.text):
        overview = await run.step("overview", partial(answer_from_records, tools), question, names)
        return await over_archive(run, tools, so_far, question, overview, names.molecules, asked)
    if asks_for_structure(question.text, registry):
        return await run.step("structure", partial(structure_answer, tools), question, names)
    return None


async def answer_read(
    run: Run, question: Question, tools: ArchiveTools, so_far: SoFar, registry: Sequence[Molecule]
) -> Answer:
    """The answer to a question that stands for itself."""
    names = await run.step("resolve", partial(resolve_names, tools), question)
    question, names = await with_molecule(run, question, names)
    so_far.question = question
    if reply := await clear_up(run, tools, so_far, names, registry):
        return reply
    if told := await from_records(run, question, tools, so_far, names, registry):
        return told
    alone = tools.model is None and len(names.molecules) == 1
    if alone and (decided := await decided_at_once(run, question, tools, names)):
        return replace(
            decided, notes=(*decided.notes, *notes_of(names, Classification((), (), names.molecules)))
        )
    classification = await run.step(
        "classify", partial(classify, tools.library, tools.model), question, names.molecules
    )
    classification = so_far.classification = without_unmentioned_molecules(classification, names, question)
    queries = await run.step("decompose", partial(decompose, tools.library), classification)
    drafts = await research_domains(run, tools, so_far, classification, queries)
    if not drafts and registry and is_bare(tools.library, classification, question.text):
        return replies.which_molecule(question, registry)
    # A model has read a typed question with what a search for its words finds: it is not read twice.
    answered = any(draft.draft.present or draft.mind != RULES for draft in drafts)
    if not answered and await names_study(tools, question.text):
        drafts = ()  # what a named study says is asked, whatever the type, and the types know molecules only
    general = (
        None if answered else await research_generally(run, tools, so_far, classification, certain=not drafts)
    )
    widens = tools.model is None and names.from_thread and classification.molecules
    if general and not general.draft.present and widens:
        everywhere = replace(classification, molecules=())
        widely = await research_generally(run, tools, so_far, everywhere, certain=not drafts)
        if widely.draft.present:
            general, classification = widely, everywhere
    merged = await run.step(
        "supervise", partial(supervise, tools), question.text, drafts, general, then=so_far.merge
    )
    tables = await run.step(
        "taxonomy", partial(fill_schemas, tools.library), merged, classification.comparison
    )
    unanswered = STOP_TYPE in classification.question_types and not any(p.present for p in merged.parts)
    look = partial(not_stopped, tools)
    if unanswered and (ongoing := await run.step("premise", look, classification.molecules[:1])):
        return await corrected_premise(tools, question, ongoing)
    notes = notes_of(understood_names(tools, names, merged), classification)
    return compose(tools.library, question, classification, merged, tables, notes)


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


async def clear_up(
    run: Run, tools: ArchiveTools, so_far: SoFar, names: ResolvedNames, registry: Sequence[Molecule]
) -> Answer | None:
    """A reply where research would be in vain: an unclear or unknown name, or not in English.

    A model reads what the documents say of the molecules that an unclear name may stand for.
    """
    question = so_far.question
    if names.unclear and not names.molecules and tools.model is None:
        return replies.unclear_name(question, names)
    if tools.model is None and names.unknown and not names.molecules:
        return await without_name(run, tools, so_far, replies.unknown_name(question, names, registry))
    if tools.model is None and not names.molecules and await is_unreadable(tools, question.text):
        return replies.ask_back(question, foreign_remark(question.text, ENGLISH_ONLY) or ENGLISH_ONLY)
    return None


async def without_name(run: Run, tools: ArchiveTools, so_far: SoFar, unknown: Answer) -> Answer:
    """What comes closest to a question about a name that no document holds; nothing is stated of it."""
    everywhere = Classification((), (GENERAL,), ())
    general = await research_generally(run, tools, so_far, everywhere, certain=False)
    if not general.draft.closest:
        return unknown
    merged = await run.step("supervise", partial(supervise, tools), so_far.question.text, (), general)
    return replies.beside_unknown(
        compose(tools.library, so_far.question, everywhere, merged, (), ()), unknown
    )


async def research_domains(
    run: Run,
    tools: ArchiveTools,
    so_far: SoFar,
    classification: Classification,
    queries: tuple[SubQuery, ...],
) -> tuple[DomainDraft, ...]:
    """Search, review and research of every domain that has queries, domains side by side; told in the order
    of the question.

    Each step keeps what is new; here it is put together with what the steps before it keep.
    """
    rules, text = replace(tools, model=None), so_far.question.text
    study = partial(investigate, rules)
    domains = [stage for stage in classification.domains if any(query.domain is stage for query in queries)]
    found = await run.gather(
        *(
            run.call(f"search/{stage}", partial(find, tools), tuple(q for q in queries if q.domain is stage))
            for stage in domains
        )
    )
    reviews = await run.gather(
        *(
            run.call(f"review/{s}", partial(review, rules), batch)
            for s, batch in zip(domains, found, strict=True)
        )
    )
    reviewed = [tuple(map(Reviewed, *pair)) for pair in zip(found, reviews, strict=True)]
    made = await run.gather(
        *(
            run.call(f"research/{s}", study, batch, text, then=partial(so_far.add, batch))
            for s, batch in zip(domains, reviewed, strict=True)
        )
    )
    by_domain = (draft for pair in zip(reviewed, made, strict=True) for draft in domain_drafts(*pair))
    drafts = tuple(
        sorted(by_domain, key=lambda draft: classification.question_types.index(draft.question_type))
    )
    if tools.model is not None and drafts:
        drafts = await read_by_model(run, tools, tools.model, so_far.question, drafts, so_far.read)
    registry = await tools.index.molecules()
    return exact(tools.library, text, drafts, registry, await tools.index.records())


async def research_generally(
    run: Run, tools: ArchiveTools, so_far: SoFar, classification: Classification, *, certain: bool = True
) -> GeneralDraft:
    """Any factual question: search, review and research over all documents, whatever their domain.

    Not `certain`: the rules of its type have read the documents in vain, so these rules only show what comes
    closest.
    """
    text = so_far.question.text
    found = await run.step("search/general", partial(search_generally, tools), text, classification.molecules)
    reviewed = await run.step("review/general", partial(review_generally, tools), text, found)
    rules = partial(answer_generally, tools, certain=certain)
    ruled = await run.step("research/general", rules, text, found, reviewed, then=so_far.add_general)
    if tools.model is None:
        return ruled
    read = await answer_by_model(run, tools, tools.model, so_far.question, found, ruled)
    so_far.add_general(read)
    return read
