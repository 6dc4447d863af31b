"""What is told before a run begins: the runs that go first, and what is left of the month's budget."""

import asyncio
import math
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from statistics import median, quantiles
from typing import Any

from agents.counts import number_of
from agents.errors import WrongOrder
from agents.kinds import AnyKind
from agents.ports import Ledger
from agents.runs.clock import Clock, month_of, utc_now
from agents.runs.records import Past, Spent
from bot.turns import Turns, channel_of
from bot.values import ThreadRef

LEARNT_FROM = 5
"""Runs of a kind that are done, before its time is told."""
LONG_S = 30.0
"""Seconds from which on a run is long, and what it takes is told before it begins."""
LOOK_S, LEARN_S = 1.0, 60.0
"""How long a line is believed, and what was learnt or spent."""
STALE = 10
"""So many times older it is not believed any more."""
WARNED_AT = 0.8
MANY = 100
"""Runs that go first from which on Pestle says that it is overloaded."""


class Waits:
    """Tells what a new run has to wait for, and whether it may begin.

    `tokens` and `usd` are the most that each "user", each "channel" and "all" may spend in a month.
    """

    def __init__(
        self,
        ledger: Ledger,
        tokens: Mapping[Any, float] | None = None,
        usd: Mapping[Any, float] | None = None,
        turns: Turns | None = None,
        clock: Clock = utc_now,
    ) -> None:
        self._ledger, self._clock, self._turns = ledger, clock, turns or Turns()
        self._limits = {"tokens": tokens or {}, "US dollars": usd or {}}
        self._known: dict[str, tuple[float, Any]] = {}
        self._asking: dict[str, asyncio.Task[None]] = {}

    async def notes(self, kind: AnyKind, thread: ThreadRef, user: str) -> tuple[str, ...]:
        """What is told with a run before it begins. Raises `WrongOrder` where the month's budget is spent."""
        return (*await self._budget(thread, user), *await self._line(kind, thread))

    async def _line(self, kind: AnyKind, thread: ThreadRef) -> list[str]:
        """How many runs go first, how long that takes, and what a long run takes itself."""
        queue = kind.limits.queue
        waiting, held = await self._lately(queue, LOOK_S, lambda: self._look(queue))
        past = await self._lately(f"past {kind.name}", LEARN_S, lambda: self._ledger.past(kind.name))
        each = median(one.seconds for one in past) if len(past) >= LEARNT_FROM else 0.0
        takes = [expected(past)] if each >= LONG_S else []
        if not (ahead := self._turns.before(waiting, thread.channel)):
            return takes
        much = ["Pestle has much to do now; what you asked is kept."] if ahead >= MANY else []
        told = [*much, f"{number_of(ahead, 'run')} {'goes' if ahead == 1 else 'go'} first."]
        if each:
            told.append(f"It begins in about {_long(ahead * each / max(1, held))}.")
        return [" ".join([*told, *takes])]

    async def _look(self, queue: str) -> tuple[Counter[str], int]:
        """How many runs of each channel wait in a queue, and how many are in hand."""
        line = await self._ledger.line(queue)
        waiting = Counter(channel_of(one.thread_id) for one in line if not one.held)
        return waiting, len(line) - waiting.total()

    async def _budget(self, thread: ThreadRef, user: str) -> list[str]:
        """The warning when a month's budget is nearly spent. Raises `WrongOrder` when it is."""
        if not any(self._limits.values()):
            return []
        month = month_of(self._clock())
        spent = await self._lately(f"spent {month}", LEARN_S, lambda: self._ledger.spent(month))
        here = [one for one in spent if _place(one).whole_channel == thread.whole_channel]
        mine = [one for one in spent if one.asked_by == user and _place(one).platform == thread.platform]
        whose = {"user": ("you", mine), "channel": ("this channel", here), "all": ("everybody", spent)}
        warnings = []
        for unit, limits in self._limits.items():
            for name, limit in limits.items():
                who, counted = whose[name]
                used = sum(one.tokens if unit == "tokens" else one.cost_usd for one in counted)
                told = f"{used:,.0f} of the {limit:,.0f} {unit} that {who} may spend this month"
                if used >= limit:
                    raise WrongOrder(f"The budget is spent: {told}. An operator can raise it.")
                if used >= WARNED_AT * limit:
                    warnings.append(f"The budget is nearly spent: {told}.")
        return warnings

    async def _lately(self, name: str, seconds: float, ask: Callable[[], Awaitable[Any]]) -> Any:
        """What was asked for less than so many seconds ago. What is somewhat older is told too, and asked for
        meanwhile, once at a time: a platform waits for its answer.
        """
        at, _ = self._known.get(name, (-math.inf, None))
        age = time.monotonic() - at
        if age > seconds and name not in self._asking:
            self._asking[name] = asyncio.create_task(self._ask(name, ask))
        if age > STALE * seconds and name in self._asking:
            await asyncio.shield(self._asking[name])
        return self._known[name][1]

    async def _ask(self, name: str, ask: Callable[[], Awaitable[Any]]) -> None:
        try:
            self._known[name] = (time.monotonic(), await ask())
        finally:
            del self._asking[name]

    async def settle(self) -> None:
        """Wait for what is being asked for."""
        await asyncio.gather(*self._asking.values(), return_exceptions=True)


def expected(past: Sequence[Past]) -> str:
    """What a run takes, from past ones of its kind: of time, tokens and money the median, and where eight of
    ten lie. Tokens and money are told where at least half of them spent any.
    """
    amounts: Sequence[tuple[list[float], Callable[[float], str]]] = (
        ([one.seconds for one in past], _long),
        ([one.spent.tokens for one in past], "{:,.0f} tokens".format),
        ([one.spent.cost_usd for one in past], "${:,.2f}".format),
    )
    told = []
    for values, shown in amounts:
        low, *_, high = quantiles(values, n=10, method="inclusive")
        if middle := median(values):
            told.append(f"{shown(middle)} ({shown(low)} to {shown(high)})")
    return f"From {len(past)} past runs it takes about {', '.join(told)}."


def _place(one: Spent) -> ThreadRef:
    return ThreadRef.parse(one.thread_id or "::")


def _long(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else number_of(round(seconds / 60), "minute")
