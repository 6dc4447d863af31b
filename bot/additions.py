"""Files that people of a conversation add to the archive: told while it goes on, kept with who and when,
taken back again.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from enum import StrEnum

from pydantic import TypeAdapter

from agents.runs.clock import stamp, utc_now
from bot.cards import notice_card
from bot.errors import BotError
from bot.ports import ArchiveKeeper, Conversations, Outbox
from bot.values import Attached, Button, Card, InArchive, ThreadRef

logger = logging.getLogger(__name__)

KEPT = "?archive"
"""Under which a thread keeps what was added to the archive in it."""
TAKE_BACK = "archive_undo"
TOLD_S = 3.0
"""How often the progress of a file is told."""
LOST = "Something went wrong on my side, and it was not added. Try once more."
STAYS = "{} was not taken out of the archive: {}"
STUCK = "something went wrong on my side. Try once more."
GONE = "{} is not in the archive any more as it was added here, so nothing was taken out."


class State(StrEnum):
    """Where a file stands."""

    ADDING = "adding"
    ADDED = "added"
    NOT_ADDED = "not added"
    """It was refused, was there before, or is there no more."""
    TAKING_BACK = "taking back"
    TAKEN_BACK = "taken back"


IN_HAND = (State.ADDING, State.ADDED, State.TAKING_BACK)
"""States in which nothing else is begun with a file."""


@dataclass(frozen=True, slots=True)
class Addition:
    """A file that somebody had added. `slot` is that of its card; times are ISO 8601, UTC.

    `document` is what it became. `told` says what became of it. `undone_by` took it out again.
    """

    slot: str
    file: Attached
    by: str
    at: str
    state: State = State.ADDING
    document: InArchive | None = None
    told: str = ""
    undone_by: str = ""
    undone_at: str = ""


_ADDITIONS = TypeAdapter(tuple[Addition, ...])


class Additions:
    """Adds files through a keeper of the archive. What a process dies over, `resume` goes on with."""

    def __init__(self, conversations: Conversations, outbox: Outbox, keeper: ArchiveKeeper) -> None:
        self._conversations = conversations
        self._outbox = outbox
        self._keeper = keeper
        self._writing = asyncio.Lock()
        self._going: set[asyncio.Task[None]] = set()

    async def begin(self, thread: ThreadRef, slot: str, file: Attached, by: str) -> None:
        """Begin to add a file; its card in `slot` tells how it goes. One that is being added goes on."""
        async with self._writing:
            known = await self._find(thread, slot)
            if known is not None and known.state in IN_HAND:
                return
            begun = Addition(slot, file, by, stamp(utc_now()))
            await self._write(thread, begun)
        self._start(self._add(thread, begun))

    async def take_back(self, thread: ThreadRef, slot: str, by: str) -> None:
        """Begin to take a file that was added here out of the archive again; its card tells what became of
        it.
        """
        async with self._writing:
            known = await self._find(thread, slot)
            if known is None or known.state is not State.ADDED:
                return
            now = stamp(utc_now())
            begun = replace(known, state=State.TAKING_BACK, undone_by=by, undone_at=now)
            await self._write(thread, begun)
        self._start(self._remove(thread, begun))

    async def resume(self, platform: str) -> None:
        """Go on with what a process began on this platform and did not end."""
        for thread_id, kept in (await self._conversations.remembered_as(KEPT)).items():
            thread = ThreadRef.parse(thread_id)
            for one in _ADDITIONS.validate_json(kept):
                if thread.platform != platform:
                    continue
                if one.state is State.ADDING:
                    self._start(self._add(thread, one, again=True))
                elif one.state is State.TAKING_BACK:
                    self._start(self._remove(thread, one))

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

    async def left_out(self, thread: ThreadRef, slot: str, name: str) -> None:
        """Tell that a file was left out, unless it was chosen meanwhile to add it."""
        async with self._writing:
            if await self._find(thread, slot) is None:
                await self._outbox.put(thread, slot, left_out_card(name))

    async def settle(self) -> None:
        """Wait for all files that are being added or taken out."""
        while self._going:
            await asyncio.gather(*self._going, return_exceptions=True)

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._going.add(task)
        task.add_done_callback(self._going.discard)

    async def _add(self, thread: ThreadRef, begun: Addition, *, again: bool = False) -> None:
        progress = [""]
        telling = asyncio.create_task(self._tell(thread, begun, progress))
        try:
            added = await self._keeper.add(
                begun.file, f"{thread.platform}:{begun.by}", progress.append, again=again
            )
            state = State.ADDED if added.document else State.NOT_ADDED
            ended = replace(begun, state=state, document=added.document, told=added.told)
        except BotError as error:
            ended = replace(begun, state=State.NOT_ADDED, told=str(error))
        except Exception:
            logger.exception("%s was not added to the archive", begun.file.name)
            ended = replace(begun, state=State.NOT_ADDED, told=LOST)
        finally:
            telling.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await telling
        file = replace(begun.file, place="")  # with Teams who has it can fetch the file
        async with self._writing:
            await self._write(thread, replace(ended, file=file))

    async def _remove(self, thread: ThreadRef, begun: Addition) -> None:
        """Take a file out of the archive. Where that fails it stays added, and can be tried again."""
        name = begun.file.name
        try:
            removed = begun.document is not None and await self._keeper.remove(
                begun.document, f"{thread.platform}:{begun.undone_by}"
            )
            gone = replace(begun, state=State.NOT_ADDED, told=GONE.format(name))
            ended = replace(begun, state=State.TAKEN_BACK) if removed else gone
        except BotError as error:
            ended = replace(begun, state=State.ADDED, told=STAYS.format(name, error))
        except Exception:
            logger.exception("%s was not taken out of the archive", name)
            ended = replace(begun, state=State.ADDED, told=STAYS.format(name, STUCK))
        async with self._writing:
            await self._write(thread, ended)

    async def _tell(self, thread: ThreadRef, begun: Addition, progress: Sequence[str]) -> None:
        """Tell in the card what is being done, as often as it changes within `TOLD_S`. What cannot be told is
        no reason for the file not to come in.
        """
        told = ""
        while True:
            await asyncio.sleep(TOLD_S)
            if progress[-1] != told:
                told = progress[-1]
                try:
                    await self._outbox.put(thread, begun.slot, addition_card(begun, told))
                except Exception:
                    logger.exception("how far %s is could not be told", begun.file.name)

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


def addition_card(one: Addition, now: str = "") -> Card:
    """Where a file stands, with a button that takes it out again. `now` is what is being done with it."""
    who = f"Asked for by {one.by}, {_minute(one.at)}."
    if one.state is State.ADDING:
        doing = f": {now}" if now else "."
        return notice_card(f"{one.file.name} is being added to the archive{doing}\n\n{who}")
    if one.state is State.TAKING_BACK:
        return notice_card(f"{one.file.name} is being taken out of the archive again.\n\n{who}")
    if one.state is State.TAKEN_BACK:
        when = _minute(one.undone_at)
        return notice_card(f"{one.file.name} was taken out of the archive again by {one.undone_by}, {when}.")
    undo = Button("Take it out again", TAKE_BACK, one.slot)
    return notice_card(f"{one.told}\n\n{who}", buttons=(undo,) if one.state is State.ADDED else ())


def left_out_card(name: str) -> Card:
    """That a file was left out."""
    return notice_card(f"{name} was left out.")


def _minute(at: str) -> str:
    return f"{at[:16].replace('T', ' ')} UTC"
