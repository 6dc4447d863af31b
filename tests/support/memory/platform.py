"""A platform that keeps what it is shown."""

from collections import deque
from dataclasses import dataclass

from bot.values import Card, OutgoingFile, ThreadRef


@dataclass(frozen=True, slots=True)
class Posted:
    """A message on the memory platform, as it looks now."""

    message_id: str
    thread: ThreadRef
    card: Card
    file: OutgoingFile | None = None
    user: str = ""
    """Who alone sees it; "" for everybody."""


class MemoryPlatform:
    """Implements `bot.ports.ChatPlatform`, `ShowsFiles` and `ShowsPrivately`: keeps what it is shown.

    An error put into `failures` is raised by the next call instead.
    """

    def __init__(self, name: str = "memory") -> None:
        self.name = name
        self.failures: deque[Exception] = deque()
        self._messages: dict[str, Posted] = {}

    @property
    def messages(self) -> list[Posted]:
        """All messages, in the order they were first posted."""
        return list(self._messages.values())

    async def post(self, thread: ThreadRef, card: Card) -> str:
        """See the port."""
        return self._keep(thread, card)

    async def show_file(self, thread: ThreadRef, card: Card, file: OutgoingFile) -> str:
        """See the port."""
        return self._keep(thread, card, file)

    async def show_privately(self, thread: ThreadRef, user: str, card: Card) -> None:
        """See the port."""
        self._keep(thread, card, user=user)

    def _keep(self, thread: ThreadRef, card: Card, file: OutgoingFile | None = None, user: str = "") -> str:
        self._fail()
        message_id = f"m{len(self._messages) + 1}"
        self._messages[message_id] = Posted(message_id, thread, card, file, user)
        return message_id

    async def update(self, thread: ThreadRef, message_id: str, card: Card) -> None:
        """See the port."""
        self._fail()
        self._messages[message_id] = Posted(message_id, thread, card)

    def _fail(self) -> None:
        if self.failures:
            raise self.failures.popleft()
