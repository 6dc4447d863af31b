"""Writes sections with two minds: a model over what the databases said, or the rules' own sentences.

A model gets the findings of its section, the summaries of the sections that it needs, and, in research, the
tools to look further. Tables and charts are made by rules either way: a model adds prose and judgement, no
facts. Where it fails, the rules' sentences stand, and a note says so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from agents.evidence.memory import EvidenceMemory
from agents.evidence.sources import Sources
from agents.evidence.values import Evidence
from agents.minds.agent import Agent, CitedStatement, Statements
from agents.minds.hooks import check_citations, compress_findings
from agents.minds.minded import RULES
from agents.minds.sections import SectionTask, Written, write_section
from agents.minds.talk import Bounds
from agents.minds.work import Ports, Task
from agents.ports import Entailment, LanguageModel
from agents.runs.run import Run
from agents.safety.checked import KnownSentences, quoted, standing
from agents.safety.coverage import coverage
from agents.safety.given import has_matter, offered, records_of
from agents.safety.instructions import Instructions, composed
from agents.safety.material import Draft, Material
from agents.safety.outline import BY_ID, SECTIONS, Outline
from agents.safety.review import reviewed
from agents.safety.sections.research import FEW, conflict_claim, research
from agents.safety.sections.wish import Wish, read_wishes
from agents.safety.synthesis.questions import questions
from agents.safety.synthesis.risk_section import risk_section
from agents.safety.synthesis.species import species
from agents.safety.synthesis.summary import summary
from agents.safety.values import Claims, DraftBlock, Part, Words
from agents.tools.toolset import Toolset

SYNTHESIS = {
    "summary": summary,
    "risks": risk_section,
    "species": species,
    "questions": questions,
    "coverage": coverage,
}
RESEARCH, THINKING = Bounds(rounds=3, calls=4), Bounds(rounds=0)
FIRST_KEY, BLOCK = 1001, 1000
"""Keys of what a section's own agent finds, a block each."""
NOT_WRITTEN = "This section's text was not written:"


@dataclass(frozen=True, slots=True)
class WritingTools:
    """What sections are written with. `tools` are those that a model may ask; `instructions` the layers."""

    model: LanguageModel | None
    entailment: Entailment
    sources: Sources | None
    tools: Toolset
    instructions: Instructions


def drafted(outline: Outline, material: Material, guidance: str = "", by_model: bool = False) -> Draft:
    """The section by rules. `guidance` is what experts want of all reports of the channel. `by_model`: its
    sentences are a model's, and tables tell all facts.
    """
    if outline.tells_work:
        return SYNTHESIS[outline.id](material, Wish())
    order = material.order
    wish = read_wishes(f"{guidance}\n{order.wide(outline.id)}", order.own(outline.id))
    if outline.researches:
        return research(outline, material, wish, few=1 if by_model else FEW)
    return SYNTHESIS[outline.id](material, wish)


async def write(
    run: Run, desk: WritingTools, material: Material, section: str, needed: Mapping[str, Written]
) -> tuple[Written, Part]:
    """One section, after those that it needs."""
    outline, draft = BY_ID[section], drafted(BY_ID[section], material, desk.instructions.guidance)
    if outline.tells_work:
        return Written(outline.id, outline.title), written_by_rules(outline, material, draft)
    task, tools = task_of(outline, material), offered(outline, material, desk.tools)
    agent = agent_of(outline, material, desk.instructions, tools, draft)
    first = FIRST_KEY + SECTIONS.index(outline) * BLOCK
    writing = SectionTask(outline.id, outline.title, agent, task, first)
    records = records_of(outline, material, draft, tools)
    known = KnownSentences(
        material.facts, (*draft.claims, *map(conflict_claim, material.conflicts)), desk.entailment
    )
    model = desk.model if has_matter(outline, material, tools) else None
    ports = Ports(model, known, desk.sources)
    before = [one for name in outline.needs if (one := needed.get(name)) and one.found.summary.sentences]
    written = await write_section(run, writing, [records, *before], ports)
    return written, part_of(outline, material, written, draft, desk.instructions.guidance)


def task_of(outline: Outline, material: Material) -> Task:
    """What the agent of a section shall do."""
    order = material.order
    lines = [f"{order.asked}. Write the section “{outline.title}”."]
    if order.section == outline.id:
        lines.append(
            "The section stands; write it anew as the instruction says, and keep what it does not touch."
        )
        lines += [f"It reads now:\n{one.opening}" for one in order.standing if one.id == outline.id]
    return Task("\n".join(lines))


def agent_of(
    outline: Outline, material: Material, instructions: Instructions, tools: Toolset, draft: Draft
) -> Agent[Statements]:
    """Who writes a section: prompt in three layers, tools, hooks, and the rules as its second mind."""

    async def rules(task: Task, memory: EvidenceMemory, points: tuple[str, ...]) -> Statements:
        return Statements(
            statements=[
                CitedStatement(text=one.text, keys=list(one.keys), quotes=list(one.quotes))
                for one in draft.claims
            ]
        )

    return Agent(
        name=outline.id,
        prompt=composed(outline, material.order, material.target, instructions),
        output=Statements,
        tools=tools,
        bounds=RESEARCH if tools else THINKING,
        hooks=(check_citations, compress_findings),
        critic=partial(reviewed, material) if outline.id == "summary" else None,
        rules=rules,
    )


def part_of(outline: Outline, material: Material, written: Written, draft: Draft, guidance: str = "") -> Part:
    """The section as it is shown: its statements, then what rules add, then remarks on the work."""
    result = written.result
    by = result.by if result else RULES
    if by != RULES or result is None:
        draft = drafted(outline, material, guidance, by_model=True)
    shown = tuple(quoted(one, material.facts) for one in result.shown) if result else ()
    if draft.prose and by != RULES:
        left = tuple(one for one in draft.blocks if not isinstance(one, Claims))
        draft = replace(draft, blocks=left, advice=())
    told = draft.told and by == RULES
    blocks: list[DraftBlock] = [Claims(shown)] if shown and not told else []
    if result is None:
        blocks.append(Words(f"{NOT_WRITTEN} {written.stopped}"))
    own = written_by_rules(outline, material, draft)
    return replace(own, blocks=(*blocks, *own.blocks), notes=result.notes if result else (), by=by)


def written_by_rules(outline: Outline, material: Material, draft: Draft) -> Part:
    """What rules tell of a section beside its statements; a claim that no record carries is left out."""
    evidence = [item for one in material.collected for item in one.evidence]
    stand = (standing(block, evidence) for block in draft.blocks)
    blocks = tuple(block for block in stand if block is not None)
    return Part(outline.id, (*blocks, *map(Words, (*draft.advice, *draft.remarks))))


def evidence_of(
    material: Material, written: Sequence[Written], parts: Sequence[Part]
) -> tuple[Evidence, ...]:
    """The evidence that parts cite, in the order of its keys, each once."""
    cited = {key for part in parts for key in keys_of(part)}
    found = {item.key: item for one in material.collected for item in one.evidence}
    found |= {item.key: item for one in written for item in one.evidence.evidence}
    return tuple(found[key] for key in sorted(cited, key=lambda key: int(key[1:])) if key in found)


def keys_of(part: Part) -> set[str]:
    """The keys that a part cites."""
    keys: set[str] = set()
    for block in part.blocks:
        if isinstance(block, Claims):
            keys |= {key for claim in block.claims for key in claim.keys}
        elif not isinstance(block, Words):
            cells = [block] if block.kind == "picture" else [cell for row in block.rows for cell in row]
            keys |= {key for cell in cells for key in cell.keys}
    return keys
