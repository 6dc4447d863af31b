"""The answer to a general question by a language model: an agent that reads what the search ranked first.

Its first message holds the best chunks with their documents, so that an easy question takes one turn. It may
search again, read on and look things up, within bounds. What it states is tied to the sentences and rows that
it quotes, and checked like every claim.
"""

from dataclasses import dataclass, replace
from functools import partial

from agents.archive.answer import Question
from agents.archive.general.search import FoundGenerally
from agents.archive.library import GENERAL
from agents.archive.look import look_toolset
from agents.archive.prompts import load_prompt
from agents.archive.reading.answers import (
    ModelAnswer,
    as_passages,
    not_found,
    shown_passages,
    whole_line,
    without_absences,
)
from agents.archive.reading.first import MOST_SHOWN, SHARE, first_excerpts
from agents.archive.reading.self_check import Reviewed, documents_of, review_answer
from agents.archive.reading.shown import asked, by_document, lead
from agents.archive.tabled import render_records
from agents.archive.tools import ArchiveTools
from agents.archive.values import Draft, GeneralDraft
from agents.data_block import data_block
from agents.errors import ModelError
from agents.evidence.memory import EvidenceMemory, MemoryDump
from agents.minds.agent import Agent, run_agent
from agents.minds.prompts import compose
from agents.minds.talk import Bounds
from agents.minds.work import AgentResult, Ports, Task
from agents.ports import LanguageModel
from agents.runs.run import Run

NAME = "reader"
PREVIOUS = 3
MOST_OF_MUCH, SHARE_OF_MUCH = 24, 1.2
"""Chunks that are shown first for several molecules, and what of them, as a share of the first ten."""
ROUNDS, CALLS, TOKENS = 3, 4, 60_000
SHARE_OF_TIME = 0.5
"""Part of the run's time limit that the agent's turns may take."""


@dataclass(frozen=True, slots=True)
class FirstMessage:
    """What the agent reads first, and the evidence under the keys in it."""

    text: str
    evidence: MemoryDump


async def answer_by_model(
    run: Run,
    tools: ArchiveTools,
    model: LanguageModel,
    question: Question,
    found: FoundGenerally,
    ruled: GeneralDraft,
) -> GeneralDraft:
    """The model's answer; that of the rules, and why, where the model fails."""
    first = await run.step(f"{NAME}/first", partial(first_message, tools), question, found)
    memory = EvidenceMemory.load(first.evidence)
    try:
        result = await run_agent(
            run, agent(tools, run, question), Task(first.text), memory, Ports(model, tools.entailment)
        )
    except ModelError as error:
        return replace(ruled, why_fallen_back=error.clause)
    return await run.step(
        f"{NAME}/answer", partial(drafted, tools, question.text, ruled), result, memory.dump()
    )


def agent(tools: ArchiveTools, run: Run, question: Question) -> Agent[ModelAnswer]:
    """Who reads: the archive's tools, bounds that fit the run's, a review of what is quoted and stated, and
    what the channel wishes of all answers.
    """
    seconds = run.record.budget.seconds
    return Agent(
        NAME,
        compose(load_prompt(GENERAL), {}, instructions=question.instructions),
        ModelAnswer,
        look_toolset(tools),
        Bounds(ROUNDS, CALLS, TOKENS, seconds and seconds * SHARE_OF_TIME),
        critic=partial(review_answer, tools, question.text),
        rounds=2,
    )


async def first_message(tools: ArchiveTools, question: Question, found: FoundGenerally) -> FirstMessage:
    """The question, what was asked before, the best chunks, and the records that it may count or list."""
    memory = EvidenceMemory()
    much = len(found.molecules) > 1
    most, share = (MOST_OF_MUCH, SHARE_OF_MUCH) if much else (MOST_SHOWN, SHARE)
    earlier = question.previous[0] if question.previous else ""
    discussed = question.thread_document if earlier else ""
    excerpts = await first_excerpts(
        tools, question.text, found.chunks, most, share, found.molecules, discussed, earlier
    )
    passages = by_document(excerpts, memory, NAME, await tools.index.molecules())
    told = lead(excerpts, {record.doc_id for record in await tools.index.records()})
    known = await render_records(tools, question.text, found.molecules, memory, NAME)
    text = "\n\n".join(filter(None, (before(question), asked(question), known, told, passages)))
    return FirstMessage(text, memory.dump())


def before(question: Question) -> str:
    """The questions before this one in its thread, oldest first."""
    earlier = "\n".join(reversed(question.previous[:PREVIOUS]))
    under_discussion = ", ".join(question.thread_molecules[:PREVIOUS])
    blocks = [data_block(earlier, kind="asked before")] if earlier else []
    blocks += (
        [data_block(under_discussion, kind="molecules discussed, latest first")] if under_discussion else []
    )
    return "\n".join(blocks)


async def drafted(
    tools: ArchiveTools, asked: str, ruled: GeneralDraft, result: AgentResult, evidence: MemoryDump
) -> GeneralDraft:
    """The agent's answer as a draft, over the sentences and rows that it quotes."""
    answer = ModelAnswer.model_validate_json(result.answer)
    shown = shown_passages(evidence.evidence)
    reviewed = Reviewed.of(answer, shown, await documents_of(tools, shown), asked)
    claims = reviewed.carried(answer.short)
    present = answer.outcome == "answered" and bool(claims)
    headline = whole_line(answer.short, reviewed.headline(answer.headline))
    notes = (*result.notes, not_found(answer.missing, without_absences(answer.statements)[1]))
    closest = answer.outcome == "closest" and bool(claims)
    draft = Draft(present, answer.short, headline, claims, closest=closest, derived=reviewed.derived)
    return GeneralDraft(as_passages(draft), ruled.searched, "", ruled.draft, notes)
