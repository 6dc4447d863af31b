"""Files that came with messages, read by the parsers that read documents of the archive."""

import asyncio
import tempfile
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from adapters.uploads import stored_name
from bot.errors import BadRequest
from bot.values import Attached
from retrieval.errors import RetrievalError
from retrieval.ingest.folder import sha256_of

if TYPE_CHECKING:  # it brings NumPy, which no bot needs
    from retrieval.ports import Parser


AS_THEY_ARE = (".fa", ".faa", ".fasta", ".sdf", ".mol")
"""Sequences and molecules: read here as they are, and no documents of an archive."""


async def text_in(path: Path, name: str, parser: "Parser") -> str:
    """The canonical text of a file; `name` says its format. Raises `BadRequest`."""
    try:
        if name.casefold().endswith(AS_THEY_ARE):
            return await asyncio.to_thread(path.read_text, "utf-8", "replace")
        sha256 = await asyncio.to_thread(sha256_of, path)
        return (await parser.parse(path, name, sha256)).text
    except RetrievalError as error:
        raise BadRequest(str(error)) from error
    except OSError as error:
        raise BadRequest(f"{name} cannot be read ({error.strerror}). Send it once more.") from error


class FetchedFiles(ABC):
    """`FileReader` of files that a platform keeps. What is its own: where a file lies, and how it comes.

    A platform sends a message again that was not acknowledged; who asks for a file that is being read waits
    for the same reading. `largest` is in bytes.
    """

    def __init__(self, parser: "Parser", largest: int) -> None:
        self._parser = parser
        self._largest = largest
        self._reading: dict[str, asyncio.Task[str]] = {}

    @abstractmethod
    async def _address(self, file: Attached) -> str:
        """Where a file's bytes are. Raises `BadRequest` for a place that is not the platform's own."""

    @abstractmethod
    def _pieces(self, file: Attached, address: str) -> AsyncGenerator[bytes]:
        """A file's bytes as they come. A redirect is not followed. Raises `BadRequest`."""

    async def read(self, file: Attached) -> str:
        """See the port."""
        reading = self._reading.get(file.place)
        if reading is None:
            reading = self._reading[file.place] = asyncio.create_task(self._read(file))
            reading.add_done_callback(lambda _: self._reading.pop(file.place, None))
        return await asyncio.shield(reading)

    async def _read(self, file: Attached) -> str:
        async with self.held(file) as path:
            return await text_in(path, file.name, self._parser)

    @asynccontextmanager
    async def held(self, file: Attached) -> AsyncIterator[Path]:
        """A file on this machine's disk while the context is open. Raises `BadRequest`."""
        address = await self._address(file)
        try:
            name = stored_name(file.name)
        except RetrievalError as error:
            raise BadRequest(str(error)) from error
        with tempfile.TemporaryDirectory(prefix="pestle-file-") as folder:
            path = Path(folder, name)
            await self._put_down(file, address, path)
            yield path

    async def _put_down(self, file: Attached, address: str, path: Path) -> None:
        got = 0
        with path.open("wb") as written:
            async with aclosing(self._pieces(file, address)) as pieces:
                async for piece in pieces:
                    got += len(piece)
                    self._check_size(file, got)
                    written.write(piece)

    def _check_size(self, file: Attached, size: int) -> None:
        """Raises `BadRequest` for more bytes than are taken."""
        if size > self._largest:
            raise BadRequest(f"{file.name} is larger than {self._largest / 1e6:g} MB, and was not taken.")


class FilesHere:
    """`FileReader` of files that a skin has put down on this machine: their place is a path."""

    def __init__(self, parser: "Parser") -> None:
        self._parser = parser

    async def read(self, file: Attached) -> str:
        """See the port."""
        return await text_in(Path(file.place), file.name, self._parser)
