"""What an order leaves open, asked of whoever is responsible: one question with choices."""

from dataclasses import dataclass, replace

from agents.runs.records import Decision, Request
from agents.runs.run import Run
from agents.safety.order import Direction, SafetyOrder

BOTH = "both"
"""The assumption where nobody says it."""


@dataclass(frozen=True, slots=True)
class Settled:
    """An order, and the note that says who decided what it left open, or what is assumed."""

    order: SafetyOrder
    note: str = ""


async def settled(run: Run, order: SafetyOrder) -> Settled:
    """The order with the direction that the responsible person chose.

    Asked once for a report, never for a section that is written anew. Raises `Suspended` until somebody
    decides or the time is over.
    """
    if order.asks is None or order.direction is not None or order.section:
        return Settled(order)
    choices = (*(one.value for one in Direction), BOTH)
    question = f"Which direction is meant for {order.target}?"
    request = Request(question, choices, order.asks.who, order.asks.seconds, BOTH)
    decision = await run.wait_for("direction", request)
    if decision.choice != BOTH:
        order = replace(order, direction=Direction(decision.choice))
    return Settled(order, _note(decision, order))


def _note(decision: Decision, order: SafetyOrder) -> str:
    chosen = "Both directions are weighed" if decision.choice == BOTH else f"Direction: {decision.choice}"
    who = order.asks.who if order.asks else ""
    if decision.timed_out:
        return f"{chosen}, as an assumption: {who} was asked and did not say in time."
    return f"{chosen}, as {decision.by} decided."
