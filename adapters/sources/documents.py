"""Files whose content is documents, as drug labels, taken into an index of their own."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np

from adapters.sources.bulk import BulkFolder, described, parsed
from adapters.sources.lines import pieces
from agents.databases.bulk_format import BulkFormat
from agents.databases.label_documents import WORDS_ONLY, label_chunks
from agents.databases.ports import BulkRelease
from agents.errors import WrongFile
from retrieval.chunk import windows
from retrieval.ports import Encoder, Index, IndexWriter, Vectors
from retrieval.values import Chunk, Document, DocumentRecord, Filters

T = TypeVar("T")

LOOKED_UP = 200
"""Documents that are looked up at once."""
EMBEDDED = 20
"""Documents that one write gives vectors."""

Load = Callable[[BulkFormat, Sequence[Path], str], BulkRelease]
"""What takes a file in, whatever it is."""


async def load_documents(
    index: Index,
    dimension: int,
    bulk: BulkFolder,
    form: BulkFormat,
    paths: Sequence[Path],
    release: str = "",
) -> BulkRelease:
    """Take the documents of files into an index, those that are not there; all of them or none.

    They are found by words; `embed` gives them vectors, of `dimension` numbers each. Raises `WrongFile`,
    `RetrievalError`, `StorageError`.
    """
    about = described(form, paths, release)
    assert form.documents is not None
    seen: set[str] = set()
    async with index.write() as writer:
        for group in _groups(parsed(form, form.documents, paths, pieces), LOOKED_UP):
            names = tuple(one.record.doc_id for one in group)
            seen.update(one.doc_id for one in await index.records(Filters(doc_ids=names)))
            for one in group:
                if one.record.doc_id not in seen:
                    seen.add(one.record.doc_id)
                    await _put(writer, one, dimension)
    if not seen:
        raise WrongFile(f"{about[1]} holds no documents of {form.source}.")
    return bulk.note(about, len(await index.records()))


def still_there(form: BulkFormat, release: BulkRelease | None, kept: bool) -> BulkRelease | None:
    """What is loaded of a source; of documents that are not kept any more, that the file is to be loaded."""
    if release is None or form.documents is None or kept:
        return release
    return replace(release, file=f"{release.file}: load the label files again, their index is empty", rows=0)


async def embed(
    index: Index,
    encoder: Encoder,
    progress: Callable[[int, int], None],
    wanted: Callable[[Sequence[DocumentRecord]], Sequence[DocumentRecord]] = tuple,
) -> int:
    """Give the documents that are found by words alone their vectors, some at a time; how many there were.

    `wanted` chooses among all. A run that is interrupted keeps what is done; the next one goes on there.
    """
    waiting = [one for one in wanted(await index.records()) if WORDS_ONLY in one.warnings]
    done = 0
    for group in _groups(waiting, EMBEDDED):
        made = [await _with_vectors(index, encoder, record) for record in group]
        async with index.write() as writer:
            for document, chunks, vectors, parts in made:
                await writer.put(document, chunks, vectors, parts)
        done += len(group)
        progress(done, len(waiting))
    return done


def _groups(values: Iterable[T], size: int) -> Iterator[list[T]]:
    """The values in groups of so many, the last one perhaps of fewer."""
    rest = iter(values)
    while group := list(islice(rest, size)):
        yield group


async def _put(writer: IndexWriter, document: Document, dimension: int) -> None:
    """A document with its chunks, without vectors."""
    chunks = list(label_chunks(document))
    await writer.put(document, chunks, np.zeros((0, dimension), np.float32), [0] * len(chunks))


async def _with_vectors(
    index: Index, encoder: Encoder, record: DocumentRecord
) -> tuple[Document, list[Chunk], Vectors, list[int]]:
    """A stored document with its chunks, their vectors, and how many each has."""
    document = await index.document(record.doc_id)
    assert document is not None
    chunks = list(label_chunks(document))
    parts = windows(chunks, [record] * len(chunks), encoder)
    texts = [text for one in parts for text in one]
    vectors = await encoder.encode(texts) if texts else np.zeros((0, encoder.dimension), np.float32)
    warnings = tuple(one for one in record.warnings if one != WORDS_ONLY)
    whole = replace(document, record=replace(record, warnings=warnings))
    return whole, chunks, vectors, list(map(len, parts))
