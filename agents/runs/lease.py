"""The lease of a run, renewed while its work goes on; whoever loses it is cancelled.

A lease protects a run from workers on other machines. Between processes of one machine a lock that the
operating system frees at a process's death is surer: however long a live process is starved of processor
time, nobody here takes its runs.
"""

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
    nullcontext,
)
from dataclasses import dataclass
from typing import Protocol

from agents.errors import LeaseLost
from agents.runs.records import Lease

logger = logging.getLogger(__name__)

RENEWALS = 3
"""Attempts to renew within the life of a lease."""

Locks = Callable[[str], AbstractContextManager[bool]]
"""Holds a run for one process of this machine during a block, which gets False where another one holds it."""


def no_locks(run_id: str) -> AbstractContextManager[bool]:
    """Leases alone decide: for runs that one process knows."""
    return nullcontext(True)


class Leases(Protocol):
    """The part of `agents.ports.Ledger` that renews leases."""

    async def acquire(self, run_id: str, owner: str, seconds: float) -> Lease | None:
        """See `agents.ports.Ledger`."""


@dataclass(slots=True)
class _Renewal:
    """A lease being renewed. `until` is in seconds of `time.monotonic`."""

    run_id: str
    owner: str
    seconds: float
    until: float
    taken: bool = False

    async def beat(self, leases: Leases) -> None:
        """Renew the lease again and again, until another owner has it."""
        while not self.taken:
            await asyncio.sleep(self.seconds / RENEWALS)
            await self.renew(leases)

    async def renew(self, leases: Leases) -> None:
        """Renew the lease once, and note how it stands."""
        asked = time.monotonic()
        try:
            lease = await leases.acquire(self.run_id, self.owner, self.seconds)
        except Exception as error:
            logger.warning("the lease of run %s was not renewed: %s", self.run_id, error)
            return
        self.taken = lease is None
        if lease:  # it is ours even if writing it took longer than it lasts: that holds until the next beat
            self.until = max(asked + self.seconds, time.monotonic() + self.seconds / RENEWALS)

    async def watch(self, leases: Leases, end: asyncio.Timeout) -> None:
        """End the work when the lease is lost.

        A process that was starved for longer than its lease asks once more: nobody may have taken the run.
        """
        while not self.taken:
            await asyncio.sleep(min(self.seconds / RENEWALS, max(self.until - time.monotonic(), 0.0)))
            if time.monotonic() >= self.until:
                await self.renew(leases)
                if time.monotonic() >= self.until:
                    break
        end.reschedule(asyncio.get_running_loop().time())


class Heartbeat:
    """Renews leases on a thread of its own, so that work which blocks the event loop loses none.

    `connect` opens the ledger for that thread, when the first lease is to be renewed.
    """

    def __init__(self, connect: Callable[[], AbstractAsyncContextManager[Leases]]) -> None:
        self._connect = connect
        self._opened = AsyncExitStack()
        self._leases: Leases | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._beating = set[asyncio.Task[None]]()

    @contextmanager
    def renewing(self, renewal: _Renewal) -> Iterator[None]:
        """Renew a lease while the block runs."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._live, args=[self._loop], daemon=True)
            self._thread.start()
        beating = asyncio.run_coroutine_threadsafe(self._beat(renewal), self._loop)
        try:
            yield
        finally:
            beating.cancel()

    async def close(self) -> None:
        """Close the ledger and end the thread, once no lease is renewed any more."""
        if self._loop and self._thread:
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._end(), self._loop))
            self._loop.call_soon_threadsafe(self._loop.stop)
            await asyncio.to_thread(self._thread.join)

    @staticmethod
    def _live(loop: asyncio.AbstractEventLoop) -> None:
        loop.run_forever()
        loop.close()

    async def _beat(self, renewal: _Renewal) -> None:
        if self._leases is None:
            self._leases = await self._opened.enter_async_context(self._connect())
        beating = asyncio.create_task(renewal.beat(self._leases))
        self._beating.add(beating)
        beating.add_done_callback(self._beating.discard)
        await beating

    async def _end(self) -> None:
        if self._beating:
            await asyncio.wait(self._beating)
        await self._opened.aclose()


@asynccontextmanager
async def holding(
    leases: Leases, run_id: str, owner: str, seconds: float, heartbeat: Heartbeat | None = None
) -> AsyncIterator[Callable[[], bool]]:
    """Keep a lease that was acquired, for as long as the block runs; yields whether it was lost.

    Without a `heartbeat` it is renewed on this event loop. The block is cancelled when another owner has the
    lease, or when it ran out and cannot be renewed. Raises `LeaseLost` then.
    """
    end = asyncio.timeout(None)
    renewal = _Renewal(run_id, owner, seconds, time.monotonic() + seconds)
    try:
        async with end:
            tasks = [asyncio.create_task(renewal.watch(leases, end))]
            if heartbeat is None:
                tasks.append(asyncio.create_task(renewal.beat(leases)))
            try:
                with heartbeat.renewing(renewal) if heartbeat else nullcontext():
                    yield end.expired
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.wait(tasks)
    except TimeoutError:
        if end.expired():
            raise LeaseLost(f"Another worker executes the run {run_id} now.") from None
        raise
