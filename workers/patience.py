"""A worker whose Redis is away says so once, looks after ever longer pauses, and says when it is back.

Dramatiq's own consumers write a critical line every three seconds.
"""

import logging
import time
from typing import Any

from dramatiq.brokers.redis import RedisBroker, _RedisConsumer
from dramatiq.errors import BrokerConnectionError

logger = logging.getLogger(__name__)

FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 30.0
LOOK_S = 0.2
"""How long a consumer sleeps at a time: a worker that ends does not wait for the pause."""


class PatientBroker(RedisBroker):
    """A `RedisBroker` whose consumers wait for Redis. They share what is known of it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)  # type: ignore[no-untyped-call]
        self.pause = 0.0
        """Seconds until Redis is asked again; 0 while it answers."""
        self.asked_again = 0.0

    @property
    def consumer_class(self) -> type["PatientConsumer"]:
        """What takes messages from a queue."""
        return PatientConsumer

    def away(self, error: Exception) -> None:
        """Redis did not answer a consumer."""
        if not self.pause:
            logger.warning("The queue is away (%s). Runs wait; this worker goes on when it is back.", error)
        if time.monotonic() >= self.asked_again:
            self.pause = min(2 * self.pause or FIRST_PAUSE_S, LONGEST_PAUSE_S)
            self.asked_again = time.monotonic() + self.pause

    def back(self) -> None:
        """Redis answered one."""
        if self.pause:
            self.pause = 0.0
            logger.warning("The queue is back.")


class PatientConsumer(_RedisConsumer):
    """A consumer that has no message while Redis is away."""

    broker: PatientBroker

    def __next__(self) -> Any:
        """The next message, or None."""
        if self.broker.pause and time.monotonic() < self.broker.asked_again:
            time.sleep(LOOK_S)
            return None
        try:
            message = super().__next__()  # type: ignore[no-untyped-call]
        except BrokerConnectionError as error:
            self.broker.away(error)
            return None
        self.broker.back()
        return message
