"""Files of a chat platform that are added to the archive, and taken out again."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapters.attached import FetchedFiles
from bot.errors import BadRequest
from bot.values import Added, Attached, InArchive
from retrieval.errors import RetrievalError

if TYPE_CHECKING:  # it brings NumPy, which no bot needs until somebody adds a file
    from adapters.files import ArchiveFiles
    from retrieval.values import DocumentRecord, IngestReport

RENAME = "The archive has another file named {}. Rename this one, and send it again."


@dataclass(frozen=True, slots=True)
class Archived:
    """Implements `bot.ports.ArchiveKeeper`. `open_files` opens the archive when a first file comes."""

    fetched: FetchedFiles
    open_files: "Callable[[], ArchiveFiles]"

    async def add(self, file: Attached, by: str, say: Callable[[str], None], *, again: bool = False) -> Added:
        """See the port."""
        from adapters.errors import NameTaken

        say("it is fetched")
        async with self.fetched.held(file) as path:
            try:
                files = await self._files()
                with path.open("rb") as sent:
                    report = await files.add(file.name, sent, by, progress=lambda *told: say(told[2]))
                ours = report.added or (again and report.unchanged)
                record = await files.uploaded(file.name) if ours else None
            except NameTaken as error:
                raise BadRequest(RENAME.format(file.name)) from error
            except RetrievalError as error:
                raise BadRequest(f"{file.name} was not added: {error}") from error
        return _added(file.name, report, record)

    async def remove(self, document: InArchive, by: str) -> bool:
        """See the port."""
        try:
            files = await self._files()
            return await files.take_back(document.doc_id, document.path, document.sha256, by)
        except RetrievalError as error:
            raise BadRequest(str(error)) from error

    async def _files(self) -> "ArchiveFiles":
        """The archive. Its models take a second to load, in which the bot goes on to listen."""
        return await asyncio.to_thread(self.open_files)


def _added(name: str, report: "IngestReport", record: "DocumentRecord | None") -> Added:
    """What became of a file. `record` is that of the document that was not there before."""
    if report.skipped:
        return Added(f"{name} was not added: {report.skipped[0].reason}")
    document = InArchive(record.doc_id, record.sha256, record.path) if record else None
    if not report.added and not report.updated:
        return Added(f"{name} is in the archive{'' if document else ' already'}.", document)
    remarks = " ".join(warning.reason for warning in report.warnings)
    searched = f"{report.chunks} passage{'' if report.chunks == 1 else 's'} to search"
    return Added(f"{name} is in the archive: {searched}. {remarks}".strip(), document)
