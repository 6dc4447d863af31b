"""Lists that a channel keeps for all its threads: wishes, disputes, pinned questions, what it watches."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import TypeAdapter

from bot.errors import BadRequest
from bot.ports import Conversations
from bot.values import ThreadRef

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class KeptList(Generic[T]):
    """The items of one sort, as `json` under `key`; at most `most`, which people know as `what`.

    Items of which `same` is equal are one. A channel's items are numbered from 1 in the order of keeping.
    """

    key: str
    json: TypeAdapter[tuple[T, ...]]
    what: str
    same: Callable[[T], object]
    most: int = 20

    def of(self, kept: Mapping[str, str]) -> tuple[T, ...]:
        """The items in what a channel keeps."""
        return self.json.validate_json(kept[self.key]) if kept.get(self.key) else ()

    async def all(self, conversations: Conversations, thread: ThreadRef) -> tuple[T, ...]:
        """The items of a thread's channel."""
        return self.of(await conversations.remembered(thread.whole_channel))

    async def add(self, conversations: Conversations, thread: ThreadRef, new: T) -> None:
        """Keep one more; what is kept already is not kept twice. Raises `BadRequest` for one too many."""
        found = await self.all(conversations, thread)
        if any(self.same(one) == self.same(new) for one in found):
            return
        if len(found) >= self.most:
            raise BadRequest(f"A channel keeps up to {self.most} {self.what}. Drop one first.")
        await self.put(conversations, thread, (*found, new))

    async def drop(self, conversations: Conversations, thread: ThreadRef, number: int) -> T:
        """Take the item of a number out. Raises `BadRequest` where there is none."""
        found = await self.all(conversations, thread)
        if not 1 <= number <= len(found):
            kept = f"this channel keeps {len(found)} {self.what}."
            raise BadRequest(f"There is no number {number} here: {kept}")
        await self.put(conversations, thread, (*found[: number - 1], *found[number:]))
        return found[number - 1]

    async def put(self, conversations: Conversations, thread: ThreadRef, items: Sequence[T]) -> None:
        """Set the items."""
        text = self.json.dump_json(tuple(items)).decode()
        await conversations.remember(thread.whole_channel, self.key, text)
