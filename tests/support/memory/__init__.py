"""The ports of the conversation in memory."""

from tests.support.memory.conversations import MemoryConversations
from tests.support.memory.names import MemoryNames
from tests.support.memory.outbox import MemoryOutbox
from tests.support.memory.platform import MemoryPlatform, Posted

__all__ = ["MemoryConversations", "MemoryNames", "MemoryOutbox", "MemoryPlatform", "Posted"]
