"""Files that came with messages, read by the parsers that read documents of the archive."""

import asyncio
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from bot.errors import BadRequest
from bot.values import Attached
from retrieval.errors import RetrievalError

if TYPE_CHECKING:  # it brings NumPy, which no bot needs
    from retrieval.ports import Parser


async def text_in(path: Path, name: str, parser: "Parser") -> str:
    """The canonical text of a file; `name` says its format. Raises `BadRequest`."""
    try:
        sha256 = await asyncio.to_thread(_hash, path)
        return (await parser.parse(path, name, sha256)).text
    except RetrievalError as error:
        raise BadRequest(str(error)) from error
    except OSError as error:
        raise BadRequest(f"{name} cannot be read ({error.strerror}). Send it once more.") from error


class FilesHere:
    """`FileReader` of files that a skin has put down on this machine: their place is a path."""

    def __init__(self, parser: "Parser") -> None:
        self._parser = parser

    async def read(self, file: Attached) -> str:
        """See the port."""
        return await text_in(Path(file.place), file.name, self._parser)


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
