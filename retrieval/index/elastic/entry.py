"""Reading and replacing the state of the index, safe against others who do the same."""

from elasticsearch import AsyncElasticsearch, ConflictError

from retrieval.index.elastic.queries import STATE_ID
from retrieval.index.elastic.server import Connection
from retrieval.index.elastic.state import State, state_from_source, state_to_source


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
