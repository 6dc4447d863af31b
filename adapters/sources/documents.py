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
from agents.databases.label_documents import label_chunks
from agents.databases.ports import BulkRelease
from agents.errors import WrongFile
from retrieval.ports import Index, IndexWriter
from retrieval.values import Document, Filters

T = TypeVar("T")

LOOKED_UP = 200
"""Documents that are looked up at once."""

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

    They are found by words: none gets vectors, of `dimension` numbers each. Raises `WrongFile`,
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


def _groups(values: Iterable[T], size: int) -> Iterator[list[T]]:
    """The values in groups of so many, the last one perhaps of fewer."""
    rest = iter(values)
    while group := list(islice(rest, size)):
        yield group


async def _put(writer: IndexWriter, document: Document, dimension: int) -> None:
    """A document with its chunks, without vectors."""
    chunks = list(label_chunks(document))
    await writer.put(document, chunks, np.zeros((0, dimension), np.float32), [0] * len(chunks))
