"""How values are written into the index's tables: JSON texts that are read back as the same values."""

import json
from collections.abc import Sequence

import orjson
from pydantic import TypeAdapter

from retrieval.index.faults import reading_rows
from retrieval.index.words import codes, fold
from retrieval.values import Chunk, DocumentRecord, Page

RECORD, CHUNK = TypeAdapter(DocumentRecord), TypeAdapter(Chunk)
"""Read what was written of a record or chunk; what is unknown in it is passed over."""


def record_to_json(record: DocumentRecord) -> str:
    """A record as a JSON object."""
    return orjson.dumps(record).decode()


def record_from_json(text: str) -> DocumentRecord:
    """The record that was written so."""
    with reading_rows():
        return RECORD.validate_json(text)


def pages_to_json(pages: Sequence[Page]) -> str:
    """A page map as a JSON list of [number, start, end]."""
    return json.dumps([[page.number, page.start, page.end] for page in pages])


def pages_from_json(text: str) -> tuple[Page, ...]:
    """The page map that was written so."""
    with reading_rows():
        return tuple(Page(*page) for page in json.loads(text))


def chunk_to_json(chunk: Chunk) -> str:
    """A chunk as a JSON object."""
    return orjson.dumps(chunk).decode()


def chunk_from_json(text: str) -> Chunk:
    """The chunk that was written so."""
    with reading_rows():
        return CHUNK.validate_json(text)


def lexical_texts(title: str, chunk: Chunk) -> tuple[str, str]:
    """What lexical search sees of a chunk: its words with title, headings and table header; its codes."""
    text = "\n".join((title, *chunk.section, chunk.context, chunk.text))
    return fold(text), " ".join(codes(text))
