"""The write lock: a note in the state of the index, which its holder has to renew.

The state is read and replaced as a whole, safe against others who do the same.
"""

import asyncio
import logging
import os
import secrets
import socket
import time
from collections.abc import Callable

from elasticsearch import AsyncElasticsearch, ConflictError

from retrieval.errors import IndexBusy, RetrievalError
from retrieval.index.elastic.queries import STATE_ID
from retrieval.index.elastic.server import Connection
from retrieval.index.elastic.state import Holder, State, state_from_source, state_to_source

logger = logging.getLogger(__name__)

LEASE = 30.0
"""Seconds after which a writer that did not renew the lock counts as dead."""
LOOK = 0.1
"""Seconds between looks at whether the other writer has finished."""
QUIET = 3.0
"""Seconds of waiting after which the log says so."""


class Overtaken(Exception):
    """Somebody else has replaced the state since it was read."""


class StateEntry:
    """The state as it was read last, and its place in the index's history."""

    def __init__(self, connection: Connection, alias: str) -> None:
        self._connection = connection
        self._alias = alias
        self._stamp = (0, 0)

    async def read(self) -> State:
        """The state as it is now, whether searches see it already or not."""
        found = await self._connection.write(lambda client: client.get(index=self._alias, id=STATE_ID))
        self._stamp = (found["_seq_no"], found["_primary_term"])
        return state_from_source(found["_source"])

    async def replace(self, state: State, *, shown: bool = True) -> None:
        """Put `state` in the place of what was read or replaced last; if `shown`, searches see it at once.

        Raises `Overtaken` if that is no longer there.
        """
        number, term = self._stamp

        async def write(client: AsyncElasticsearch) -> None:
            answer = await client.index(
                index=self._alias,
                id=STATE_ID,
                document=state_to_source(state),
                if_seq_no=number,
                if_primary_term=term,
                refresh=shown,
                require_alias=True,
            )
            self._stamp = (answer["_seq_no"], answer["_primary_term"])

        try:
            await self._connection.write(write, (ConflictError,))
        except ConflictError as error:
            # An attempt whose answer was lost may have been the one that came before.
            if await self.read() != state:
                raise Overtaken from error
            if shown:
                await self._connection.write(lambda client: client.indices.refresh(index=self._alias))


class WriteLock:
    """Holds the index for one transaction. `state` is what it knows to be in force."""

    def __init__(self, entry: StateEntry, lease: float = LEASE) -> None:
        self.transaction = secrets.token_hex(8)
        self.state = State("")
        self._entry = entry
        self._lease = lease
        self._replacing = asyncio.Lock()
        self._renewing: asyncio.Task[None] | None = None
        self._lost = False

    async def take(self, wait_seconds: float) -> None:
        """Hold the index, and hide the transaction. Raises `IndexBusy` after `wait_seconds`."""
        began, said = time.monotonic(), False
        while not await self._taken():
            waited = time.monotonic() - began
            if waited > wait_seconds:
                raise IndexBusy(
                    f"{_who(self.state)} is writing to the index. Wait until it has finished, then try again."
                )
            if waited > QUIET and not said:
                logger.warning(
                    "%s is writing to the index. Waiting for up to %.0f s.", _who(self.state), wait_seconds
                )
                said = True
            await asyncio.sleep(LOOK)
        self._renewing = asyncio.create_task(self._renew())

    async def change(self, change: Callable[[State], State], *, shown: bool = True) -> None:
        """Put another state in force. Raises `IndexBusy` if another writer has taken over meanwhile."""
        async with self._replacing:
            self.check()
            state = change(self.state)
            try:
                await self._entry.replace(state, shown=shown)
            except Overtaken as error:
                self._lost = True
                raise self._taken_over() from error
            self.state = state

    async def still_pending(self) -> bool:
        """Whether the transaction is neither complete nor forgotten; no late commit can change that then."""
        async with self._replacing:
            self.state = await self._entry.read()
            if self.transaction not in self.state.pending:
                return False
            await self._entry.replace(self.state, shown=False)
            return True

    def check(self) -> None:
        """Raises `IndexBusy` if the index is known to be held by another writer."""
        if self._lost:
            raise self._taken_over()

    async def stop_renewing(self) -> None:
        """Renew the lock no more."""
        if self._renewing:
            self._renewing.cancel()
            await asyncio.gather(self._renewing, return_exceptions=True)
            self._renewing = None

    async def _taken(self) -> bool:
        self.state = await self._entry.read()
        now = time.time()
        if self.state.holder and self.state.holder.until > now:
            return False
        owner = f"{socket.gethostname()} (process {os.getpid()})"
        state = self.state.begun(Holder(self.transaction, owner, now + self._lease), now)
        try:
            await self._entry.replace(state)
        except Overtaken:
            return False
        self.state = state
        return True

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(self._lease / 3)
            try:
                await self.change(lambda state: state.renewed(time.time() + self._lease), shown=False)
            except IndexBusy:
                return
            except RetrievalError as error:
                # The transaction itself will say so; what counts is who holds the index at the commit.
                logger.debug("not renewed: %s", error)

    def _taken_over(self) -> IndexBusy:
        return IndexBusy(
            "Another process has taken over the index, since this one gave no sign for too long. Nothing of "
            "this write is kept; repeat it."
        )


def _who(state: State) -> str:
    return state.holder.owner if state.holder else "Another process"
