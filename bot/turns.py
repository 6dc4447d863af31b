"""Whose run is next, where more are asked for than are executed: channels take turns.

A message in the queue says that there is one run more to execute, and names it; which one is then executed is
decided here. The next run is of the channel that has the fewest runs in hand for its weight; among equals, of
the one that had the fewest turns here for its weight (stride scheduling: Waldspurger and Weihl, 1995). A
channel that comes in late begins where the others are.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from agents.runs.records import InLine
from bot.values import ThreadRef


def channel_of(thread_id: str) -> str:
    """The channel of a thread, under the name by which the settings know it; "" for a run without thread."""
    return ThreadRef.parse(thread_id).channel if thread_id else ""


class Turns:
    """The turns that one worker gives. `weights` are those of channels by their ids; others weigh 1."""

    def __init__(self, weights: Mapping[str, float] | None = None) -> None:
        self._weights = weights or {}
        self._had: dict[str, float] = {}
        self._level = 0.0

    def next(self, line: Sequence[InLine], without: Collection[str] = ()) -> str:
        """The run that is next; "" if none of the line waits but those left out."""
        held, first = defaultdict[str, int](int), dict[str, str]()
        for one in line:
            channel = channel_of(one.thread_id)
            if one.held:
                held[channel] += 1
            elif one.run_id not in without:
                first.setdefault(channel, one.run_id)
        if not first:
            return ""
        for channel in first:
            self._had[channel] = max(self._had.get(channel, 0.0), self._level)
        now = min(first, key=lambda one: (held[one] / self._weight(one), self._had[one]))
        self._level = self._had[now]
        self._had[now] += 1 / self._weight(now)
        return first[now]

    def before(self, waiting: Mapping[str, int], channel: str) -> int:
        """About how many runs begin before a new one of a channel, where so many of each channel wait: all
        of its own, and as many of each other one as that has turns until then.
        """
        own = waiting.get(channel, 0)
        turn = (own + 1) / self._weight(channel)
        others = (
            min(number, round(turn * self._weight(one))) for one, number in waiting.items() if one != channel
        )
        return own + sum(others)

    def _weight(self, channel: str) -> float:
        return self._weights.get(channel, 1.0)
