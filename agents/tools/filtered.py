"""A part of a toolset: by name, or only what changes nothing."""

from collections.abc import Iterable

from agents.tools.toolset import Toolset


def filtered(toolset: Toolset, names: Iterable[str] | None = None, *, read_only: bool = False) -> Toolset:
    """The tools with these names (None: all), in the toolset's order; with `read_only` no others.

    Raises `ValueError` for a name that the toolset does not have: an allow-list with a slip lets nothing by.
    """
    wanted = set(toolset) if names is None else set(names)
    if unknown := sorted(wanted - set(toolset)):
        raise ValueError(
            f"the toolset {toolset.name!r} has no tool {', '.join(unknown)}; "
            f"it has {', '.join(toolset) or 'none'}"
        )
    kept = (tool for tool in toolset.values() if tool.name in wanted)
    return Toolset(toolset.name, (tool for tool in kept if tool.read_only or not read_only))
