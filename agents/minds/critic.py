"""An agent with its critic (MALADE, section 4.2): a draft is revised until the critic accepts it.

Rounds are bounded. A draft that the critic still faults after the last round is taken with a note, which
names what is open. Drafts and critics may be models or plain functions.
"""

import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from agents.errors import ModelError
from agents.json_answers import at_most
from agents.minds.work import Said

D = TypeVar("D")

ROUNDS = 5
POINTS = 10
"""Of a critic whose endpoint holds it to the form of a review."""


class Review(BaseModel):
    """A critic's verdict, with what to change where it is "revise"."""

    model_config = ConfigDict(frozen=True)

    verdict: Literal["accept", "revise"]
    points: tuple[str, ...] = Field((), json_schema_extra=at_most(POINTS))

    @property
    def text(self) -> str:
        """The verdict as it stands in a dialog."""
        return "\n".join((self.verdict, *(f"- {point}" for point in self.points)))


ACCEPT = Review(verdict="accept")

Drafter = Callable[[tuple[str, ...]], Awaitable[D]]
"""Makes a draft; then makes it anew with the points that the critic had."""
Critic = Callable[[D, tuple[Said, ...]], Review | Awaitable[Review]]
"""Judges a draft; gets the dialog so far."""


@dataclass(frozen=True, slots=True)
class Refined(Generic[D]):
    """The draft that was taken in the end, the dialog about it, and what a reader must know."""

    value: D
    dialog: tuple[Said, ...] = ()
    notes: tuple[str, ...] = ()


async def refine(
    name: str, draft: Drafter[D], critic: Critic[D], show: Callable[[D], str], *, rounds: int = ROUNDS
) -> Refined[D]:
    """Draft and review in turns. `show` gives a draft as it stands in the dialog.

    Raises `ModelError` where there is no draft at all; a later failure leaves the last draft, with a note.
    """
    value = await draft(())
    dialog: tuple[Said, ...] = ()
    for number in range(1, rounds + 1):
        dialog += (Said(name, show(value), number),)
        try:
            review = await _reviewed(critic, value, dialog)
            dialog += (Said("critic", review.text, number),)
            if review.verdict == "accept":
                return Refined(value, dialog)
            if number == rounds:
                return Refined(value, dialog, (_open_points(name, review.points, rounds),))
            value = await draft(review.points)
        except ModelError as error:
            note = f"The review of {name} ended early ({error.clause}); its draft of round {number} is taken."
            return Refined(value, dialog, (note,))
    return Refined(value, dialog, (f"Nobody reviewed the draft of {name}.",))


async def _reviewed(critic: Critic[D], value: D, dialog: tuple[Said, ...]) -> Review:
    given = critic(value, dialog)
    return await given if inspect.isawaitable(given) else given


def _open_points(name: str, points: Sequence[str], rounds: int) -> str:
    left = " ".join(points) or "It named no points."
    return f"The critic of {name} had not accepted the draft after {rounds} rounds. Open: {left}"
