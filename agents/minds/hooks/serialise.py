"""Lets agents work one after the other where their tools or their endpoint stand no more."""

import asyncio
from contextlib import AbstractAsyncContextManager

from agents.minds.hooks.hook import Hook
from agents.minds.work import Work


class Serialise(Hook):
    """At most `at_once` of the agents that share this object work at the same time."""

    def __init__(self, at_once: int = 1) -> None:
        self._places = asyncio.Semaphore(at_once)

    def around(self, work: Work) -> AbstractAsyncContextManager[object]:
        """A place among those that work."""
        return self._places
