"""Which section is written from which: order, cycles, and what a revision makes stale."""

from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter

Graph = Mapping[str, tuple[str, ...]]
"""Section id to the ids of the sections that it depends on."""


class SectionGraphError(ValueError):
    """Sections depend on each other in a circle, or on one that does not exist; the message names them."""


def ordered(graph: Graph) -> tuple[str, ...]:
    """Sections, each after those it depends on. Raises `SectionGraphError`."""
    named = {below for needed in graph.values() for below in needed}
    if unknown := sorted(named - set(graph)):
        raise SectionGraphError(f"A section depends on {unknown[0]!r}, and there is no such section.")
    try:
        return tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        raise SectionGraphError(
            f"Sections depend on each other in a circle: {' → '.join(error.args[1])}."
        ) from error


def stages(graph: Graph) -> tuple[tuple[str, ...], ...]:
    """Sections that can be written side by side, stage by stage, in the order given. Raises as `ordered`."""
    ordered(graph)
    place = {section: number for number, section in enumerate(graph)}
    sorter = TopologicalSorter(graph)
    sorter.prepare()
    found = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready(), key=place.__getitem__)
        found.append(tuple(ready))
        sorter.done(*ready)
    return tuple(found)


def downstream(graph: Graph, section: str) -> frozenset[str]:
    """Every section that depends on this one, directly or through others."""
    found: set[str] = set()
    waiting: list[str] = [section]
    while waiting:
        below = waiting.pop()
        new = [name for name, needed in graph.items() if below in needed and name not in found]
        found.update(new)
        waiting += new
    return frozenset(found)
