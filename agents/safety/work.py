"""What runs of target safety reports work with, and what a thread keeps of them."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from agents.counts import number_of
from agents.databases.targets import Targets
from agents.databases.toolset import database_tools
from agents.errors import WrongOrder
from agents.house import House
from agents.kinds import Principal, RevisionRequest, Work
from agents.reports.values import Report
from agents.runs.run import Run
from agents.safety.checked import concluding
from agents.safety.collect import database_tools_of
from agents.safety.instructions import Instructions, laid_over
from agents.safety.order import SafetyOrder
from agents.safety.orthologs.tool import ortholog_tools
from agents.safety.outline import BY_ID, EVIDENCE, SECTIONS
from agents.safety.own_sources import uploads_in, words_in
from agents.safety.pipeline import SafetyTools, WritingTools, assess
from agents.safety.values import Assessment
from agents.tools.kept import kept
from agents.tools.toolset import Toolset

PLAN = (
    "I will ask the archive and every public database that is loaded or reached, write {} with sources, and "
    "weigh 19 safety endpoints. Without a language model that takes under a minute and costs nothing; with "
    "one some minutes, and what about {} of its answers cost. `stop` ends it with what is there."
)
CALLS = 8
"""Answers of a model, about: the assessment, its check, and the judgement of its statements in batches."""


def plan(order: SafetyOrder) -> str:
    """What a run will do, how long it takes and what it costs."""
    sections = 1 if order.section else len(SECTIONS)
    return PLAN.format(number_of(sections, "section"), min(sections + 1, CALLS))


def revise(order: SafetyOrder, report: Report, request: RevisionRequest) -> SafetyOrder:
    """The order of a run that writes one section anew: with the sections as they stand that it needs."""
    weighs = not BY_ID[request.section_id].researches
    others = (one.id for one in SECTIONS if weighs and not (one.researches or one.tells_work))
    names = dict.fromkeys((request.section_id, *others))
    standing = tuple(section for name in names if (section := report.section(name)) is not None)
    if request.given and weighs:
        evidence = ", ".join(one.id for one in EVIDENCE)
        raise WrongOrder(f"Give a source to a section that cites sources itself: {evidence}.")
    words = words_in(report) if weighs else ()
    given = tuple(dict.fromkeys((*order.given, *words, *request.given)))
    uploads = uploads_in(report, words) if weighs else ()
    return replace(
        order,
        section=request.section_id,
        wish=request.instruction,
        standing=standing,
        given=given,
        uploads=uploads,
    )


def remember(assessment: Assessment, before: SafetyOrder | None) -> SafetyOrder:
    """What the thread keeps: the order, so that a reply can go on from it."""
    order = assessment.order.anywhere()
    return replace(order, standing=(), section="", wish="", given=(), uploads=())


def tools_of(house: House) -> SafetyTools:
    """What a run works with, over the ports of a house. What tools fetch is kept, so that citations open."""
    targets = Targets(house.reach)
    tools = database_tools(house.reach, targets=targets).joined(ortholog_tools(house.reach, targets))
    asked = database_tools_of(tools.map(partial(kept, sources=house.sources)))

    async def archive() -> Toolset | None:
        return await house.toolset()

    desk = WritingTools(house.model, concluding(house.entailment), house.sources, Instructions())
    return SafetyTools(targets.find, asked, archive, desk)


def channel_of(principal: Principal) -> str:
    """The channel in which a run was asked for; "" for none."""
    return next(iter(principal.thread_id.split(":")[1:2]), "")


def open_safety(house: House) -> Callable[[Principal], Work[SafetyOrder, Assessment]]:
    """Open the tools; every principal may read the public databases."""
    opened = tools_of(house)

    def pipeline(principal: Principal) -> Work[SafetyOrder, Assessment]:
        async def work(run: Run, order: SafetyOrder) -> Assessment:
            instructions = laid_over(house.skills, channel_of(principal))
            desk = replace(opened.desk, instructions=instructions)
            return await assess(replace(opened, desk=desk), run, order)

        return work

    return pipeline


def toolset(house: House) -> Toolset:
    """What the kind lends to models and other programs: the choice of orthologs."""
    return ortholog_tools(house.reach)
