"""What `make test` does in part and `make drills` in full: grids of crashes, fuzzing, kills, failover.

Hypothesis' profiles say how many examples a test tries: `suite` some, `drills` many, `short` between the two.
"""

import os
from collections.abc import Iterable

import pytest
from hypothesis import settings

SUITE = "suite"
USUAL = 100
"""Examples at which a test tries as many as its own number says."""
ONE_IN = int(os.environ.get("PESTLE_TEST_ONE_IN", "1"))
"""Drills keep one in so many points of a grid."""

for name, tried in ((SUITE, 30), ("short", USUAL), ("drills", 5 * USUAL)):
    settings.register_profile(name, max_examples=tried, deadline=None)


def examples(number: int) -> int:
    """The share of a test's own number of examples that the profile asks for."""
    return max(5, number * settings().max_examples // USUAL)


def grid(points: Iterable[object], every: int) -> list[object]:
    """The points of a grid: one in `every` is for each run of the suite, the others are drills."""
    return [
        point if number % every == 0 else pytest.param(point, marks=pytest.mark.drill)
        for number, point in enumerate(points)
        if number % every == 0 or number % ONE_IN == 0
    ]


def in_drills(points: Iterable[object], first: int) -> list[object]:
    """The `first` points are for each run of the suite, the others for all drills, the short ones too."""
    return [
        point if number < first else pytest.param(point, marks=pytest.mark.drill)
        for number, point in enumerate(points)
    ]
