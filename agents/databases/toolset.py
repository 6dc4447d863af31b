"""All tools of public databases, over one reach."""

from collections.abc import Callable
from typing import Any

from agents.databases.clinvar import clinvar_tool
from agents.databases.gtex import gtex_tool
from agents.databases.mgi import mouse_phenotypes_tool
from agents.databases.ports import Reach
from agents.databases.protein_atlas import protein_atlas_tool
from agents.databases.targets import Targets
from agents.tools.tool import Tool
from agents.tools.toolset import Toolset

MAKERS: tuple[Callable[[Reach, Targets], Tool[Any]], ...] = (
    gtex_tool,
    protein_atlas_tool,
    clinvar_tool,
    mouse_phenotypes_tool,
)
"""One line a tool, in the order in which a reader wants them."""


def database_tools(reach: Reach) -> Toolset:
    """The tools of all databases. They share one resolver, so that a name is resolved once."""
    targets = Targets(reach)
    return Toolset("databases", (make(reach, targets) for make in MAKERS))
