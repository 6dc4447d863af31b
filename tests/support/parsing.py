"""Parsing inside the test's process: with a parser of the test's own, or without a second process."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from retrieval import parse
from retrieval.ingest.record import document
from retrieval.parse.page_image import page_png
from retrieval.ports import Paged, unpaged
from retrieval.values import Document, ParsedFile


class InThread:
    """`Parser` that calls a function of a path, by default the real parser, in a thread of this process."""

    def __init__(self, function: Callable[[Path], ParsedFile] = parse.parse) -> None:
        self._function = function

    async def parse(self, path: Path, name: str, sha256: str, paged: Paged = unpaged) -> Document:
        parsed = await asyncio.to_thread(self._function, path)
        return document(parsed, name, sha256)

    async def draw(self, path: Path, page: int, quotes: Sequence[str]) -> bytes:
        return await asyncio.to_thread(page_png, path, page, quotes)
