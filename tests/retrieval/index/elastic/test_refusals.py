"""What is wrong with a server, an index or an address is said, and said without passwords."""

from collections.abc import AsyncIterator

import pytest

from retrieval.errors import IndexDamaged, IndexUnavailable, RetrievalError
from retrieval.index.elastic import writer
from retrieval.index.elastic.queries import STATE_ID
from retrieval.index.elastic.server import Connection, Server
from tests.retrieval.contracts.test_index import ENCODER, document, store, words
from tests.support.elastic import TrialIndex


class Trial(TrialIndex):
    """An index whose server can be told something behind its back."""

    async def lose_state(self) -> None:
        await self._connection.client.delete(index=self.layout.alias, id=STATE_ID, refresh=True)

    async def vanish(self) -> None:
        await self._connection.client.indices.delete(index=f"{self.layout.alias}-v000001")


@pytest.fixture
async def index() -> AsyncIterator[Trial]:
    made = Trial(ENCODER)
    await store(made, *(document(f"D{i}", "a dose") for i in range(3)))
    yield made
    await made.close()


async def test_an_index_that_was_deleted_meanwhile_is_named(index: Trial) -> None:
    await index.vanish()
    with pytest.raises(IndexDamaged, match="no such index"):
        await words(index, "dose")


async def test_an_index_without_its_state_is_named_by_every_reader(index: Trial) -> None:
    await index.lose_state()
    for reading in (words(index, "dose"), index.records()):
        with pytest.raises(IndexDamaged, match="has lost its state"):
            await reading


async def test_a_write_that_searches_could_not_leave_out_is_refused(
    index: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def delete_all() -> None:
        async with index.write() as transaction:
            for i in range(3):
                await transaction.delete(f"D{i}")

    monkeypatch.setattr(writer, "MOST_REPLACED", 2)
    with pytest.raises(RetrievalError, match="3 documents, only 2"):
        await delete_all()
    assert await words(index, "dose") == ["D0#0", "D1#0", "D2#0"]
    await store(index, document("D3", "a dose"))


async def test_a_password_in_an_address_is_in_no_message() -> None:
    server = Server(("http://elastic:geh@im@127.0.0.1:9",), patience=0)
    connection = Connection(server)
    with pytest.raises(IndexUnavailable) as raised:
        await connection.search(lambda client: client.info())
    await connection.close()
    assert "http://127.0.0.1:9 does not answer" in str(raised.value)
    assert "im@" not in f"{raised.value} {server!r}"
