"""Files that people post: fetched from Slack alone, within a limit, each once at a time."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from starlette.responses import JSONResponse

from adapters.archived import Archived
from adapters.files import ArchiveFiles
from adapters.slack.calls import slack_client
from adapters.slack.files import SlackFiles
from bot.errors import BadRequest
from bot.values import Added, Attached
from retrieval.errors import IndexBusy, UnsupportedFormat
from retrieval.ports import Paged, unpaged
from retrieval.values import Document, DocumentRecord
from tests.adapters.slack.far_end import TOKEN, FarEnd, far_end
from tests.support.hashing import HashingEncoder
from tests.support.memory_index import MemoryIndex
from tests.support.parsing import InThread

FILE = Attached("study 9.txt", "F1")
TEXT = "Study 9 was stopped."


class Plain:
    """A `Parser` of plain text."""

    async def parse(self, path: Path, name: str, sha256: str, paged: Paged = unpaged) -> Document:
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


def files(slack: FarEnd, token: str = TOKEN, largest: int = 1_000) -> SlackFiles:
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


ENCODER = HashingEncoder(64)


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


async def test_a_file_comes_into_the_archive_and_leaves_nothing_when_it_is_taken_out(
    slack: FarEnd, tmp_path: Path
) -> None:
    slack.files["F3"] = ("QX-9.md", b"# QX-9 in the rat\n\nThe NOAEL of QX-9 was 5 mg/kg.")
    index, said = MemoryIndex(ENCODER), list[str]()
    archive = ArchiveFiles(tmp_path, index, ENCODER, InThread())
    keeper = Archived(files(slack), lambda: archive)
    sent = Attached("QX-9.md", "F3")
    added = await keeper.add(sent, "slack:U1", said.append)
    assert added.told == "QX-9.md is in the archive: 1 passage to search."
    assert added.document
    assert [record.doc_id for record in await index.records()] == [added.document.doc_id]
    assert said[0] == "it is fetched"
    assert len(said) > 1
    assert await keeper.add(sent, "slack:U1", said.append) == Added("QX-9.md is in the archive already.")
    slack.files["F4"] = ("QX-9.md", b"# Another")
    with pytest.raises(BadRequest, match="another file named"):
        await keeper.add(Attached("QX-9.md", "F4"), "slack:U1", said.append)
    assert await keeper.add(sent, "slack:U1", said.append, again=True) == replace(
        added, told="QX-9.md is in the archive."
    )
    for other in (replace(added.document, sha256="0"), replace(added.document, path="/srv/QX-9.md")):
        assert not await keeper.remove(other, "slack:U1")
    assert await keeper.remove(added.document, "slack:U1")
    assert await index.records() == []
    assert files_in(tmp_path) == []
    assert not await keeper.remove(added.document, "slack:U1")
    assert (await keeper.add(sent, "slack:U1", said.append)).document


async def test_what_takes_the_place_of_another_machines_upload_is_not_offered_to_be_taken_out(
    slack: FarEnd, tmp_path: Path
) -> None:
    index = MemoryIndex(ENCODER)
    keeper = Archived(files(slack), lambda: ArchiveFiles(tmp_path, index, ENCODER, InThread()))
    slack.files["F3"] = ("QX-9.md", b"# QX-9 in the rat\n\nThe NOAEL of QX-9 was 5 mg/kg.")
    slack.files["F4"] = ("QX-9.md", b"# QX-9 in the rat\n\nThe NOAEL of QX-9 was 6 mg/kg.")
    assert (await keeper.add(Attached("QX-9.md", "F3"), "slack:U1", print)).document
    (tmp_path / "uploads" / "QX-9.md").unlink()
    added = await keeper.add(Attached("QX-9.md", "F4"), "slack:U1", print)
    assert "1 passage to search" in added.told
    assert added.document is None


async def test_a_copy_of_a_document_is_told_without_the_servers_paths(slack: FarEnd, tmp_path: Path) -> None:
    text = b"---\ndoc_id: R-1\n---\n\n# QX-9 in the rat\n\nThe NOAEL of QX-9 was 5 mg/kg."
    slack.files["F3"], slack.files["F4"] = ("a.md", text), ("b.md", text)
    index = MemoryIndex(ENCODER)
    keeper = Archived(files(slack), lambda: ArchiveFiles(tmp_path, index, ENCODER, InThread()))
    await keeper.add(Attached("a.md", "F3"), "slack:U1", print)
    told = (await keeper.add(Attached("b.md", "F4"), "slack:U1", print)).told
    assert "The same document as R-1 (a.md)" in told
    assert str(tmp_path) not in told


async def test_an_archive_that_another_process_writes_to_is_told(
    slack: FarEnd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slack.files["F3"] = ("QX-9.md", b"# QX-9 in the rat\n\nThe NOAEL of QX-9 was 5 mg/kg.")
    index = MemoryIndex(ENCODER)
    keeper = Archived(files(slack), lambda: ArchiveFiles(tmp_path, index, ENCODER, InThread()))
    added = await keeper.add(Attached("QX-9.md", "F3"), "slack:U1", print)
    assert added.document

    def busy() -> None:
        raise IndexBusy("Another process writes.")

    monkeypatch.setattr(index, "write", busy)
    with pytest.raises(BadRequest, match="Another process writes"):
        await keeper.remove(added.document, "slack:U1")


async def test_what_no_parser_reads_or_is_too_large_is_not_added(slack: FarEnd, tmp_path: Path) -> None:
    index = MemoryIndex(ENCODER)
    archive = ArchiveFiles(tmp_path, index, ENCODER, InThread())
    slack.files["F2"] = ("x.zzz", b"x")
    added = await Archived(files(slack), lambda: archive).add(Attached("x.zzz", "F2"), "slack:U1", print)
    assert added.document is None
    assert "was not added" in added.told
    with pytest.raises(BadRequest, match="larger than"):
        await Archived(files(slack, largest=10), lambda: archive).add(FILE, "slack:U1", print)
    assert await index.records() == []
