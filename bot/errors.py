"""What can go wrong in the conversation.

BotError
├── BadRequest               the message cannot be acted on; the text says why and what to write instead
│   └── NoPoll               it is a vote, and no poll is open
├── NotAllowed               this person may not do this here
├── QueueDown                the run is written, and the queue cannot be reached; a sweeper picks it up later
└── DeliveryFailed           the platform refused a card, and will again
    ├── DeliveryDelayed      the platform asks to wait; carries the seconds
    └── DeliveryHindered     the platform does not take cards of ours now; somebody may put that right
"""


class BotError(Exception):
    """Base of this floor's errors; the message is fit to be shown to a user."""


class BadRequest(BotError):
    """A message that cannot be acted on."""


class NoPoll(BadRequest):
    """A vote where no poll is open."""


class NotAllowed(BotError):
    """The person may not do this here."""


class QueueDown(BotError):
    """The queue cannot be reached. Nothing is lost: whoever sweeps the ledger finds the run."""


class DeliveryFailed(BotError):
    """The platform refused a card for good."""


class DeliveryDelayed(DeliveryFailed):
    """The platform asks to wait `seconds` before the next attempt."""

    def __init__(self, message: str, seconds: float) -> None:
        super().__init__(message)
        self.seconds = seconds


class DeliveryHindered(DeliveryFailed):
    """The platform takes no card of ours now, as without a right or a channel; the card itself is good."""
