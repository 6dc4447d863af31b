"""What our own hybrid search finds for each judged question: what a reranker is taught on and measured on."""

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from retrieval.evaluate.beir import Collection
from retrieval.evaluate.fill import Progress, fill
from retrieval.index.sqlite import SqliteIndex
from retrieval.ports import Encoder
from retrieval.search import HybridRetriever
from retrieval.values import SearchRequest

DEPTH = 50
"""Passages that are kept for each question."""

Found = Mapping[str, Sequence[str]]
"""Passage ids, best first, by question id."""


async def candidates(collection: Collection, encoder: Encoder, folder: Path, progress: Progress) -> Found:
    """The best `DEPTH` passages of each question, kept as a file in `folder`: a second run reads it."""
    kept = folder / f"candidates-{collection.name.lower()}.json"
    if kept.is_file():
        found: Found = json.loads(kept.read_text("utf-8"))
        return found
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        index = SqliteIndex(Path(scratch) / "index.sqlite", encoder)
        try:
            await fill(collection, index, encoder, progress)
            found = await _search(HybridRetriever(index, encoder), collection, progress)
        finally:
            await index.close()
    partial = kept.with_suffix(".part")
    partial.write_text(json.dumps(found), "utf-8")
    partial.replace(kept)
    return found


async def _search(retriever: HybridRetriever, collection: Collection, progress: Progress) -> Found:
    found: dict[str, Sequence[str]] = {}
    for query, text in collection.queries.items():
        hits = await retriever.search(SearchRequest(text, limit=2 * DEPTH))
        found[query] = list(dict.fromkeys(hit.chunk.doc_id for hit in hits))[:DEPTH]
        progress(f"searching {collection.name}", len(found), len(collection.queries))
    return found
