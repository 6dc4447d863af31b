"""Sections in order, side by side, and downstream of each other."""

import pytest

from agents.reports.graph import Graph, SectionGraphError, downstream, ordered, stages

DIAMOND: Graph = {"end": ("left", "right"), "left": ("start",), "right": ("start",), "start": (), "alone": ()}


def test_a_section_comes_after_those_it_depends_on() -> None:
    order = ordered(DIAMOND)
    assert sorted(order) == sorted(DIAMOND)
    assert all(order.index(needed) < order.index(name) for name in DIAMOND for needed in DIAMOND[name])


def test_stages_hold_what_can_be_written_side_by_side_in_the_order_given() -> None:
    assert stages(DIAMOND) == (("start", "alone"), ("left", "right"), ("end",))
    assert stages({}) == ()


@pytest.mark.parametrize(
    ("graph", "told"),
    [
        ({"a": ("b",), "b": ("c",), "c": ("a",)}, "in a circle: .* → "),
        ({"a": ("a",)}, "in a circle: a → a"),
        ({"a": ("z",)}, "'z', and there is no such section"),
    ],
)
def test_a_graph_that_cannot_be_written_is_refused_by_name(graph: Graph, told: str) -> None:
    for check in (ordered, stages):
        with pytest.raises(SectionGraphError, match=told):
            check(graph)


@pytest.mark.parametrize(
    ("section", "below"),
    [("start", {"left", "right", "end"}), ("left", {"end"}), ("end", set()), ("alone", set())],
)
def test_downstream_goes_through_others(section: str, below: set[str]) -> None:
    assert downstream(DIAMOND, section) == below
