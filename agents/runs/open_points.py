"""What a run cannot know and a person does: one short question with choices, asked of who is responsible.

A kind declares the question as an `OpenPoint`. The run waits without a worker, and goes on with the answer,
or after the time with what the kind assumes; either way a note for its report says which.
"""

from collections.abc import Callable
from dataclasses import dataclass

from agents.runs.records import Request
from agents.runs.run import Run

MOST = 6
"""Choices of a question: more are no question that is answered by one tap."""


@dataclass(frozen=True, slots=True)
class Responsible:
    """Who is asked what a run leaves open (a name as their platform writes it), and for how many seconds."""

    who: str
    seconds: float


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """A question of a run. `name` is one word, which tells it from others of the run.

    `choices` are what can be tapped, the likeliest first, of which `MOST` are offered; `assumed` is the one
    that the run goes on with where nobody says it, by default the first. `told` puts a choice into a clause
    ("Direction: inhibition").
    """

    name: str
    question: str
    choices: tuple[str, ...]
    told: Callable[[str], str]
    assumed: str = ""


@dataclass(frozen=True, slots=True)
class Settled:
    """What was chosen or assumed, and the note that says who decided it, or that nobody did."""

    choice: str
    note: str


async def settled(run: Run, point: OpenPoint, asks: Responsible) -> Settled:
    """The choice of who is responsible. Raises `Suspended` until somebody decides or the time is over.

    A run in no thread, as one that a digest begins, can ask nobody and goes on with the assumption.
    """
    choices = point.choices[:MOST]
    assumed = point.assumed or choices[0]
    if not run.record.thread_id:
        return Settled(assumed, f"{point.told(assumed)}, as an assumption: nobody could be asked.")
    decision = await run.wait_for(
        point.name, Request(point.question, choices, asks.who, asks.seconds, assumed)
    )
    told = point.told(decision.choice)
    if decision.timed_out:
        return Settled(
            decision.choice, f"{told}, as an assumption: {asks.who} was asked and did not say in time."
        )
    return Settled(decision.choice, f"{told}, as {decision.by} decided.")
