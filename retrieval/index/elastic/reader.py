"""Searches that show one complete state of the index, whatever is written meanwhile."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from retrieval.errors import EncoderMismatch, IndexBusy
from retrieval.index.elastic.faults import refusal
from retrieval.index.elastic.prepare import Layout, prepare
from retrieval.index.elastic.queries import Body, state_search
from retrieval.index.elastic.server import Connection
from retrieval.index.elastic.state import Hidden, State
from retrieval.index.elastic.view import Hit, ViewLost, found_state, opened
from retrieval.ports import EVERYTHING, Encoder
from retrieval.values import Filters

Answer = dict[str, Any]

ATTEMPTS = 50
"""Attempts at a search while the index changes during each of them."""
REMEMBERED = 100_000
"""Entries in all lists that are remembered; a list that is longer is read each time."""
VIEWS = 3
"""Attempts to read everything, when the server is started again meanwhile."""


class IndexReader:
    """Asks the index behind an alias, which is prepared when it is first asked."""

    def __init__(self, connection: Connection, layout: Layout, encoder: Encoder) -> None:
        self._connection = connection
        self._layout = layout
        self._encoder = encoder
        self._preparing = asyncio.Lock()
        self._prepared = False
        self._seen = State(encoder.name)
        self._kept: dict[tuple[str, Filters], tuple[str, list[dict[str, Any]]]] = {}

    async def prepare(self) -> None:
        """Make the index if there is none, or check it; once."""
        async with self._preparing:
            if not self._prepared:
                await prepare(self._connection, self._layout, self._encoder)
                self._prepared = True

    def forget(self) -> None:
        """Prepare again when next asked: the index was deleted."""
        self._prepared, self._seen = False, State(self._encoder.name)

    async def search(self, build: Callable[[Hidden], Sequence[Body | None]]) -> list[list[Hit]]:
        """The hits of each search that is built, on one state of the index; none for None.

        The state is asked for last, in the same request: if it is the one that the searches were built
        with, nothing has changed while they ran.
        """
        await self.prepare()
        for _ in range(ATTEMPTS):
            seen = self._seen
            bodies = build(seen.hidden)
            asked = [body for body in bodies if body is not None]
            *answers, last = await self._connection.msearch(self._layout.alias, [*asked, state_search()])
            if self._noted(found_state(self._hits(last))).mark == seen.mark:
                hits = iter(self._hits(answer) for answer in answers)
                return [next(hits) if body is not None else [] for body in bodies]
        raise IndexBusy("The index changes faster than it can be searched. Wait a moment, then try again.")

    async def every(
        self, kind: str, order: str, part: str, filters: Filters = EVERYTHING
    ) -> list[dict[str, Any]]:
        """A part of every entry of a kind that passes, in order, on one state of the index.

        It is remembered, and given again as long as the index has not changed; do not change it.
        """
        await self.prepare()
        mark, kept = self._kept.get((kind, filters), ("", []))
        if mark and mark == (await self._state()).mark:
            return kept
        state, hits = await self._all(kind, order, (part,), filters)
        found = [hit["_source"] for hit in hits]
        self._remember((kind, filters), state.mark, found)
        return found

    async def whole(
        self, kind: str, order: str, parts: tuple[str, ...], filters: Filters, fields: tuple[str, ...] = ()
    ) -> list[Hit]:
        """Every entry of a kind that passes, in order, with these parts and fields; nothing is remembered."""
        await self.prepare()
        return (await self._all(kind, order, parts, filters, fields))[1]

    async def mark(self) -> str:
        """The mark of the state of the index now."""
        await self.prepare()
        return (await self._state()).mark

    async def _all(
        self, kind: str, order: str, parts: tuple[str, ...], filters: Filters, fields: tuple[str, ...] = ()
    ) -> tuple[State, list[Hit]]:
        for _ in range(VIEWS):
            with suppress(ViewLost):
                async with opened(self._connection, self._layout.alias) as view:
                    state = self._noted(await view.state())
                    pages = view.entries(kind, state.hidden, (order,), parts, filters=filters, fields=fields)
                    return state, [hit async for page in pages for hit in page]
        raise IndexBusy("The index is replaced again and again. Wait a moment, then try again.")

    def _remember(self, conditions: tuple[str, Filters], mark: str, found: list[dict[str, Any]]) -> None:
        """Keep a list beside those of the same state of the index, as far as there is room."""
        if len(found) > REMEMBERED:
            return
        self._kept = {name: kept for name, kept in self._kept.items() if kept[0] == mark}
        if sum(len(kept) for _, kept in self._kept.values()) + len(found) > REMEMBERED:
            self._kept.clear()
        self._kept[conditions] = (mark, found)

    async def _state(self) -> State:
        (answer,) = await self._connection.msearch(self._layout.alias, [state_search()])
        return self._noted(found_state(self._hits(answer)))

    def _noted(self, state: State) -> State:
        """The state that a search found; it is taken note of. Raises `EncoderMismatch`."""
        self._seen = state
        if state.encoder != self._encoder.name:
            raise EncoderMismatch(
                f"The index {self._layout.alias} has vectors of {state.encoder} now, but "
                f"{self._encoder.name} is set. Set that encoder and start again."
            )
        return state

    def _hits(self, answer: Answer) -> list[Hit]:
        if "error" in answer:
            raise refusal(self._connection.place, answer["status"], str(answer["error"]))
        hits: list[Hit] = answer["hits"]["hits"]
        return hits
