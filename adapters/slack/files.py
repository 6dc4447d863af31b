"""Files that people post in Slack: fetched with the bot's token, read by the archive's parsers."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from aiohttp import ClientError, ClientResponse, ClientSession, ClientTimeout
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.attached import text_in
from adapters.uploads import stored_name
from bot.errors import BadRequest
from bot.values import Attached
from retrieval.errors import RetrievalError

if TYPE_CHECKING:  # it brings NumPy, which no bot needs
    from retrieval.ports import Parser

FETCH_S = 60.0
"""Seconds in which a file must have come."""
PIECE = 1 << 16
NO_RIGHT = "Slack does not hand out {}: the app needs the scope files:read."


class SlackFiles:
    """`FileReader` of files in Slack: their place is the id that Slack gave them.

    Slack sends a message again that was not acknowledged within three seconds; who asks for a file that is
    being read waits for the same reading. `largest` is in bytes.
    """

    def __init__(self, client: AsyncWebClient, parser: "Parser", *, largest: int) -> None:
        self._client = client
        self._parser = parser
        self._largest = largest
        self._reading: dict[str, asyncio.Task[str]] = {}

    async def read(self, file: Attached) -> str:
        """See the port."""
        reading = self._reading.get(file.place)
        if reading is None:
            reading = self._reading[file.place] = asyncio.create_task(self._read(file))
            reading.add_done_callback(lambda _: self._reading.pop(file.place, None))
        return await asyncio.shield(reading)

    async def _read(self, file: Attached) -> str:
        address = self._address(file, await self._known(file))
        try:
            name = stored_name(file.name)
        except RetrievalError as error:
            raise BadRequest(str(error)) from error
        with tempfile.TemporaryDirectory(prefix="pestle-file-") as folder:
            path = Path(folder, name)
            await self._fetch(file, address, path)
            return await text_in(path, file.name, self._parser)

    async def _known(self, file: Attached) -> dict[str, Any]:
        """What Slack knows of a file. Raises `BadRequest`."""
        try:
            answer = await self._client.api_call("files.info", data={"file": file.place})
        except SlackApiError as error:
            if error.response.get("error") == "missing_scope":
                raise BadRequest(NO_RIGHT.format(file.name)) from error
            raise BadRequest(f"Slack does not hand out {file.name}. Send it once more.") from error
        known = answer.get("file")
        return known if isinstance(known, dict) else {}

    def _address(self, file: Attached, known: dict[str, Any]) -> str:
        """Where a file's bytes are. The token goes to Slack only: a file that lies elsewhere is not fetched.

        Raises `BadRequest`.
        """
        size, address = known.get("size"), known.get("url_private_download")
        if isinstance(size, int) and size > self._largest:
            raise BadRequest(self._too_large(file))
        if isinstance(address, str) and _of_slack(address, self._client.base_url):
            return address
        raise BadRequest(f"{file.name} does not lie in Slack itself. Download it, and send it as a file.")

    async def _fetch(self, file: Attached, address: str, path: Path) -> None:
        """Put a file's bytes down. Raises `BadRequest`."""
        try:
            async with _opened(address, self._client.token) as response:
                if response.status != 200:
                    raise BadRequest(NO_RIGHT.format(file.name))
                await self._write(file, response, path)
        except (ClientError, TimeoutError) as error:
            raise BadRequest(f"{file.name} did not come from Slack. Send it once more.") from error

    async def _write(self, file: Attached, response: ClientResponse, path: Path) -> None:
        got = 0
        with path.open("wb") as written:
            async for piece in response.content.iter_chunked(PIECE):
                got += len(piece)
                if got > self._largest:
                    raise BadRequest(self._too_large(file))
                written.write(piece)

    def _too_large(self, file: Attached) -> str:
        return f"{file.name} is larger than {self._largest / 1e6:g} MB, and was not taken."


@asynccontextmanager
async def _opened(address: str, token: str | None) -> AsyncIterator[ClientResponse]:
    """The reply to a request with the bot's token. A redirect, as to a log-in, is not followed."""
    head = {"Authorization": f"Bearer {token}"}
    async with (
        ClientSession(timeout=ClientTimeout(total=FETCH_S)) as session,
        session.get(address, headers=head, allow_redirects=False) as response,
    ):
        yield response


def _of_slack(address: str, base_url: str) -> bool:
    """Whether an address is Slack's: of the Web API's own host, or of one of slack.com under TLS."""
    try:
        found, own = urlsplit(address), urlsplit(base_url)
        host = found.hostname or ""
    except ValueError:
        return False
    if (found.scheme, found.netloc) == (own.scheme, own.netloc):
        return True
    return found.scheme == "https" and host.endswith(".slack.com") and found.port is None
