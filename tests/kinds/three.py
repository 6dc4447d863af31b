"""A kind of run with three sections, a tool, a critic and a person's approval.

liver ─┐
       ├─ advice   (reviewed by a critic, released by a person)
heart ─┘
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from pydantic import Field

from agents.evidence.memory import EvidenceMemory
from agents.evidence.sources import Sources, tool_source
from agents.evidence.values import Evidence
from agents.house import House
from agents.kinds import (
    Certainty,
    KindLimits,
    Principal,
    RevisionRequest,
    RunKind,
    ThreadContext,
    Understood,
    UserMessage,
    Work,
)
from agents.minds.critic import ACCEPT, Review, refine
from agents.minds.work import Said
from agents.reports.compose import Composer
from agents.reports.graph import Graph, stages
from agents.reports.values import Block, Figure, Paragraph, Prose, Report, Section
from agents.runs.records import Budget, Request
from agents.runs.run import Run
from agents.tools.kept import kept
from agents.tools.reply import ToolRecord, ToolReply
from agents.tools.tool import Arguments, Tool
from agents.tools.toolset import Toolset
from agents.trust.values import COUNT, Claim, Derivation

GRAPH: Graph = {"liver": (), "heart": (), "advice": ("liver", "heart")}
LABEL = "{0}: {1} findings were mild. They went away within {2} days."
DAYS = {"liver": 3, "heart": 5}
CURVE = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><path d="M0 9H90" stroke="red"/></svg>'
)
APPROVE, REJECT = "approve", "reject"


class Organ(Arguments):
    """What to look up."""

    drug: str = Field(description="name of the drug")
    organ: str = Field(description="liver or heart")


async def look_up(asked: Organ) -> ToolReply:
    """A made-up label."""
    text = LABEL.format(asked.drug, asked.organ, DAYS[asked.organ])
    title = f"{asked.drug}, {asked.organ}"
    source = tool_source("toy labels", title, text, query=title, release="2026-01")
    return ToolReply((ToolRecord(source),), "one label")


LOOK_UP = Tool("look_up_organ", "Look up the findings of a drug in an organ.", Organ, look_up, "toy labels")


@dataclass(frozen=True, slots=True)
class Order:
    """`only` is the section to be written anew as `wish` says, from the sections `given`."""

    drug: str
    only: str = ""
    wish: str = ""
    given: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    id: str
    claims: tuple[Claim, ...]
    evidence: tuple[Evidence, ...] = ()
    figure: Figure | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Brief:
    """`released` is what a person decided on the advice."""

    order: Order
    written: tuple[Written, ...]
    released: str = ""
    partial: str = ""


def understand(message: UserMessage, thread: ThreadContext[Order, str]) -> Understood[Order] | None:
    return Understood(Order(message.text), Certainty.SURE) if message.asked_for else None


async def research(run: Run, tool: Tool[Organ], order: Order, organ: str) -> Written:
    """The findings in one organ, with a picture."""
    (record,) = (await tool(Organ(drug=order.drug, organ=organ))).records
    memory = EvidenceMemory(first=100 * DAYS[organ])
    found = memory.add(record.place, record.source)
    sentences = [f"{text.strip('. ')}." for text in found.text.split(". ")]
    wanted = sentences[:1] if "short" in order.wish else sentences
    drawn = await run.artefact(CURVE, "image/svg+xml", f"{organ}.svg")
    figure = Figure("Course", drawn.sha256, drawn.media_type, f"Findings in the {organ} over time.")
    return Written(organ, tuple(Claim(text, (found.key,), (text,)) for text in wanted), memory.all(), figure)


async def advise(order: Order, findings: tuple[str, ...]) -> Written:
    """The advice, drafted until the critic accepts it."""

    async def draft(points: tuple[str, ...]) -> str:
        return " ".join(filter(None, ("Watch for this:", *findings, order.wish, *points)))

    def critic(text: str, dialog: tuple[Said, ...]) -> Review:
        return ACCEPT if "physician" in text else Review(verdict="revise", points=("Ask a physician.",))

    refined = await refine("advice", draft, critic, str)
    rounds = f"The critic of the advice accepted round {refined.dialog[-1].round}."
    return Written("advice", (Claim(refined.value, ()),), notes=(rounds, *refined.notes))


async def brief(tool: Tool[Organ], run: Run, order: Order) -> Brief:
    """Stage by stage; sections of a stage are written side by side."""
    done: dict[str, Written] = {}
    run.keep(lambda: Brief(order, tuple(done.values())) if done else None)

    def finished(section: Written) -> None:
        done[section.id] = section

    for stage in stages(GRAPH):
        calls = []
        for name in stage:
            if order.only not in ("", name):
                continue
            if GRAPH[name]:
                findings = order.given or tuple(done[needed].claims[0].text for needed in GRAPH[name])
                calls.append(run.call(f"section:{name}", advise, order, findings, then=finished))
            else:
                work = partial(research, run, tool)
                calls.append(run.call(f"section:{name}", work, order, name, output=Written, then=finished))
        await run.gather(*calls)
    if "advice" not in done:
        return Brief(order, tuple(done.values()), APPROVE)
    question = f"May this advice on {order.drug} be given? {done['advice'].claims[0].text}"
    decision = await run.wait_for("release", Request(question, (APPROVE, REJECT), "", 600.0, REJECT))
    return Brief(order, tuple(done[name] for name in GRAPH if name in done), decision.choice)


def report(brief: Brief) -> Report:
    composer = Composer(item for one in brief.written for item in one.evidence)
    shown = [one for one in brief.written if one.id != "advice" or brief.released]
    sections = tuple(_section(composer, one, brief.released) for one in shown)
    notes = tuple(note for one in shown for note in one.notes)
    short = f"{brief.order.drug}: {len(sections)} sections."
    counted = Derivation(f"{len(sections)}", COUNT, tuple(section.title for section in sections), ())
    title = f"Brief on {brief.order.drug}"
    return Report(title, "Brief", short, True, sections, notes, partial=brief.partial, derived=(counted,))


def _section(composer: Composer, one: Written, released: str) -> Section:
    statements = tuple(composer.statement(claim) for claim in one.claims)
    numbers = {number for statement in statements for number in statement.citations}
    blocks: tuple[Block, ...] = (Prose(statements), *((one.figure,) if one.figure else ()))
    if one.id == "advice" and released != APPROVE:
        blocks = (Paragraph("The advice was not released."),)
    return Section(one.id, one.id.title(), blocks, composer.citations(numbers), GRAPH[one.id])


def revise(order: Order, report: Report, request: RevisionRequest) -> Order:
    needed = (report.section(name) for name in GRAPH[request.section_id])
    given = tuple(section.opening for section in needed if section)
    return replace(order, only=request.section_id, wish=request.instruction, given=given)


def open_brief(house: House) -> Callable[[Principal], Work[Order, Brief]]:
    return opened(LOOK_UP, house.sources)


def opened(tool: Tool[Organ], sources: Sources) -> Callable[[Principal], Work[Order, Brief]]:
    """What the tool replies is kept, so that a citation of it can be opened."""
    return lambda principal: partial(brief, kept(tool, sources))


KIND = RunKind(
    name="brief",
    title="Briefs on a drug",
    inputs=Order,
    output=Brief,
    understand=understand,
    asked=lambda order: f"Brief on {order.drug}",
    report=report,
    open=open_brief,
    tools=lambda house: Toolset("brief", [LOOK_UP]),
    revise=revise,
    stopped=lambda brief, why: replace(brief, partial=why),
    labels={"section": "Writing sections", "release": "Approval"},
    limits=KindLimits(Budget(seconds=120.0)),
    commands=("brief",),
    help=("`brief DRUG` writes a brief on a drug.",),
    sections=GRAPH,
    approvals=frozenset({"release"}),
    result="brief",
)
