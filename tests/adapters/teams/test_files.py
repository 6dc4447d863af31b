"""Files that people send: fetched from where Teams keeps them alone, within a limit, each once at a time."""

import asyncio
import logging
from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio

from adapters.logs import hide
from adapters.teams.files import AddressesHidden, TeamsFiles
from adapters.teams.inbound import Activity
from adapters.teams.incoming import from_message
from bot.errors import BadRequest
from bot.values import Attached
from tests.adapters.slack.test_files import Plain
from tests.adapters.teams.far_end import FarEnd
from tests.adapters.teams.sender import chat

TEXT = "Study 9 was stopped."


@pytest_asyncio.fixture
async def reader(end: FarEnd) -> AsyncIterator[TeamsFiles]:
    end.files["9.txt"] = TEXT.encode()
    async with httpx.AsyncClient() as client:
        yield TeamsFiles(client, Plain(), largest=1_000, here=True)


async def test_a_file_is_fetched_and_read_once_however_often_it_is_sent(
    reader: TeamsFiles, end: FarEnd
) -> None:
    file = Attached("study 9.txt", f"{end.url}/files/9.txt")
    assert await asyncio.gather(*(reader.read(file) for _ in range(3))) == [TEXT] * 3


def test_addresses_that_open_files_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    hide(AddressesHidden)
    caplog.set_level(logging.DEBUG)
    address = httpx.URL("https://contoso.sharepoint.com/a.txt?tempauth=s3cret")
    said = 'HTTP Request: %s %s "%s %d %s"'
    logging.getLogger("httpx").info(said, "GET", address, "HTTP/1.1", 200, "OK")
    logging.getLogger("httpx").info(
        said, "GET", httpx.URL("https://api.fda.gov/x?y=1"), "HTTP/1.1", 200, "OK"
    )
    assert "https://contoso.sharepoint.com/…" in caplog.text
    assert "s3cret" not in caplog.text
    assert "https://api.fda.gov/x?y=1" in caplog.text


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("/files/none.txt", "did not come from Teams"),
        ("/files/elsewhere", "did not come from Teams"),
        ("/files/large.txt", "larger than 0.001 MB"),
    ],
)
async def test_what_cannot_be_had_is_told(reader: TeamsFiles, end: FarEnd, place: str, why: str) -> None:
    end.files["large.txt"] = b"x" * 2_000
    with pytest.raises(BadRequest, match=why):
        await reader.read(Attached("a.txt", end.url + place))


@pytest.mark.parametrize(
    "address",
    [
        "http://contoso.sharepoint.com/a.txt",
        "https://evil.example/a.txt",
        "https://sharepoint.com.evil.example/a.txt",
        "https://evilsharepoint.com/a.txt",
        "https://contoso.sharepoint.com:8443/a.txt",
        "http://169.254.169.254/latest",
        "file:///etc/passwd",
        "https://[",
    ],
)
async def test_what_lies_elsewhere_is_not_fetched(address: str) -> None:
    def asked(request: httpx.Request) -> httpx.Response:
        raise AssertionError(request.url)

    async with httpx.AsyncClient(transport=httpx.MockTransport(asked)) as client:
        with pytest.raises(BadRequest, match="does not lie in Teams"):
            await TeamsFiles(client, Plain(), largest=1_000).read(Attached("a.txt", address))


def test_files_of_a_message_are_taken_and_other_attachments_left() -> None:
    download = {"downloadUrl": "https://contoso.sharepoint.com/x", "uniqueId": "1", "fileType": "txt"}
    kind = "application/vnd.microsoft.teams.file.download.info"
    activity = Activity.model_validate(
        {
            "type": "message",
            "id": "1",
            "text": "source clinical",
            "from": {"id": "u"},
            "conversation": chat(),
            "attachments": [
                {"contentType": kind, "name": "9.txt", "content": download},
                {"contentType": kind, "name": "bad.txt", "content": "nothing"},
                {"contentType": "text/html", "content": "<p>source clinical</p>"},
            ],
        }
    )
    heard = from_message(activity, "t1")
    assert heard is not None
    assert heard.incoming.files == (Attached("9.txt", "https://contoso.sharepoint.com/x"),)
