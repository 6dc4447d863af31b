"""Files that people of a conversation add to the archive: told while it goes on, kept with who and when,
taken back again.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from enum import StrEnum

from pydantic import TypeAdapter

from agents.runs.clock import Clock, stamp, utc_now
from bot.cards import notice_card
from bot.errors import BotError
from bot.ports import ArchiveKeeper, Conversations, Outbox
from bot.values import Attached, Button, Card, ThreadRef

logger = logging.getLogger(__name__)

KEPT = "?archive"
"""Under which a thread keeps what was added to the archive in it."""
TAKE_BACK = "archive_undo"
TOLD_S = 3.0
"""How often the progress of a file is told."""
LOST = "Something went wrong on my side, and it was not added. Try once more."


class State(StrEnum):
    """Where a file stands."""

    ADDING = "adding"
    ADDED = "added"
    NOT_ADDED = "not added"
    """It was refused, or was there before."""
    TAKEN_BACK = "taken back"


@dataclass(frozen=True, slots=True)
class Addition:
    """A file that somebody had added. `slot` is that of its card; times are ISO 8601, UTC.

    `told` says what became of it. `undone_by` took it out again.
    """

    slot: str
    file: Attached
    by: str
    at: str
    state: State = State.ADDING
    doc_id: str = ""
    told: str = ""
    undone_by: str = ""
    undone_at: str = ""


_ADDITIONS = TypeAdapter(tuple[Addition, ...])


class Additions:
    """Adds files through a keeper of the archive. What a process dies over, `resume` goes on with."""

    def __init__(
        self, conversations: Conversations, outbox: Outbox, keeper: ArchiveKeeper, clock: Clock = utc_now
    ) -> None:
        self._conversations = conversations
        self._outbox = outbox
        self._keeper = keeper
        self._clock = clock
        self._writing = asyncio.Lock()
        self._going: set[asyncio.Task[None]] = set()

    async def begin(self, thread: ThreadRef, slot: str, file: Attached, by: str) -> None:
        """Begin to add a file; its card in `slot` tells how it goes. One that is being added goes on."""
        async with self._writing:
            known = await self._find(thread, slot)
            if known is not None and known.state in (State.ADDING, State.ADDED):
                return
            begun = Addition(slot, file, by, stamp(self._clock()))
            await self._write(thread, begun)
        self._start(thread, begun)

    async def take_back(self, thread: ThreadRef, slot: str, by: str) -> None:
        """Take a file that was added here out of the archive again."""
        async with self._writing:
            known = await self._find(thread, slot)
            if known is None or known.state is not State.ADDED:
                return
            await self._keeper.remove(known.doc_id)
            now = stamp(self._clock())
            undone = replace(known, state=State.TAKEN_BACK, undone_by=by, undone_at=now)
            await self._write(thread, undone)

    async def resume(self, platform: str) -> None:
        """Go on with what a process began on this platform and did not end."""
        for thread_id, kept in (await self._conversations.remembered_as(KEPT)).items():
            thread = ThreadRef.parse(thread_id)
            for one in _ADDITIONS.validate_json(kept):
                if thread.platform == platform and one.state is State.ADDING:
                    self._start(thread, one)

    @asynccontextmanager
    async def going(self, platform: str) -> AsyncIterator[None]:
        """Go on with what is left of a platform, and leave off at the end of the context."""
        await self.resume(platform)
        try:
            yield
        finally:
            for task in self._going:
                task.cancel()
            await self.settle()

    async def settle(self) -> None:
        """Wait for all files that are being added."""
        while self._going:
            await asyncio.gather(*self._going, return_exceptions=True)

    def _start(self, thread: ThreadRef, begun: Addition) -> None:
        task = asyncio.create_task(self._add(thread, begun))
        self._going.add(task)
        task.add_done_callback(self._going.discard)

    async def _add(self, thread: ThreadRef, begun: Addition) -> None:
        progress = _Progress()
        telling = asyncio.create_task(self._tell(thread, begun, progress))
        try:
            added = await self._keeper.add(begun.file, progress.say)
            state = State.ADDED if added.doc_id else State.NOT_ADDED
            ended = replace(begun, state=state, doc_id=added.doc_id, told=added.told)
        except BotError as error:
            ended = replace(begun, state=State.NOT_ADDED, told=str(error))
        except Exception:
            logger.exception("%s was not added to the archive", begun.file.name)
            ended = replace(begun, state=State.NOT_ADDED, told=LOST)
        finally:
            telling.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await telling
        async with self._writing:
            await self._write(thread, ended)

    async def _tell(self, thread: ThreadRef, begun: Addition, progress: "_Progress") -> None:
        """Tell in the card what is being done, as often as it changes within `TOLD_S`."""
        told = ""
        while True:
            await asyncio.sleep(TOLD_S)
            if progress.now != told:
                told = progress.now
                await self._outbox.put(thread, begun.slot, addition_card(begun, told))

    async def _find(self, thread: ThreadRef, slot: str) -> Addition | None:
        return next((one for one in await self._all(thread) if one.slot == slot), None)

    async def _all(self, thread: ThreadRef) -> tuple[Addition, ...]:
        kept = (await self._conversations.remembered(thread)).get(KEPT)
        return _ADDITIONS.validate_json(kept) if kept else ()

    async def _write(self, thread: ThreadRef, one: Addition) -> None:
        """Keep where a file stands, and show it."""
        others = tuple(other for other in await self._all(thread) if other.slot != one.slot)
        text = _ADDITIONS.dump_json((*others, one)).decode()
        await self._conversations.remember(thread, KEPT, text)
        await self._outbox.put(thread, one.slot, addition_card(one))


class _Progress:
    """What is being done with a file now."""

    def __init__(self) -> None:
        self.now = ""
        self.say: Callable[[str], None] = self._say

    def _say(self, text: str) -> None:
        self.now = text


def addition_card(one: Addition, now: str = "") -> Card:
    """Where a file stands, with a button that takes it out again. `now` is what is being done with it."""
    who = f"Asked for by {one.by}, {_minute(one.at)}."
    if one.state is State.ADDING:
        doing = f": {now}" if now else "."
        return notice_card(f"{one.file.name} is being added to the archive{doing}\n\n{who}")
    if one.state is State.TAKEN_BACK:
        when = _minute(one.undone_at)
        return notice_card(f"{one.file.name} was taken out of the archive again by {one.undone_by}, {when}.")
    undo = Button("Take it out again", TAKE_BACK, one.slot)
    return notice_card(f"{one.told}\n\n{who}", buttons=(undo,) if one.state is State.ADDED else ())


def _minute(at: str) -> str:
    return f"{at[:16].replace('T', ' ')} UTC"
