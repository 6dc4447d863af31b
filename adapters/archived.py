"""Files of a chat platform that are added to the archive, and taken out again."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from adapters.attached import FetchedFiles
from bot.errors import BadRequest
from bot.values import Added, Attached
from retrieval.errors import RetrievalError

if TYPE_CHECKING:  # it brings NumPy, which no bot needs until somebody adds a file
    from adapters.files import ArchiveFiles
    from retrieval.values import IngestReport

RENAME = "The archive has another file named {}. Rename this one, and send it again."
OUT_OF_REACH = "The archive cannot be written to from here: {}"


class Archived:
    """Implements `bot.ports.ArchiveKeeper`. `open_files` opens the archive when a first file comes."""

    def __init__(self, fetched: FetchedFiles, open_files: "Callable[[], ArchiveFiles]") -> None:
        self._fetched = fetched
        self._open_files = open_files

    async def add(self, file: Attached, say: Callable[[str], None]) -> Added:
        """See the port."""
        from adapters.errors import NameTaken

        say("it is fetched")
        async with self._fetched.held(file) as path:
            try:
                files = await self._files()
                with path.open("rb") as sent:
                    added = await files.add(
                        file.name, sent, progress=lambda done, total, what: say(what or "it is read")
                    )
            except NameTaken as error:
                raise BadRequest(RENAME.format(file.name)) from error
            except RetrievalError as error:
                raise BadRequest(f"{file.name} was not added: {error}") from error
        return _told(file.name, added)

    async def remove(self, doc_id: str) -> bool:
        """See the port."""
        return await (await self._files()).take_back(doc_id)

    async def _files(self) -> "ArchiveFiles":
        """The archive. Its models take a second to load, in which the bot goes on to listen."""
        return await asyncio.to_thread(self._open_files)


def _told(name: str, report: "IngestReport") -> Added:
    """What became of a file, in a sentence."""
    if report.skipped:
        return Added(f"{name} was not added: {report.skipped[0].reason}")
    ids = (*report.added, *report.updated)
    if not ids:
        return Added(f"{name} is in the archive already.")
    remarks = " ".join(warning.reason for warning in report.warnings)
    searched = f"{report.chunks} passage{'' if report.chunks == 1 else 's'} to search"
    return Added(f"{name} is in the archive: {searched}. {remarks}".strip(), ids[0])
