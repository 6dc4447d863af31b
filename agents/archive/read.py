"""Typed questions read by a language model: one conversation for each molecule, over all types.

The model gets the question in its own words beside the types, the best passages of all documents, and what
the rules found in them. It may search once more. Its answers take the place of the rules' drafts; where it
differs from them, a note says so.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from agents.archive.answer import Question
from agents.archive.general.blocks import apart, block_around
from agents.archive.general.search import search_generally
from agents.archive.investigate import TypedDraft
from agents.archive.look import look_toolset
from agents.archive.prompts import load_prompt
from agents.archive.reading.answers import shown_passages
from agents.archive.reading.choose import above
from agents.archive.reading.first import first_excerpts, in_turns
from agents.archive.reading.self_check import documents_of
from agents.archive.reading.shown import Excerpt, asked, by_document, lead
from agents.archive.reading.typed import TypedAnswers, draft_of, render_type
from agents.archive.tools import ArchiveTools, LoadedDocument
from agents.archive.values import Draft
from agents.data_block import data_block
from agents.errors import ModelError
from agents.evidence.memory import EvidenceMemory, MemoryDump
from agents.minds.agent import Agent, run_agent
from agents.minds.prompts import compose
from agents.minds.talk import Bounds
from agents.minds.work import AgentResult, Ports, Task
from agents.ports import LanguageModel
from agents.runs.run import Run
from agents.tools.toolset import Toolset
from retrieval.values import Passage

NAME = "reader"
MOST_CHUNKS, FEW_CHUNKS = 10, 4
"""Chunks of the search for the question that are shown, where one molecule is asked about or more."""
BESIDE, OF_MORE_TYPES = 0.5, 0.25
"""What the rules cite is shown besides: so much as a share of those, and so much for each further question
type.
"""
ROUNDS, CALLS, TOKENS = 2, 4, 40_000
MISFIT = "its answer did not fit what was asked for"
MANY = 4
"""Molecules from which on the model may not search again: a question has so many calls and no more."""


@dataclass(frozen=True, slots=True)
class Briefing:
    """What the model reads first, the evidence under the keys in it, and what the rules say by type."""

    text: str
    evidence: MemoryDump
    ruled: dict[str, Draft]


@dataclass(frozen=True, slots=True)
class ModelDrafts:
    """What the model made of one molecule, by question type."""

    drafts: dict[str, Draft]


async def read_by_model(
    run: Run,
    tools: ArchiveTools,
    model: LanguageModel,
    question: Question,
    drafts: tuple[TypedDraft, ...],
    then: Callable[[Sequence[TypedDraft]], None],
) -> tuple[TypedDraft, ...]:
    """The drafts of the rules with the model's in their place, molecule by molecule; `then` is told of each.

    Where the model fails for a molecule the rules' drafts stay, and say why.
    """
    molecules = list(dict.fromkeys(draft.molecule for draft in drafts))
    read: list[TypedDraft] = []
    for molecule in molecules:
        own = [draft for draft in drafts if draft.molecule == molecule]
        if not any(draft.found.doc_ids for draft in own):
            read += own
            continue
        read += await _read_molecule(run, tools, model, question, own, then, alone=len(molecules) < MANY)
    return tuple(read)


async def _read_molecule(
    run: Run,
    tools: ArchiveTools,
    model: LanguageModel,
    question: Question,
    drafts: Sequence[TypedDraft],
    then: Callable[[Sequence[TypedDraft]], None],
    *,
    alone: bool,
) -> list[TypedDraft]:
    name = f"{NAME}/{drafts[0].molecule}"
    briefing = await run.step(f"{name}/first", partial(brief_on, tools), question, tuple(drafts), alone)
    memory = EvidenceMemory.load(briefing.evidence)
    reader = _reader(tools, drafts, name, question.instructions, alone=alone)
    try:
        result = await run_agent(run, reader, Task(briefing.text), memory, Ports(model, tools.entailment))
    except ModelError as error:
        return [replace(draft, why_fallen_back=error.clause) for draft in drafts]

    made = await run.step(
        f"{name}/answer",
        partial(drafted, tools),
        result,
        memory.dump(),
        briefing.ruled,
        then=lambda made: then(in_place(drafts, made, model.name)),
    )
    return in_place(drafts, made, model.name)


def in_place(drafts: Sequence[TypedDraft], made: ModelDrafts, mind: str) -> list[TypedDraft]:
    """The drafts with the model's in the place of the rules'; a type that it left out keeps theirs."""
    return [
        replace(draft, draft=said, mind=mind)
        if (said := made.drafts.get(draft.question_type))
        else replace(draft, why_fallen_back=MISFIT)
        for draft in drafts
    ]


def _reader(
    tools: ArchiveTools, drafts: Sequence[TypedDraft], name: str, instructions: str, *, alone: bool
) -> Agent[TypedAnswers]:
    types = [tools.library[draft.question_type] for draft in drafts]
    values = {"molecule": drafts[0].molecule, "types": "\n\n".join(map(render_type, types))}
    return Agent(
        name,
        compose(load_prompt("typed"), values, instructions=instructions),
        TypedAnswers,
        look_toolset(tools) if alone else Toolset("none"),
        Bounds(ROUNDS, CALLS, TOKENS),
    )


async def brief_on(
    tools: ArchiveTools, question: Question, drafts: tuple[TypedDraft, ...], alone: bool
) -> Briefing:
    """The question, the passages below their documents, and what the rules say."""
    searched = [draft.found for draft in drafts]
    doc_ids = dict.fromkeys(doc_id for one in searched for doc_id in one.doc_ids)
    opened = await tools.documents.open_all(tools.index, doc_ids)
    documents = {one.record.doc_id: one for one in opened}
    ruled = {draft.question_type: draft.draft for draft in drafts}
    molecule = drafts[0].molecule
    found = await search_generally(tools, question.text, (molecule,))
    narrowed = in_turns(found.chunks, *(one.chunks for one in searched))
    asked_for = question.text if alone else f"{question.text} {molecule}"
    most = MOST_CHUNKS if alone else FEW_CHUNKS
    excerpts = await first_excerpts(tools, asked_for, narrowed, most)
    room = int(sum(len(one.text) for one in excerpts) * (BESIDE + OF_MORE_TYPES * (len(ruled) - 1)))
    shown = [one.passage for one in excerpts if one.whole]
    blocks = [*shown, *cited_blocks(documents, ruled.values(), room)]
    excerpts += [
        Excerpt(blocks[i], documents[blocks[i].doc_id].record) for i in apart(blocks) if i >= len(shown)
    ]
    memory = EvidenceMemory()
    passages = by_document(excerpts, memory, NAME, await tools.index.molecules())
    said = [render_rules(key, draft, memory) for key, draft in ruled.items()]
    told = lead(excerpts, documents, molecule)
    text = "\n\n".join((asked(question), told, passages, *said))
    return Briefing(text, memory.dump(), ruled)


def cited_blocks(
    documents: Mapping[str, LoadedDocument], drafts: Iterable[Draft], room: int
) -> Iterator[Passage]:
    """What the rules cite, each passage with its paragraph, list or table; at most `room` characters."""
    cited = (passage for draft in drafts for claim in draft.claims for passage in claim.passages)
    for one in dict.fromkeys((passage.doc_id, passage.start) for passage in cited):
        document = documents[one[0]]
        block = block_around(document, document.place_of(one[1]))
        room -= len(block.text)
        if room < 0:
            return
        begins = document.passages[document.place_of(block.start)]
        yield replace(block, row=begins.row and above(begins.row))


def render_rules(key: str, draft: Draft, memory: EvidenceMemory) -> str:
    """What the rules say for a type, with the keys of what they cite."""
    cited = dict.fromkeys(
        item.key
        for claim in draft.claims
        for passage in claim.passages
        for item in memory.all()
        if item.doc_id == passage.doc_id and item.start <= passage.start < item.end
    )
    lines = [f"{draft.short} (from {', '.join(cited)})" if draft.present else draft.headline]
    lines += [f"Not taken: {one.value}, {one.reason}" for one in draft.rejected[:5] if one.value]
    lines += draft.conflicts
    return data_block("\n".join(lines), kind="rules", type=key)


async def drafted(
    tools: ArchiveTools, result: AgentResult, evidence: MemoryDump, ruled: dict[str, Draft]
) -> ModelDrafts:
    """The model's answers as drafts, over the sentences and rows that it quotes.

    One that says something and cites nothing is left out: the rules answer in its place.
    """
    answers = TypedAnswers.model_validate_json(result.answer)
    shown = shown_passages(evidence.evidence)
    documents = await documents_of(tools, shown)
    made = {
        answer.type: draft_of(tools.library[answer.type], answer, ruled[answer.type], shown, documents)
        for answer in answers.answers
        if answer.type in ruled
    }
    empty = {answer.type for answer in answers.answers if answer.outcome == "nothing"}
    return ModelDrafts({key: draft for key, draft in made.items() if draft.claims or key in empty})
