"""What the storage keeps of conversations: cards to be delivered, judgements and reactions."""

from dataclasses import dataclass

from bot.values.cards import Card
from bot.values.places import Shown, ThreadRef


@dataclass(frozen=True, slots=True)
class OutboxItem:
    """A card to be delivered. `slot` names the message it fills ("progress", "answer"): the same slot again
    is an update.

    `number` orders items; `attempts` counts failed deliveries, but not the times the platform asked to wait;
    times are ISO 8601, UTC.
    """

    number: int
    thread: ThreadRef
    slot: str
    card: Card
    attempts: int = 0
    not_before: str = ""
    owner: str = ""
    """The pump that claimed it."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """An expert's judgement of an answer. `verdict` is "up" or "down"."""

    run_id: str
    user: str
    verdict: str
    comment: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class Reacted:
    """That a person set an emoji of this meaning on a message of ours, and when (ISO 8601, UTC).

    `event` is the key of the event that brought it: what it started, or wrote, is known under that key.
    `before` is the person's earlier judgement of the run that it replaced, as a command gives it, or "".
    `removed` is the key of the event in which it was taken off again, or "".
    """

    shown: Shown
    user: str
    meaning: str
    emoji: str
    at: str
    event: str
    before: str = ""
    removed: str = ""


@dataclass(frozen=True, slots=True)
class Unposted:
    """A card that its platform has not taken yet, and why.

    It is tried again at `not_before` (ISO 8601, UTC), or, if it was `given_up`, when somebody asks for it.
    """

    thread: ThreadRef
    slot: str
    run_id: str
    error: str
    given_up: bool
    not_before: str = ""
