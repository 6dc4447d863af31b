"""How values are written into the index's tables: JSON texts that are read back as the same values."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from retrieval.index.faults import reading_rows
from retrieval.index.words import codes, fold
from retrieval.values import Chunk, DocumentRecord, Domain, Page, StudyStatus

PARTS = frozenset(part.name for part in fields(DocumentRecord))


def record_to_json(record: DocumentRecord) -> str:
    """A record as a JSON object."""
    return json.dumps(asdict(record), ensure_ascii=False)


def record_from_json(text: str) -> DocumentRecord:
    """The record that was written so."""
    with reading_rows():
        return record_from_values(json.loads(text))


def record_from_values(given: Mapping[str, Any]) -> DocumentRecord:
    """The record whose JSON object was read already; what it has besides is passed over."""
    values = _tuples(given)
    values["names"] = tuple(map(tuple, values["names"]))
    values["edits"] = tuple(map(tuple, values.get("edits", ())))
    values["stages"] = tuple(map(Domain, values["stages"]))
    values["status"] = StudyStatus(values["status"]) if values["status"] else None
    return DocumentRecord(**{name: value for name, value in values.items() if name in PARTS})


def pages_to_json(pages: Sequence[Page]) -> str:
    """A page map as a JSON list of [number, start, end]."""
    return json.dumps([[page.number, page.start, page.end] for page in pages])


def pages_from_json(text: str) -> tuple[Page, ...]:
    """The page map that was written so."""
    with reading_rows():
        return tuple(Page(*page) for page in json.loads(text))


def chunk_to_json(chunk: Chunk) -> str:
    """A chunk as a JSON object."""
    return json.dumps({part.name: getattr(chunk, part.name) for part in fields(chunk)}, ensure_ascii=False)


def chunk_from_json(text: str) -> Chunk:
    """The chunk that was written so."""
    with reading_rows():
        return chunk_from_values(json.loads(text))


def chunk_from_values(given: Mapping[str, Any]) -> Chunk:
    """The chunk whose JSON object was read already."""
    return Chunk(**_tuples(given))


def lexical_texts(title: str, chunk: Chunk) -> tuple[str, str]:
    """What lexical search sees of a chunk: its words with title, headings and table header; its codes."""
    text = "\n".join((title, *chunk.section, chunk.context, chunk.text))
    return fold(text), " ".join(codes(text))


def _tuples(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
