"""What everything that acts on a conversation works with: one value, made by the wiring."""

from dataclasses import dataclass

from agents.ports import Ledger
from bot.ports import Conversations, JobQueue, Outbox
from bot.rights import Permits, allowed
from bot.views import Views


@dataclass(frozen=True, slots=True)
class Services:
    """The runs, what is kept of threads, cards on their way, the queue, runs as people see them, and who may
    sign their sections and change the archive.
    """

    ledger: Ledger
    conversations: Conversations
    outbox: Outbox
    queue: JobQueue
    views: Views
    may_sign: Permits = allowed
    may_change: Permits = allowed
