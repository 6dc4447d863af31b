"""The answer to a general question by a language model: an agent that reads what the search ranked first.

Its first message holds the best chunks with their documents, so that an easy question takes one turn. It may
search again, read on and look things up, within bounds. What it states is tied to the sentences and rows that
it quotes, and checked like every claim.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from agents.archive.answer import Question
from agents.archive.general.answer import GeneralDraft, domain_of
from agents.archive.general.extract import Extracted, fields_of
from agents.archive.general.search import FoundGenerally
from agents.archive.library import GENERAL
from agents.archive.prompts import load_prompt
from agents.archive.reading.answers import (
    ModelAnswer,
    all_derived,
    claims_of,
    draft_claims,
    review_quotes,
    shown_passages,
    whole_line,
)
from agents.archive.reading.shown import asked, document_list, excerpt, readable
from agents.archive.reading.trim import fitted
from agents.archive.toolbox import archive_toolset
from agents.archive.tools import ArchiveTools
from agents.archive.values import Draft
from agents.data_block import data_block
from agents.errors import ModelError
from agents.evidence.memory import EvidenceMemory, MemoryDump
from agents.evidence.values import Evidence, Provenance
from agents.minds.agent import Agent, run_agent
from agents.minds.prompts import compose
from agents.minds.talk import Bounds
from agents.minds.work import AgentResult, Ports, Task
from agents.ports import LanguageModel
from agents.runs.run import Run
from retrieval.values import Chunk, DocumentRecord, Passage

NAME = "reader"
PASSAGES = 10
CHARACTERS, WHOLE, LEAST = 18_000, 4, 700
"""Of the chunks that are shown first: an easy question takes no more tokens than a plain prompt would. The
first few are shown whole, of the others at least a part."""
BY_RULES = 3
PREVIOUS = 3
ROUNDS, CALLS, TOKENS = 6, 4, 60_000
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
    first = await run.step(f"{NAME}/first", partial(first_message, tools), question, found, ruled)
    memory = EvidenceMemory.load(first.evidence)
    try:
        result = await run_agent(
            run, agent(tools, run), Task(first.text), memory, Ports(model, tools.entailment)
        )
    except ModelError as error:
        return replace(ruled, why_fallen_back=error.clause)
    return await run.step(f"{NAME}/answer", partial(drafted, tools, ruled), result, memory.dump())


def agent(tools: ArchiveTools, run: Run) -> Agent[ModelAnswer]:
    """Who reads: the archive's tools, bounds that fit the run's, and a review of the quotes."""
    seconds = run.record.budget.seconds
    return Agent(
        NAME,
        compose(load_prompt(GENERAL), {}),
        ModelAnswer,
        archive_toolset(tools),
        Bounds(ROUNDS, CALLS, TOKENS, seconds and seconds * SHARE_OF_TIME),
        claims=claims_of,
        critic=review_quotes,
        rounds=2,
    )


async def first_message(
    tools: ArchiveTools, question: Question, found: FoundGenerally, ruled: GeneralDraft
) -> FirstMessage:
    """The question, what was asked before, the documents, the best chunks, and what the rules picked."""
    memory = EvidenceMemory()
    chunks = await tools.index.found([chunk.chunk_id for chunk in found.chunks[:PASSAGES]])
    blocks = chunk_blocks(question.text, chunks, memory)
    records = {record.doc_id: record for _, record in chunks}
    picked = await picked_by_rules(tools, ruled.draft, memory, records)
    molecules = await tools.index.molecules()
    everything = await tools.index.records()
    listed = document_list(records.values(), molecules) if records else ""
    told = (
        f"The archive has {len(everything)} documents. A search for the question ranked these passages first:"
    )
    text = "\n\n".join(filter(None, (before(question), asked(question), told, listed, *blocks, picked)))
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


def chunk_blocks(
    question: str, chunks: Sequence[tuple[Chunk, DocumentRecord]], memory: EvidenceMemory
) -> list[str]:
    """Chunks under keys, best first; of later ones the part that the question is about, if room is short."""
    whole = [readable(f"{chunk.context}\n{chunk.text}") for chunk, _ in chunks]
    texts = fitted(whole, question, CHARACTERS, WHOLE, LEAST)
    blocks = []
    for (chunk, record), text in zip(chunks, texts, strict=True):
        evidence = memory.add(of_chunk(chunk), record, Provenance(NAME, "search", "", f"{NAME}/first"))
        blocks.append(excerpt(evidence.key, of_chunk(chunk), record.title, text))
    return blocks


def of_chunk(chunk: Chunk) -> Passage:
    """A chunk as a passage."""
    return Passage(
        chunk.doc_id, chunk.start, chunk.end, chunk.text, section=chunk.section, page=chunk.page_first
    )


async def picked_by_rules(
    tools: ArchiveTools, draft: Draft, memory: EvidenceMemory, records: dict[str, DocumentRecord]
) -> str:
    """What the rules took for the answer: their short answer, and their passages under keys."""
    passages = [passage for claim in draft.claims for passage in claim.passages][:BY_RULES]
    if not passages:
        return ""
    known = {record.doc_id: record for record in await tools.index.records()}
    blocks, keys = [], []
    for passage in passages:
        records.setdefault(passage.doc_id, known[passage.doc_id])
        key = key_around(passage, memory.all())
        if not key:
            by = Provenance(NAME, "rules", "", f"{NAME}/first")
            key = memory.add(passage, known[passage.doc_id], by).key
            blocks.append(excerpt(key, passage, known[passage.doc_id].title))
        keys.append(key)
    if not draft.short and not blocks:
        return ""
    said = f"{draft.short or 'no certain answer'} (from {', '.join(dict.fromkeys(keys))})"
    note = "A program that matches words, and is often wrong, picked:"
    return "\n".join((*blocks, note, data_block(said, kind="picked by words")))


def key_around(passage: Passage, shown: Sequence[Evidence]) -> str:
    """The key of what is shown and holds a passage; "" if nothing does."""
    return next(
        (
            e.key
            for e in shown
            if e.doc_id == passage.doc_id and e.start <= passage.start and passage.end <= e.end
        ),
        "",
    )


async def drafted(
    tools: ArchiveTools, ruled: GeneralDraft, result: AgentResult, evidence: MemoryDump
) -> GeneralDraft:
    """The agent's answer as a draft, over the sentences and rows that it quotes."""
    answer = ModelAnswer.model_validate_json(result.answer)
    shown = shown_passages(evidence.evidence)
    opened = await tools.documents.open_all(tools.index, dict.fromkeys(p.doc_id for p in shown.values()))
    documents = {one.document.record.doc_id: one for one in opened}
    claims = draft_claims(answer.statements, shown, documents)
    present = answer.outcome == "answered" and bool(claims)
    fields = fields_of(Extracted(answer.short), claims[0].passages[0]) if present else ()
    headline = whole_line(answer.short, answer.headline)
    closest = answer.outcome == "closest" and bool(claims)
    draft = Draft(
        present,
        answer.short,
        headline,
        claims,
        fields,
        closest=closest,
        derived=all_derived(answer.statements),
    )
    searched = replace(ruled.searched, passages=len(shown))
    return GeneralDraft(draft, await domain_of(tools, draft), searched, "", ruled.draft, result.notes)
