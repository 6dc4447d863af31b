"""Found by words at once, by meaning after that: vectors for the documents that have not all of theirs yet.

Every document gets its first vectors before any gets the rest, and none gets more than its share, so that no
file holds up the others. The record tells how far its document is, whoever asks.
"""

import asyncio
import logging
import math
import random
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePath

import numpy as np

from retrieval.chunk import chunk, windows
from retrieval.errors import IndexForbidden
from retrieval.ingest.record import assign
from retrieval.molecules.registry import build_registry
from retrieval.ports import Encoder, Index, Vectors
from retrieval.values import Chunk, Document, DocumentRecord, Filters

logger = logging.getLogger(__name__)

BATCH = 64
"""Texts encoded at once."""
FIRST = 256
"""Texts of a document that are encoded before the rest of any: some hundred pages of prose."""
MOST = 4_096
"""Texts of one document that are encoded at all: minutes of two cores."""
PARTLY = "All of it is found by words; by meaning the first {:,} of its {:,} chunks."
WAS_PARTLY = re.compile(r"All of it is found by words; by meaning the first [\d,]+ of its ([\d,]+) chunks")
SOONEST_S, LATEST_S = 30.0, 900.0
"""Seconds between two looks for documents that wait; ever longer while none does."""

Progress = Callable[[int, int, str, int], None]
"""Called with files done, files in all, what is done with the one at hand, and the pages that were read."""


def waits(record: DocumentRecord, most: int = MOST) -> bool:
    """Whether a document has not all the vectors yet that it may have."""
    return record.vectors is not None and record.vectors < most


def texts_of(
    chunks: Sequence[Chunk], record: DocumentRecord, encoder: Encoder, most: int
) -> tuple[list[str], list[int]]:
    """The first texts that are encoded for a document, at most so many, and how many of them each chunk has
    (see `retrieval.chunk.windows`).
    """
    texts: list[str] = []
    parts: list[int] = []
    for one in chunks:
        if len(texts) >= most:
            break
        taken = windows([one], [record], encoder)[0][: most - len(texts)]
        texts += taken
        parts.append(len(taken))
    return texts, parts + [0] * (len(chunks) - len(parts))


def noted(record: DocumentRecord, parts: Sequence[int], most: int) -> DocumentRecord:
    """The record of a document whose chunks have so many vectors each, where `most` were allowed."""
    others = tuple(told for told in record.warnings if not WAS_PARTLY.match(told))
    count, done = sum(parts), sum(map(bool, parts))
    if count < most:  # a chunk without anything to encode has no vector
        return replace(record, vectors=None, warnings=others)
    return replace(record, vectors=count, warnings=(*others, PARTLY.format(done, len(parts))))


async def embed_rest(
    index: Index,
    encoder: Encoder,
    *,
    most: int = MOST,
    seconds: float = math.inf,
    progress: Progress | None = None,
) -> list[DocumentRecord]:
    """Encode what is not encoded yet; the documents that are not found by meaning as a whole in the end.

    It ends when nothing waits (`waits`), or after so many seconds: what is in hand then is left as it was.
    Safe to interrupt, to repeat, and to do in several processes. Raises as `Index` does.
    """
    loop = asyncio.get_running_loop()
    ends = None if math.isinf(seconds) else loop.time() + seconds
    before: list[DocumentRecord] = []
    while True:
        partly = [record for record in await index.records() if record.vectors is not None]
        waiting = [record for record in partly if waits(record, most)]
        if not waiting or waiting == before:  # a round that brings nothing on is the last one
            return partly
        before = list(waiting)
        random.shuffle(waiting)  # several processes then take different ones
        for done, record in enumerate(sorted(waiting, key=lambda one: one.vectors or 0)):
            told = partial(progress or silent, done, len(waiting))
            try:
                async with asyncio.timeout_at(ends):
                    await _embed(record, index, encoder, most, told)
            except TimeoutError:
                return [record for record in await index.records() if record.vectors is not None]


async def embed_always(index: Callable[[], Index], encoder: Callable[[], Encoder], most: int = MOST) -> None:
    """Encode what waits, again and again until it is cancelled; not where only reading is allowed. Both are
    opened when first looked for.
    """
    pause = SOONEST_S
    while True:
        await asyncio.sleep(pause)
        began = time.monotonic()
        try:
            await embed_rest(index(), encoder(), most=most)
        except IndexForbidden as error:
            logger.info("another process encodes what waits: %s", error)
            return
        except Exception as error:
            logger.warning("what is found by words only waits to be found by meaning: %s", error)
        pause = SOONEST_S if time.monotonic() - began > SOONEST_S else min(2 * pause, LATEST_S)


async def _embed(
    record: DocumentRecord, index: Index, encoder: Encoder, most: int, told: Callable[[str, int], None]
) -> None:
    """Give a document its first vectors or, where it has these, all that it may have."""
    document = await index.document(record.doc_id)
    if document is None:
        return
    wanted = min(FIRST, most) if (record.vectors or 0) < FIRST else most

    def made() -> tuple[Sequence[Chunk], list[str], list[int]]:
        chunks = chunk(document, _chunks_of(record))
        return chunks, *texts_of(chunks, _as_read(document), encoder, wanted)

    chunks, texts, parts = await asyncio.to_thread(made)
    vectors = await encoded(texts, encoder, lambda share: told(embedding([document], share), 0))
    async with index.write() as writer:
        for now in await index.records(Filters(doc_ids=(record.doc_id,))):
            if (now.sha256, now.vectors) == (record.sha256, record.vectors):  # else others were faster
                kept = replace(document, record=noted(now, parts, wanted))
                await writer.put(kept, chunks, vectors, parts)


def embedding(documents: Sequence[Document], share: float) -> str:
    """How far documents are, at a share under 1: "page 12 of 63 found by meaning: report.pdf"."""
    if len(documents) != 1:
        return f"{share:.0%} of {len(documents)} files found by meaning"
    name, pages = PurePath(documents[0].record.path).name, len(documents[0].pages)
    told = f"page {int(share * pages) + 1} of {pages}" if pages else f"{share:.0%}"
    return f"{told} found by meaning: {name}"


def silent(done: int, total: int, name: str, pages: int) -> None:
    """Nobody wants to know."""


async def encoded(
    texts: Sequence[str], encoder: Encoder, told: Callable[[float], None] = lambda _: None
) -> Vectors:
    """(n, d) vectors of texts, a batch at a time."""
    made = [np.zeros((0, encoder.dimension), np.float32)]
    for first in range(0, len(texts), BATCH):
        told(first / len(texts))
        made.append(await encoder.encode(texts[first : first + BATCH]))
    return np.concatenate(made)


def _chunks_of(record: DocumentRecord) -> int | None:
    """How many chunks of a document are in the index."""
    found = next(filter(None, map(WAS_PARTLY.match, record.warnings)), None)
    return int(found[1].replace(",", "")) if found else None


def _as_read(document: Document) -> DocumentRecord:
    """The record with its molecules as the document alone names them: what an archive holds besides it, and
    when it is encoded, changes no vector.
    """
    return assign(document.record, document.text, build_registry([document.record]))
