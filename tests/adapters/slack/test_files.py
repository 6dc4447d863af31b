"""Files that people post: fetched from Slack alone, within a limit, each once at a time."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from starlette.responses import JSONResponse

from adapters.slack.calls import slack_client
from adapters.slack.files import SlackFiles
from bot.errors import BadRequest
from bot.ports import FileReader
from bot.values import Attached
from retrieval.errors import UnsupportedFormat
from retrieval.values import Document, DocumentRecord
from tests.adapters.slack.far_end import TOKEN, FarEnd, far_end

FILE = Attached("study 9.txt", "F1")
TEXT = "Study 9 was stopped."


class Plain:
    """A `Parser` of plain text."""

    async def parse(self, path: Path, name: str, sha256: str) -> Document:
        if not name.endswith(".txt"):
            raise UnsupportedFormat(f"{name} is of no known format.")
        record = DocumentRecord(sha256, path=name, sha256=sha256, format="text", title=name)
        return Document(record, content_of(path))


def content_of(path: Path) -> str:
    return path.read_text()


@pytest_asyncio.fixture
async def slack() -> AsyncIterator[FarEnd]:
    async with far_end() as end:
        end.files["F1"] = (FILE.name, TEXT.encode())
        yield end


def files(slack: FarEnd, token: str = TOKEN, largest: int = 1_000) -> FileReader:
    return SlackFiles(slack_client(token, slack.url), Plain(), largest=largest)


async def test_a_file_is_fetched_with_the_token_and_read(slack: FarEnd) -> None:
    assert await files(slack).read(FILE) == TEXT


async def test_a_message_that_slack_sends_again_waits_for_the_same_reading(slack: FarEnd) -> None:
    reader = files(slack)
    assert await asyncio.gather(*(reader.read(FILE) for _ in range(3))) == [TEXT] * 3
    assert slack.fetched == ["F1"]


async def test_a_file_over_the_limit_is_not_fetched(slack: FarEnd) -> None:
    with pytest.raises(BadRequest, match="larger than"):
        await files(slack, largest=10).read(FILE)
    assert slack.fetched == []


async def test_a_file_that_is_larger_than_was_told_is_given_up(
    slack: FarEnd, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = slack.files_info({"file": "F1"})["file"] | {"size": 3}
    slack.answers.append(JSONResponse({"ok": True, "file": told}))
    with pytest.raises(BadRequest, match="larger than"):
        await files(slack, largest=10).read(FILE)


@pytest.mark.parametrize(
    "place",
    [
        "https://files.example.com/study",
        "http://files.slack.com/study",
        "https://slack.com.example.com/study",
        "https://files.slack.com:8443/study",
        "file:///etc/passwd",
        "https://[",
        None,
    ],
)
async def test_the_token_goes_to_slack_only(slack: FarEnd, place: Any) -> None:
    slack.answers.append(JSONResponse({"ok": True, "file": {"url_private_download": place}}))
    with pytest.raises(BadRequest, match="does not lie in Slack"):
        await files(slack).read(FILE)


@pytest.mark.parametrize(
    ("error", "said"), [("missing_scope", "files:read"), ("file_not_found", "once more")]
)
async def test_what_slack_does_not_hand_out_is_told(slack: FarEnd, error: str, said: str) -> None:
    slack.answers.append(JSONResponse({"ok": False, "error": error}))
    with pytest.raises(BadRequest, match=said):
        await files(slack).read(FILE)


async def test_a_redirect_to_the_log_in_is_not_followed(slack: FarEnd) -> None:
    with pytest.raises(BadRequest, match="files:read"):
        await files(slack, token="xoxb-other").read(FILE)


async def test_a_format_that_no_parser_reads_is_told(slack: FarEnd) -> None:
    slack.files["F2"] = ("x.zzz", b"x")
    with pytest.raises(BadRequest, match="no known format"):
        await files(slack).read(Attached("x.zzz", "F2"))
