"""The ports of the conversation in memory: for tests, and for a terminal session that keeps nothing."""

from bot.memory.conversations import MemoryConversations
from bot.memory.names import MemoryNames
from bot.memory.outbox import MemoryOutbox
from bot.memory.platform import MemoryPlatform, Posted

__all__ = ["MemoryConversations", "MemoryNames", "MemoryOutbox", "MemoryPlatform", "Posted"]
