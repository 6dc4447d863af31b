"""Files that people post in Slack: fetched with the bot's token, read by the archive's parsers."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from aiohttp import ClientError, ClientResponse, ClientSession, ClientTimeout
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.attached import FetchedFiles
from bot.errors import BadRequest
from bot.values import Attached

if TYPE_CHECKING:  # it brings NumPy, which no bot needs
    from retrieval.ports import Parser

FETCH_S = 60.0
"""Seconds in which a file must have come."""
PIECE = 1 << 16
NO_RIGHT = "Slack does not hand out {}: the app needs the scope files:read."


class SlackFiles(FetchedFiles):
    """`FileReader` of files in Slack: their place is the id that Slack gave them."""

    def __init__(self, client: AsyncWebClient, parser: "Parser", *, largest: int) -> None:
        super().__init__(parser, largest)
        self._client = client

    async def _address(self, file: Attached) -> str:
        """The token goes to Slack only: a file that lies elsewhere is not fetched."""
        known = await self._known(file)
        size, address = known.get("size"), known.get("url_private_download")
        if isinstance(size, int):
            self._check_size(file, size)
        if isinstance(address, str) and _of_slack(address, self._client.base_url):
            return address
        raise BadRequest(f"{file.name} does not lie in Slack itself. Download it, and send it as a file.")

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

    async def _pieces(self, file: Attached, address: str) -> AsyncGenerator[bytes]:
        try:
            async with _opened(address, self._client.token) as response:
                if response.status != 200:
                    raise BadRequest(NO_RIGHT.format(file.name))
                async for piece in response.content.iter_chunked(PIECE):
                    yield piece
        except (ClientError, TimeoutError) as error:
            raise BadRequest(f"{file.name} did not come from Slack. Send it once more.") from error


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
