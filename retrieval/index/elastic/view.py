"""A view of the whole index at one moment, read in pages while others go on writing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from elasticsearch import AsyncElasticsearch, NotFoundError

from retrieval.errors import IndexDamaged, IndexUnavailable, RetrievalError
from retrieval.index.elastic.queries import Body, arguments, entries, state_search
from retrieval.index.elastic.server import Connection
from retrieval.index.elastic.state import Hidden, State, state_from_source
from retrieval.ports import EVERYTHING
from retrieval.values import Filters

Hit = dict[str, Any]

PAGE = 1000
"""Entries read at once."""


class ViewLost(IndexUnavailable):
    """The server was started again, or the index is another now: open the next view."""


class View:
    """The index as it was when the view was opened (Elasticsearch calls it a point in time)."""

    def __init__(self, connection: Connection, view_id: str, keep_alive: str, *, patient: bool) -> None:
        self._call = connection.write if patient else connection.search
        self._pit = {"id": view_id, "keep_alive": keep_alive}

    async def state(self) -> State:
        """The state of the index at that moment."""
        return found_state(await self._search(state_search()))

    async def entries(
        self,
        kind: str,
        hidden: Hidden,
        order: tuple[str, ...],
        source: tuple[str, ...],
        *,
        filters: Filters = EVERYTHING,
        fields: tuple[str, ...] = (),
        size: int = PAGE,
    ) -> AsyncIterator[list[Hit]]:
        """Pages of the entries of a kind that pass, in an order that tells any two of them apart."""
        body = entries(kind, hidden, filters, source=source, size=size) | {"sort": list(order)}
        if fields:
            body["fields"] = list(fields)
        page = await self._search(body)
        while page:
            yield page
            if len(page) < size:
                return
            page = await self._search(body | {"search_after": page[-1]["sort"]})

    async def _search(self, body: Body) -> list[Hit]:
        async def search(client: AsyncElasticsearch) -> Any:
            return await client.search(pit=self._pit, allow_partial_search_results=False, **arguments(body))

        try:
            answer = await self._call(search, (NotFoundError,))
        except NotFoundError as error:
            said = "Elasticsearch was started again while it was read. Nothing is lost: repeat."
            raise ViewLost(said) from error
        hits: list[Hit] = answer["hits"]["hits"]
        return hits


def found_state(hits: list[Hit]) -> State:
    """The state of the index, from the hits of `state_search`. Raises `IndexDamaged` if it is not there."""
    if not hits:
        raise IndexDamaged("The index has lost its state. Restore a snapshot, or ingest into a new one.")
    return state_from_source(hits[0]["_source"])


@asynccontextmanager
async def opened(
    connection: Connection, alias: str, keep_alive: str = "5m", *, patient: bool = False
) -> AsyncIterator[View]:
    """A view of the index as it is now.

    `keep_alive` is the longest time between two pages; a `patient` reader waits as long as a writer does.
    """
    found = await connection.search(
        lambda client: client.open_point_in_time(index=alias, keep_alive=keep_alive)
    )
    try:
        yield View(connection, found["id"], keep_alive, patient=patient)
    finally:
        with suppress(RetrievalError):  # it ends by itself
            await connection.search(
                lambda client: client.options(ignore_status=404).close_point_in_time(id=found["id"])
            )
