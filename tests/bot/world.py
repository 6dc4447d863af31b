"""A conversation in memory: everything between a platform and a worker, with nothing outside the process."""

import itertools
from dataclasses import dataclass, field
from datetime import UTC, datetime

from agents.archive.answer import Answer
from agents.kinds import Kinds
from agents.runs.records import RunState
from bot.delivery import Pump
from bot.errors import QueueDown
from bot.intake import Intake
from bot.receipts import Receipt
from bot.services import Services
from bot.values import Card, Incoming, Reaction, ThreadRef
from bot.views import Views
from tests.support.archive import ANSWER, KINDS
from tests.support.memory import MemoryConversations, MemoryOutbox
from tests.support.memory.ledger import MemoryLedger
from tests.support.memory.revisions import MemoryRevisions

THREAD = ThreadRef("wall", "general", "1")


def _nothing(card: Card) -> None:
    pass


class Wall:
    """A `ChatPlatform` that `FindsPosted`. `trouble` and `after` get a card before and after it is posted."""

    name = "wall"

    def __init__(self) -> None:
        self.messages: dict[str, Card] = {}
        self.posts = 0
        self.trouble = self.after = _nothing

    async def post(self, thread: ThreadRef, card: Card) -> str:
        self.trouble(card)
        self.posts += 1
        message_id = f"m{self.posts}"
        self.messages[message_id] = card
        self.after(card)
        return message_id

    async def update(self, thread: ThreadRef, message_id: str, card: Card) -> None:
        self.trouble(card)
        assert message_id in self.messages
        self.messages[message_id] = card

    async def find(self, thread: ThreadRef, card: Card) -> str:
        return next((key for key, shown in self.messages.items() if shown.mark == card.mark), "")


class WaitingQueue:
    """A `JobQueue` that keeps what was enqueued, and can be down."""

    def __init__(self) -> None:
        self.run_ids: list[str] = []
        self.queues: list[str] = []
        self.down = False
        self.waiting = 0

    async def enqueue(self, run_id: str, queue: str = "pipeline") -> None:
        if self.down:
            raise QueueDown("the queue is down")
        self.run_ids.append(run_id)
        self.queues.append(queue)

    async def backlog(self, queue: str = "pipeline") -> int:
        return self.waiting


@dataclass
class World:
    queue: WaitingQueue = field(default_factory=WaitingQueue)
    wall: Wall = field(default_factory=Wall)
    kinds: Kinds = KINDS

    def __post_init__(self) -> None:
        self.now = datetime.now(UTC)
        self.ledger = MemoryLedger(lambda: self.now)
        self.outbox = MemoryOutbox(lambda: self.now)
        self.conversations = MemoryConversations(self.ledger, self.outbox)
        self.revisions = MemoryRevisions()
        self.views = Views(self.kinds, self.ledger, self.revisions)
        self.intake = Intake(self.rooms)
        self.pump = Pump(self.outbox, self.ledger, [self.wall], owner="pump-1")
        self._numbers = itertools.count(1)

    @property
    def rooms(self) -> Services:
        """As they are now: tests put others in their place."""
        return Services(self.ledger, self.conversations, self.outbox, self.queue, self.views)

    async def say(self, text: str, *, user: str = "ada", thread: ThreadRef = THREAD) -> Receipt:
        receipt = await self.intake.receive(Incoming(f"e{next(self._numbers)}", thread, user, text))
        await self.intake.settle()
        return receipt

    async def press(self, action: str, value: str, *, thread: ThreadRef = THREAD) -> Receipt:
        incoming = Incoming(f"e{next(self._numbers)}", thread, "ada", "", action, value)
        return await self.intake.receive(incoming)

    async def react(
        self, emoji: str, message_id: str, *, removed: bool = False, user: str = "ada", event: str = ""
    ) -> Receipt:
        """An emoji under a message of ours, or taken off it; the platform names no thread."""
        reaction = Reaction(emoji, message_id, removed)
        channel = ThreadRef(THREAD.platform, THREAD.channel, "")
        key = event or f"e{next(self._numbers)}"
        return await self.intake.receive(Incoming(key, channel, user, "", reaction=reaction))

    def message_of(self, mark: str) -> str:
        """The message that shows a slot."""
        return next(key for key, card in self.wall.messages.items() if card.mark == mark)

    async def shown(self) -> list[Card]:
        """The thread's messages as they stand, oldest first."""
        await self.pump.drain()
        return list(self.wall.messages.values())

    async def finish(self, run_id: str, answer: Answer, state: RunState = RunState.DONE) -> None:
        """End a run as a worker would."""
        result = ANSWER.dump_json(answer).decode()
        await self.ledger.set_state(run_id, state, result=result)
