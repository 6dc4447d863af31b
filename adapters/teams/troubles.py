"""What the connector's errors mean to a card that waits to be shown. Pure, but for chance."""

import random

from adapters.door import asked_to_wait
from adapters.teams.connector import Answered, Away
from bot.errors import DeliveryDelayed, DeliveryFailed, DeliveryHindered

UNNAMED_DELAY_S = 5.0
"""How long to wait where Teams asks for it and does not say how long."""
JITTER = 0.5
"""By which part of itself a delay is longer at the most, so that not all threads come again at once."""
_PASSING = (412, 429, 502, 504)
"""Answers that Teams asks to try again after."""
_OF_THE_CARD = (400, 413)
"""Answers to a message that will never be taken as it is. Any other, such as for a bot that was taken out of
a channel, or whose password ran out, somebody may put right, so the card waits.
"""
OUT = (403, 404)
"""Answers where the bot is no part of a conversation, or the conversation is gone."""


def gone(error: Exception) -> bool:
    """Whether a message is not there any more."""
    return isinstance(error, Answered) and error.status == 404


def translated(error: Answered | Away) -> Exception:
    """An error of the connector as one of the house."""
    if isinstance(error, Away):
        return error
    if error.status in _PASSING:
        seconds = asked_to_wait(error.again, UNNAMED_DELAY_S) * (1 + JITTER * random.random())
        return DeliveryDelayed(f"Teams asks to wait {seconds:.0f} s: {error}", seconds)
    if error.status >= 500:
        return error
    kind = DeliveryFailed if error.status in _OF_THE_CARD else DeliveryHindered
    return kind(f"Teams refused the message: {error}.")
