"""Bringing an index up to date with a source of documents, by content hash, so that only what changed is read
again.

Files are parsed ahead of the encoder, several at a time; documents come out in the order of the source. They
are stored a batch at a time, each batch in one transaction: an ingest that is killed keeps the batches that
were complete, and the next one goes on. Only a few documents are in memory at a time. What takes the encoder
long comes last, when every document is found by words (`retrieval.ingest.meaning`).
"""

import asyncio
import math
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from typing import Literal

from retrieval.errors import RetrievalError
from retrieval.ingest.batch_writer import STORED_S, BatchWriter
from retrieval.ingest.consolidate import consolidate
from retrieval.ingest.meaning import MOST, Progress, embed_rest, silent, waits
from retrieval.ingest.prepare import MOST_CHUNKS, FileReader, Prepared, Tally
from retrieval.parse.limits import MIB
from retrieval.ports import DocumentSource, Encoder, Index, Parser
from retrieval.values import (
    Document,
    DocumentRecord,
    Filters,
    IngestReport,
    Listing,
    SkippedFile,
    SourceFile,
)

AHEAD, AHEAD_BYTES = 32, 64 * MIB
"""Documents parsed ahead of the encoder, and the size of their files."""
LARGE = 4 * MIB
"""Files over this are read after all others, in the same order."""
PRUNED = 500
"""Documents deleted in one transaction."""
MANY, MANY_SHARE = 5, 0.1
"""So many documents, and over this share of a source's, are not deleted unasked when their files are gone."""

ReadOutcome = Prepared | DocumentRecord | None
"""What became of a file: a document for the index, a new record of a stored one, or nothing."""
WAITING: Literal["waiting"] = "waiting"


async def ingest(
    source: DocumentSource,
    index: Index,
    encoder: Encoder,
    parser: Parser,
    *,
    prune: bool = True,
    delete: bool = False,
    progress: Progress | None = None,
    most_chunks: int = MOST_CHUNKS,
    most_texts: int = MOST,
    seconds: float = math.inf,
    tally: Tally | None = None,
) -> IngestReport:
    """Bring `index` up to date with the files of `source`.

    Files whose content is known are left alone, changed ones replaced, and with `prune` the documents whose
    files vanished from the source deleted; documents from elsewhere stay. Where that would be many at once,
    or an empty folder is all that says so, they are kept and reported, unless `delete` asks for it; what
    could not be looked at stays in any case. Files that cannot be used are reported as skipped, and those
    with more than `most_chunks` chunks, which are not searched beyond them, as warnings. Large ones come
    last, so that no other one waits for them. So many `seconds` are for the encoder; what is found by words
    alone when they are over waits for the next `embed_rest`. It encodes `most_texts` of a document. `tally`
    holds what was done so far also where it ends with an error.

    Raises `ArchiveNotFound` without a source, `SourceDown` if it cannot be reached, `IndexBusy` if another
    process writes, `StorageFull` on a full disk (batches that were complete are kept).
    """
    listing = await source.listing()
    tally = tally or Tally()
    tally.skipped += listing.skipped
    async with _consolidated(index):
        records, registry = await index.records(), await index.molecules()
        steps = _Steps(len(listing.files), progress or silent)
        most = most_chunks, most_texts
        reader = FileReader(source, listing, parser, encoder, records, registry, tally, *most, steps.page)
        writer = BatchWriter(index, encoder, tally, seconds=seconds, told=steps.tell)
        await _take_in(sorted(listing.files, key=lambda file: file.size > LARGE), reader, writer, steps)
        if prune and listing.root:
            await _prune(listing, index, tally, delete)
    partly = await embed_rest(index, encoder, most=most_texts, seconds=writer.left, progress=progress)
    tally.waiting = sum(waits(record, most_texts) for record in partly)
    tally.warnings += [
        SkippedFile(record.path, record.warnings[-1])
        for record in partly
        if not waits(record, most_texts) and record.doc_id in (*tally.added, *tally.updated)
    ]
    return tally.report()


async def remove(doc_id: str, index: Index, known: DocumentRecord | None = None) -> bool:
    """Take a document out of the index; False if there is none. Its file is not touched. With `known` only
    while the id still stands for that file with that content.
    """
    async with index.write() as writer:
        now = await index.records(Filters(doc_ids=(doc_id,))) if known else ()
        same = known is None or any((one.path, one.sha256) == (known.path, known.sha256) for one in now)
        removed = same and await writer.delete(doc_id)
    if removed:
        await consolidate(index)
    return removed


@asynccontextmanager
async def _consolidated(index: Index) -> AsyncIterator[None]:
    """Consolidate the archive at the end, and also after an error, so that what was stored can be asked for.

    The error is raised again even if this fails too; the next ingest consolidates then.
    """
    try:
        yield
    except BaseException:
        with suppress(RetrievalError):
            await consolidate(index)
        raise
    await consolidate(index)


class _Steps:
    """Tells how far an ingest is: files done, what is done with the one at hand, and the pages read."""

    def __init__(self, total: int, progress: Progress) -> None:
        self._total = total
        self._progress = progress
        self._taken = self._pages = 0
        self._page: dict[str, str] = {}

    def taken(self, name: str) -> None:
        """A file was taken in."""
        self._taken += 1
        self.tell(name)

    def page(self, name: str, page: int, pages: int) -> None:
        """A page of a file is being read."""
        self._pages += 1
        self._page[name] = f"page {page} of {pages} of "
        self.reading(name)

    def reading(self, name: str) -> None:
        """A file is being read."""
        self.tell(f"reading {self._page.get(name, '')}{name}")

    def tell(self, what: str) -> None:
        """Something is done with a file."""
        self._progress(self._taken, self._total, what, self._pages)


async def _take_in(
    files: Sequence[SourceFile], reader: FileReader, writer: BatchWriter, steps: _Steps
) -> None:
    """Read, encode and store `files`; the next ones are read meanwhile."""
    async with aclosing(_ahead(files, reader)) as results:
        async for file, ready in results:
            if ready is WAITING:
                steps.reading(file.name)
                await writer.flush_if_due()
                continue
            if isinstance(ready, Prepared | DocumentRecord):
                await writer.add(ready)
            steps.taken(file.name)
        await writer.flush()


async def _ahead(
    files: Sequence[SourceFile], reader: FileReader
) -> AsyncGenerator[tuple[SourceFile, ReadOutcome | Literal["waiting"]], None]:
    """Each file with what was read of it, read up to `AHEAD` files before it is asked for.

    `WAITING` comes in between whenever the next document takes long, so that meanwhile others can be stored.
    """
    tasks: dict[SourceFile, asyncio.Task[ReadOutcome]] = {}
    last: asyncio.Task[ReadOutcome] | None = None
    try:
        for i, file in enumerate(files):
            for ahead in _next(files[i : i + AHEAD]):
                if ahead not in tasks:
                    tasks[ahead] = last = asyncio.create_task(_read(ahead, reader, last))
            while not (await asyncio.wait({tasks[file]}, timeout=STORED_S))[0]:
                yield file, WAITING
            yield file, await tasks.pop(file)
    finally:
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)


def _next(files: Sequence[SourceFile]) -> Iterator[SourceFile]:
    """As many of the next files as may be in memory together: at least one."""
    room = AHEAD_BYTES
    for number, file in enumerate(files):
        room -= file.size
        if number and room < 0:
            return
        yield file


async def _read(
    file: SourceFile, reader: FileReader, before: asyncio.Task[ReadOutcome] | None
) -> ReadOutcome:
    """What is in a file. Ids are given in the order of the files, so the one before has its id first."""
    read = await reader.read(file)
    if before is not None:
        await asyncio.wait({before})
    return await asyncio.to_thread(reader.ready, file, read) if isinstance(read, Document) else read


async def _prune(listing: Listing, index: Index, tally: Tally, delete: bool) -> None:
    """Delete the documents that came from this source and whose files are there no more."""
    gone, doubtful = _vanished(listing, await index.records())
    if delete:
        gone, doubtful = [*gone, *doubtful], []
    tally.kept += [record.doc_id for record in doubtful]
    for first in range(0, len(gone), PRUNED):
        batch = {record.doc_id: record.path for record in gone[first : first + PRUNED]}
        async with index.write() as writer:
            for now in await index.records(Filters(doc_ids=tuple(batch))):
                if batch[now.doc_id] == now.path:  # else another process has given the id to another file
                    await writer.delete(now.doc_id)
                    tally.deleted.append(now.doc_id)


def _vanished(
    listing: Listing, records: Sequence[DocumentRecord]
) -> tuple[list[DocumentRecord], list[DocumentRecord]]:
    """The documents whose files are gone, and those of which that is doubtful.

    A file that was moved is not gone, and its old place may be forgotten without asking.
    """
    there = listing.locations
    own = [record for record in records if record.path.startswith(listing.root)]
    moved = {record.sha256 for record in own if record.path in there}
    missing = [record for record in own if record.path not in there and not listing.hides(record.path)]
    sure = [record for record in missing if record.sha256 in moved]
    lost = [record for record in missing if record.sha256 not in moved]
    if len(lost) >= MANY and len(lost) > MANY_SHARE * len(own):
        return sure, lost
    doubtful = [record for record in lost if listing.emptied(record.path)]
    return [*sure, *(record for record in lost if not listing.emptied(record.path))], doubtful
