"""What runs of molecule design work with, and what a thread keeps of them."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

from agents.databases.targets import Targets
from agents.design.boltz import read_boltz
from agents.design.docking import read_docking
from agents.design.files import in_order
from agents.design.gather import Desk
from agents.design.literature import Ligands, literature_of
from agents.design.oracle import Oracle
from agents.design.oracles import open_oracle
from agents.design.pipeline import design
from agents.design.roster import Roster
from agents.design.values import Design, Memory, Order
from agents.errors import WrongFile
from agents.house import House
from agents.kinds import Principal, Work
from agents.runs.run import Run


def plan(order: Order) -> str:
    """What a debate will do."""
    return (
        f"Up to {order.scientists} scientists debate for {order.rounds} rounds. Write in this thread to "
        "steer them; `stop` ends it with what is there."
    )


def remember(design: Design, before: Memory | None) -> Memory | None:
    """The brief and the molecules, best first; what was kept before where nothing was designed."""
    if design.floor is None or not design.floor.candidates:
        return before
    best = in_order(design.floor)
    return Memory(design.floor.task, tuple((one.id, one.proposal.what) for one in best))


def desk_of(house: House) -> Desk:
    """What a run works with, over the ports of a house."""
    reach = house.reach
    return Desk(
        Targets(reach),
        Ligands(reach.bulk),
        Roster(house.skills),
        house.sources,
        literature_of(reach),
        house.model,
        oracle_in(house.oracle),
        house.oracle_calls,
        house.toolset,
        house.wording,
    )


def oracle_in(path: Path | None) -> Oracle | None:
    """The oracle that a file describes. Raises `WrongFile`."""
    if path is None:
        return None
    if not path.is_file():
        raise WrongFile(f"There is no file {path}. PESTLE_DESIGN_ORACLE has to name one, or nothing.")
    if path.suffix == ".fasta":
        return read_boltz(path)
    return read_docking(path) if path.suffix == ".json" else open_oracle(path)


def open_design(house: House) -> Callable[[Principal], Work[Order, Design]]:
    """Open the literature; every principal may read it."""
    desk = cache(lambda: desk_of(house))

    async def work(run: Run, order: Order) -> Design:
        return await design(desk(), run, order)

    return lambda principal: work
