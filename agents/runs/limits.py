"""What a run may still use. Checked at the edges of each step that is carried out, not of replayed ones; time
also inside steps.

Tokens and money count over the whole life of a run, failed and interrupted steps included. Time counts while
somebody executes the run: after a crash it goes on from the trail's last step event, and it stands still
while the run waits for a decision. A person who resumes a stopped run grants the whole time anew, because
otherwise the run would stop again at once.
"""

import time
from collections.abc import Callable, Iterable
from datetime import datetime

from agents.errors import BudgetExceeded, TimeLimitReached
from agents.runs.records import Budget, Event
from agents.usage import Usage

STARTED = "run.started"
RESUMED = "run.resumed"
TAKEN_OVER = "run.taken_over"
CONTINUED = "run.continued"
"""Events that open a worker's part of the trail; the last follows a decision."""
HANDED_OVER = "answer.handed_over"
"""Event that follows the outbox row of a run's end."""


class Limits:
    """Time, tokens and money of one run.

    `active` is the time in seconds used up before, `clock` counts seconds.
    """

    def __init__(
        self,
        budget: Budget,
        spent: Usage | None = None,
        active: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.budget = budget
        self.spent = spent or Usage()
        self._clock = clock
        self._began = clock() - active

    def seconds_left(self) -> float | None:
        """Seconds until the time limit, negative after it; None without one."""
        if self.budget.seconds is None:
            return None
        return self.budget.seconds - (self._clock() - self._began)

    def check(self) -> None:
        """Raises `TimeLimitReached` or `BudgetExceeded`."""
        budget = self.budget
        left = self.seconds_left()
        if left is not None and left < 0:
            raise TimeLimitReached(
                f"The time limit of {budget.seconds:g} s was reached. Resume the run to go on from here."
            )
        if budget.tokens is not None and self.spent.tokens > budget.tokens:
            raise BudgetExceeded(
                f"The budget of {budget.tokens} tokens is used up ({self.spent.tokens} were spent). "
                "Ask again with a larger budget, or a narrower question."
            )
        if budget.cost_usd is not None and self.spent.cost_usd > budget.cost_usd:
            raise BudgetExceeded(
                f"The budget of {budget.cost_usd:.2f} US dollars is used up "
                f"({self.spent.cost_usd:.2f} were spent). Ask again with a larger budget, "
                "or a narrower question."
            )


def active_seconds(events: Iterable[Event]) -> float:
    """How long a run has been executed since it was first started or last resumed by a person, in seconds."""
    total, last = 0.0, None
    for event in events:
        at = datetime.fromisoformat(event.at)
        if event.kind in (STARTED, RESUMED):
            total, last = 0.0, at
        elif event.kind in (TAKEN_OVER, CONTINUED):
            last = at
        elif last is not None and event.kind.startswith("step."):
            total, last = total + (at - last).total_seconds(), at
    return total
