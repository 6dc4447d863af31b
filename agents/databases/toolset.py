"""All tools of public databases, over one reach."""

from collections.abc import Callable
from typing import Any

from agents.databases.ports import Reach
from agents.databases.targets import Targets
from agents.tools.tool import Tool
from agents.tools.toolset import Toolset

MAKERS: tuple[Callable[[Reach, Targets], Tool[Any]], ...] = ()
"""One line a tool, in the order in which a reader wants them."""


def database_tools(reach: Reach) -> Toolset:
    """The tools of all databases. They share one resolver, so that a name is resolved once."""
    targets = Targets(reach)
    return Toolset("databases", (make(reach, targets) for make in MAKERS))
