"""What an order may leave out: tools and sections, by their names."""

from dataclasses import replace
from difflib import get_close_matches

from agents.databases.memory import MemoryBulk
from agents.databases.ports import Reach
from agents.databases.toolset import database_tools
from agents.errors import WrongOrder
from agents.safety.archive import SEARCH
from agents.safety.collect import database_tools_of
from agents.safety.order import SafetyOrder
from agents.safety.orthologs.tool import ortholog_tools
from agents.safety.outline import SECTIONS

_NOWHERE = Reach(MemoryBulk())
TOOLS = (*database_tools_of(database_tools(_NOWHERE).joined(ortholog_tools(_NOWHERE))), SEARCH)
"""Names of the tools that a report asks."""
LEFT_OUT = (*TOOLS, *(one.id for one in SECTIONS))
"""All that an order may leave out."""


def checked(order: SafetyOrder) -> SafetyOrder:
    """The order with names as they are written here. Raises `WrongOrder` for one that there is not."""
    names = tuple(dict.fromkeys(name.strip().casefold() for name in order.without))
    for name in names:
        if name not in LEFT_OUT:
            near = get_close_matches(name, LEFT_OUT, 3)
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            raise WrongOrder(
                f"There is no tool or section {name!r} to leave out.{hint} Tools: {', '.join(TOOLS)}. "
                f"Sections: {', '.join(one.id for one in SECTIONS)}."
            )
    if {one.id for one in SECTIONS} <= set(names):
        raise WrongOrder("A report without any section would say nothing: leave some.")
    return replace(order, without=names)
