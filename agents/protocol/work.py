"""What runs of protocols work with, and what a thread keeps of them."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from agents.house import House
from agents.kinds import Principal, Work
from agents.protocol.archive import ArchiveLiterature
from agents.protocol.entrez import live_literature
from agents.protocol.folder import FolderLiterature
from agents.protocol.literature import Literature
from agents.protocol.outcome import ProtocolOutcome
from agents.protocol.pipeline import Tools, protocol
from agents.protocol.revise import revised
from agents.protocol.values import Order
from agents.runs.run import Run

PLAN = (
    "I will search the literature that is set up, read the articles that help, and write a protocol section "
    "by section with checks, hazards and the tasks that programs can do. Without a language model that takes "
    "under a minute and costs nothing; with one some minutes. `stop` ends it with what is there."
)


def plan(order: Order) -> str:
    """What a run will do, how long it takes and what it costs."""
    return "" if order.section else PLAN


def remember(outcome: ProtocolOutcome, before: Order | None) -> Order:
    """What the thread keeps: the order."""
    return replace(outcome.order.anywhere(), standing=(), section="", wish="")


def stopped(outcome: ProtocolOutcome, why: str) -> ProtocolOutcome:
    """The partial output of a run that ended early."""
    return replace(outcome, partial=why)


def open_protocol(house: House) -> Callable[[Principal], Work[Order, ProtocolOutcome]]:
    """Open the tools over the ports of a house; every principal may read the literature."""
    folder = FolderLiterature(house.literature) if house.literature else None
    archive = ArchiveLiterature(lambda: house.index, lambda: house.retriever)
    places: list[Literature] = [folder] if folder else []
    places += [*live_literature(house.reach.web), archive]
    tools = Tools(tuple(places), folder, house.model, house.sandbox, house.sources, house.wording)
    return lambda principal: partial(carried_out, tools)


async def carried_out(tools: Tools, run: Run, order: Order) -> ProtocolOutcome:
    """A protocol, or one section of it anew."""
    return await (revised if order.section else protocol)(tools, run, order)
