"""Where conversations are: the house's threads and those of Teams, and where the bot writes to them.

Teams tells with every activity at which address the bot answers (its conversation reference). That is kept
with the conversation, so that a card can be shown after a restart, or when nobody has asked.
"""

import json
from dataclasses import asdict, dataclass, replace

from bot.ports import Conversations
from bot.values import ThreadRef

PLATFORM = "teams"
KEPT = "teams.reference"
"""Under which a conversation keeps its reference."""
PERSONAL, CHANNEL = "personal", "channel"
FLAT = "chat"
"""The thread of a chat with one person or a group: there all messages follow one another."""
_ROOT = ";messageid="


@dataclass(frozen=True, slots=True)
class Reference:
    """How the bot writes to a conversation: the address of the service, and as whom.

    `kind` is Teams' name for what the conversation is: "personal", "groupChat" or "channel".
    """

    service_url: str
    bot: str
    kind: str = ""

    @property
    def personal(self) -> bool:
        """Whether it is a chat of one person with the bot alone."""
        return self.kind == PERSONAL


def thread_of(conversation_id: str, *, channel: bool, message_id: str = "") -> ThreadRef:
    """The thread of an activity's conversation. `message_id` begins one in a channel."""
    place, _, root = conversation_id.partition(_ROOT)
    return ThreadRef(PLATFORM, place, (root or message_id) if channel else FLAT)


def conversation_of(thread: ThreadRef) -> str:
    """The conversation of a thread. Without a thread it is the channel: what is sent there begins one."""
    if thread.thread in ("", FLAT):
        return thread.channel
    return f"{thread.channel}{_ROOT}{thread.thread}"


class Places:
    """The references of all conversations that the bot was spoken to in."""

    def __init__(self, conversations: Conversations) -> None:
        self._conversations = conversations
        self._known: dict[str, Reference] = {}

    async def keep(self, thread: ThreadRef, reference: Reference) -> None:
        """Remember how to write to a conversation; written where it changed. Not every activity names the
        kind of its conversation, which never changes.
        """
        known = await self.find(thread)
        if known and not reference.kind:
            reference = replace(reference, kind=known.kind)
        if known == reference:
            return
        await self._conversations.remember(_all_of(thread), KEPT, json.dumps(asdict(reference)))
        self._known[thread.channel] = reference

    async def find(self, thread: ThreadRef) -> Reference | None:
        """How to write to a thread; None where nobody of this place ever wrote to the bot."""
        if thread.channel not in self._known:
            kept = (await self._conversations.remembered(_all_of(thread))).get(KEPT)
            if not kept:
                return None
            self._known[thread.channel] = Reference(**json.loads(kept))
        return self._known[thread.channel]


def _all_of(thread: ThreadRef) -> ThreadRef:
    """A channel as a whole: its threads are written to at the same address."""
    return ThreadRef(PLATFORM, thread.channel, "")
