"""What carries a command about a run out."""

from collections.abc import Awaitable, Callable

from agents.kinds import RunView
from bot.values import Card, Command, Incoming

Handler = Callable[[Incoming, Command, RunView], Awaitable[Card | None]]
"""From a message, the command in it and the run that it is about to the card to show, or None.

Safe to repeat: it leaves the same state however often it comes.
"""
