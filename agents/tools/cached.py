"""A cache of replies: the same call to the same release of a source is made once."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from agents.tools.reply import ToolReply
from agents.tools.tool import Tool, call_key


class ReplyCache:
    """Replies of this process, the least used go first. `size` counts replies, `max_age` seconds."""

    def __init__(
        self, *, max_age: float = 3600.0, size: int = 1000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._max_age = max_age
        self._size = size
        self._clock = clock
        self._kept: OrderedDict[str, tuple[float, ToolReply]] = OrderedDict()

    def get(self, key: str) -> ToolReply | None:
        """The reply, unless it is too old or was never given."""
        if (kept := self._kept.get(key)) is None:
            return None
        stored, reply = kept
        if self._clock() - stored > self._max_age:
            del self._kept[key]
            return None
        self._kept.move_to_end(key)
        return reply

    def put(self, key: str, reply: ToolReply) -> None:
        """Keep a reply."""
        self._kept[key] = (self._clock(), reply)
        self._kept.move_to_end(key)
        while len(self._kept) > self._size:
            self._kept.popitem(last=False)


def cached(tool: Tool[Any], cache: ReplyCache) -> Tool[Any]:
    """The tool, answering the same call from the cache. Errors are not kept.

    A tool that changes something is never cached: each call of it is meant.
    """
    if not tool.read_only:
        return tool

    async def work(inputs: Any) -> ToolReply:
        key = call_key(tool, inputs)
        if (known := cache.get(key)) is not None:
            return known
        reply = await tool(inputs)
        cache.put(key, reply)
        return reply

    return replace(tool, work=work)
