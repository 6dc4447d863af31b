"""Files that people send in Teams: fetched from where Teams keeps them, read by the archive's parsers."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx

from adapters.attached import FetchedFiles
from bot.errors import BadRequest
from bot.values import Attached

if TYPE_CHECKING:  # it brings NumPy, which no bot needs
    from retrieval.ports import Parser

FETCH_S = 60.0
"""Seconds in which a file must have come."""
OF_TEAMS = (".sharepoint.com", ".sharepoint.us", ".svc.ms", ".1drv.com", ".onedrive.com")
"""Ends of the hosts that Teams keeps files at."""


class TeamsFiles(FetchedFiles):
    """`FileReader` of files in Teams: their place is the address that Teams gave out, good for some minutes.

    It needs no token, so none is sent. `here` also allows files of this machine, as the playground has them.
    """

    def __init__(
        self, client: httpx.AsyncClient, parser: "Parser", *, largest: int, here: bool = False
    ) -> None:
        super().__init__(parser, largest)
        self._client = client
        self._here = here

    async def _address(self, file: Attached) -> str:
        if not of_teams(file.place, here=self._here):
            raise BadRequest(f"{file.name} does not lie in Teams itself. Download it, and send it as a file.")
        return file.place

    async def _pieces(self, file: Attached, address: str) -> AsyncGenerator[bytes]:
        lost = BadRequest(f"{file.name} did not come from Teams. Send it once more.")
        try:
            async with (
                asyncio.timeout(FETCH_S),
                self._client.stream("GET", address, follow_redirects=False) as answer,
            ):
                if answer.status_code != 200:
                    raise lost
                async for piece in answer.aiter_bytes():
                    yield piece
        except (httpx.HTTPError, TimeoutError) as error:
            raise lost from error


class AddressesHidden(logging.Filter):
    """Takes where Teams keeps files out of the log lines of the HTTP client: it is all that opens one."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every line by, of such addresses with the host alone."""
        if isinstance(record.args, tuple):
            record.args = tuple(
                f"https://{urlsplit(str(one)).hostname}/…" if of_teams(str(one)) else one
                for one in record.args
            )
        return True


def of_teams(address: str, *, here: bool = False) -> bool:
    """Whether an address is one where Teams keeps files: of Microsoft's own hosts under TLS. `here` also
    allows this machine.
    """
    try:
        found = urlsplit(address)
        host, port = found.hostname or "", found.port
    except ValueError:
        return False
    if here and found.scheme == "http" and host in ("127.0.0.1", "localhost"):
        return True
    return found.scheme == "https" and host.endswith(OF_TEAMS) and port is None
