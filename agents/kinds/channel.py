"""What a run is given by the channel in which it was asked for."""

from dataclasses import dataclass, replace
from typing import Self

from agents.kinds.values import Guidance
from agents.reports.disputed import Disputed
from agents.runs.open_points import Responsible


@dataclass(frozen=True, slots=True, kw_only=True)
class FromChannel:
    """An input that heeds its channel: a kind whose input inherits this follows what is wanted there.

    `guidance` is what people of the channel want of all its reports, `disputed` what they do not believe and
    want ranked lower, `asks` who says what the input leaves open, if anybody does; all as they were when the
    run began.
    """

    guidance: tuple[Guidance, ...] = ()
    disputed: tuple[Disputed, ...] = ()
    asks: Responsible | None = None

    @property
    def wishes(self) -> tuple[str, ...]:
        """The words of the guidance."""
        return tuple(one.text for one in self.guidance)

    def anywhere(self) -> Self:
        """The input without what a channel gave it, as a thread keeps it."""
        return replace(self, guidance=(), disputed=(), asks=None)
