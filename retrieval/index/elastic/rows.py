"""How values become entries of the index, and entries values."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import orjson

from retrieval.index.elastic.bulk import Operation
from retrieval.index.elastic.mapping import vector_field
from retrieval.index.rows import CHUNK, RECORD
from retrieval.index.words import WORD, codes, fold
from retrieval.molecules.codes import code_key
from retrieval.ports import Vectors
from retrieval.values import Chunk, Document, DocumentRecord, Molecule, Page


def document_entry(version: str, document: Document) -> Operation:
    """The entry of a whole document."""
    pages = [[page.number, page.start, page.end] for page in document.pages]
    source = (
        _head("document", version)
        | filter_values(document.record)
        | {"record": document.record, "document": {"text": document.text, "pages": pages}}
    )
    return Operation.put(version, source)


def chunk_entries(
    version: str,
    record: DocumentRecord,
    chunks: Sequence[Chunk],
    vectors: Vectors,
    parts: Sequence[int],
    encoder_name: str,
    first: int = 0,
) -> Iterator[Operation]:
    """The entries of a document's chunks from the `first` on, each with its windows' vectors.

    `vectors` and `parts` are as in `IndexWriter.put`.
    """
    field = vector_field(encoder_name).rsplit(".", 1)[1]
    of_document = filter_values(record) | {
        "record": orjson.Fragment(orjson.dumps(record)),
    }
    rows = np.ascontiguousarray(vectors, np.float32)
    spans = pairwise(accumulate(parts, initial=0))
    for place, (chunk, (start, end)) in enumerate(zip(chunks, spans, strict=True), first):
        text = "\n".join((record.title, *chunk.section, chunk.context, chunk.text))
        names = codes(text)
        source = (
            _head("chunk", version)
            | of_document
            | {
                "chunk_id": chunk.chunk_id,
                "ordinal": place,
                "body": " ".join((_words(text), *names)),
                "sections": [heading.casefold() for heading in chunk.section],
                # A cosine with nothing is not defined: a window without direction is not near anything.
                "windows": [{field: row} for row in rows[start:end] if row.any()],
                "chunk": chunk,
            }
        )
        yield Operation.put(f"{version}.{place}", source)


def molecule_entries(version: str, molecules: Sequence[Molecule], first: int = 0) -> Iterator[Operation]:
    """The entries of the registry from the `first` on."""
    for place, molecule in enumerate(molecules, first):
        names = [{"name": name, "key": code_key(name)} for name in (molecule.name, *molecule.aliases)]
        entry = {"name": molecule.name, "documents": molecule.documents, "names": names}
        yield Operation.put(f"{version}.{place}", _head("molecule", version) | {"molecule": entry})


def filter_values(record: DocumentRecord) -> dict[str, object]:
    """What conditions are compared with; letter case does not matter there."""
    values: dict[str, object] = {
        "doc_id": record.doc_id,
        "molecules": [name.casefold() for name in record.molecules],
        "stages": [stage.casefold() for stage in record.stages],
        "phase": record.phase.casefold(),
        "species": [name.casefold() for name in record.species],
        "study_type": record.study_type.casefold(),
        "language": record.language,
    }
    return values | ({"date": record.date} if record.date else {})


def document_from(source: Mapping[str, Any]) -> Document:
    """The document of an entry."""
    kept = source["document"]
    return Document(record_from(source), kept["text"], tuple(Page(*page) for page in kept["pages"]))


def record_from(source: Mapping[str, Any]) -> DocumentRecord:
    """The record in the entry of a chunk or of a document."""
    return RECORD.validate_python(source["record"])


def chunk_from(source: Mapping[str, Any]) -> Chunk:
    """The chunk of an entry."""
    return CHUNK.validate_python(source["chunk"])


def vectors_from(hit: Mapping[str, Any], encoder_name: str) -> list[list[float]]:
    """The vectors of a chunk's windows, from a hit that was asked for them."""
    field = vector_field(encoder_name).rsplit(".", 1)[1]
    return [window[field] for window in hit.get("fields", {}).get("windows", []) if field in window]


def molecule_from(source: Mapping[str, Any]) -> Molecule:
    """The molecule of an entry."""
    kept = source["molecule"]
    return Molecule(kept["name"], tuple(name["name"] for name in kept["names"][1:]), kept["documents"])


def _words(text: str) -> str:
    return " ".join(WORD.findall(fold(text)))


def _head(kind: str, version: str) -> dict[str, object]:
    return {"kind": kind, "version": version, "transaction": version.rsplit("-", 1)[0]}
