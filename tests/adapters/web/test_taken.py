"""A document that is taken out on the page, and put back."""

from typing import Any

from httpx import ASGITransport, AsyncClient
from starlette.applications import Starlette

from adapters.web.documents import documents_routes
from retrieval.errors import IndexBusy


class Archive:
    """Index and files of an archive of one document, in which another process writes for a while."""

    def __init__(self) -> None:
        self.there, self.busy = True, True

    async def stored(self, doc_id: str) -> str:
        return f"{doc_id} with its chunks"

    async def records(self) -> list[Any]:
        return ["D"] * self.there

    async def molecules(self) -> list[Any]:
        return []

    async def remove(self, doc_id: str, by: str) -> bool:
        assert by == "web:you"
        self.there = False
        return True

    async def put_back(self, taken: str, by: str) -> None:
        if self.busy:
            raise IndexBusy("Another process is writing. Try again.")
        assert taken == "D with its chunks"
        self.there = True


async def test_what_cannot_be_put_back_now_can_be_later() -> None:
    archive: Any = Archive()
    app = Starlette(routes=documents_routes(archive, archive, archive, archive))
    async with AsyncClient(transport=ASGITransport(app), base_url="http://page") as client:
        await client.delete("/documents/D")
        refused = await client.post("/documents/D/taken")
        assert "Try again" in refused.text
        assert refused.is_error
        archive.busy = False
        assert (await client.post("/documents/D/taken")).is_success
        assert archive.there
        assert (await client.post("/documents/D/taken")).status_code == 404
