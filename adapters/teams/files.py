"""Files that people send in Teams: fetched from where Teams keeps them, read by the archive's parsers."""

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx

from adapters.attached import text_in
from adapters.uploads import stored_name
from bot.errors import BadRequest
from bot.values import Attached
from retrieval.errors import RetrievalError

if TYPE_CHECKING:  # it brings NumPy, which no bot needs
    from retrieval.ports import Parser

FETCH_S = 60.0
"""Seconds in which a file must have come."""
OF_TEAMS = (".sharepoint.com", ".sharepoint.us", ".svc.ms", ".1drv.com", ".onedrive.com")
"""Ends of the hosts that Teams keeps files at."""


class TeamsFiles:
    """`FileReader` of files in Teams: their place is the address that Teams gave out, good for some minutes.

    It needs no token, so none is sent. Teams sends a message again that was not acknowledged; who asks for a
    file that is being read waits for the same reading. `largest` is in bytes. `here` also allows files of
    this machine, as the playground has them.
    """

    def __init__(
        self, client: httpx.AsyncClient, parser: "Parser", *, largest: int, here: bool = False
    ) -> None:
        self._client = client
        self._parser = parser
        self._largest = largest
        self._here = here
        self._reading: dict[str, asyncio.Task[str]] = {}

    async def read(self, file: Attached) -> str:
        """See the port."""
        reading = self._reading.get(file.place)
        if reading is None:
            reading = self._reading[file.place] = asyncio.create_task(self._read(file))
            reading.add_done_callback(lambda _: self._reading.pop(file.place, None))
        return await asyncio.shield(reading)

    async def _read(self, file: Attached) -> str:
        if not self._of_teams(file.place):
            raise BadRequest(f"{file.name} does not lie in Teams itself. Download it, and send it as a file.")
        try:
            name = stored_name(file.name)
        except RetrievalError as error:
            raise BadRequest(str(error)) from error
        with tempfile.TemporaryDirectory(prefix="pestle-file-") as folder:
            path = Path(folder, name)
            await self._fetch(file, path)
            return await text_in(path, file.name, self._parser)

    async def _fetch(self, file: Attached, path: Path) -> None:
        """Put a file's bytes down. A redirect is not followed. Raises `BadRequest`."""
        lost = BadRequest(f"{file.name} did not come from Teams. Send it once more.")
        try:
            async with (
                asyncio.timeout(FETCH_S),
                self._client.stream("GET", file.place, follow_redirects=False) as answer,
            ):
                if answer.status_code != 200:
                    raise lost
                await self._write(file, answer, path)
        except (httpx.HTTPError, TimeoutError) as error:
            raise lost from error

    async def _write(self, file: Attached, answer: httpx.Response, path: Path) -> None:
        got = 0
        with path.open("wb") as written:
            async for piece in answer.aiter_bytes():
                got += len(piece)
                if got > self._largest:
                    raise BadRequest(
                        f"{file.name} is larger than {self._largest / 1e6:g} MB, and was not taken."
                    )
                written.write(piece)

    def _of_teams(self, address: str) -> bool:
        """Whether an address is one where Teams keeps files: of Microsoft's own hosts under TLS."""
        try:
            found = urlsplit(address)
            host, port = found.hostname or "", found.port
        except ValueError:
            return False
        if self._here and found.scheme == "http" and host in ("127.0.0.1", "localhost"):
            return True
        return found.scheme == "https" and host.endswith(OF_TEAMS) and port is None
