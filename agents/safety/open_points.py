"""What an order leaves open, asked of whoever is responsible: which direction is meant."""

from dataclasses import replace

from agents.runs.open_points import OpenPoint, settled
from agents.runs.run import Run
from agents.safety.order import Direction, SafetyOrder

BOTH = "both"
"""The assumption where nobody says it."""


async def with_direction(run: Run, order: SafetyOrder) -> tuple[SafetyOrder, str]:
    """The order with the direction that the responsible person chose, and the note on it; "" for none.

    Asked once for a report, never for a section that is written anew. Raises `Suspended` until somebody
    decides or the time is over.
    """
    if order.asks is None or order.direction is not None or order.section:
        return order, ""
    choices = (*(one.value for one in Direction), BOTH)
    question = f"Which direction is meant for {order.target}?"
    found = await settled(run, OpenPoint("direction", question, choices, _assumption, BOTH), order.asks)
    direction = None if found.choice == BOTH else Direction(found.choice)
    return replace(order, direction=direction), found.note


def _assumption(choice: str) -> str:
    return "Both directions are weighed" if choice == BOTH else f"Direction: {choice}"
