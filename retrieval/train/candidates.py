"""What our own hybrid search finds for each judged question: a reranker learns and is measured on it."""

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from retrieval.embed.vector_cache import CachedEncoder
from retrieval.evaluate.beir import Collection
from retrieval.evaluate.fill import Progress, fill
from retrieval.index.sqlite import SqliteIndex
from retrieval.ports import Encoder
from retrieval.rerank.windows import best_window
from retrieval.search import HybridRetriever
from retrieval.train.data import JudgedQueries
from retrieval.values import SearchRequest

FOUND = 50
"""Passages that are kept for each question."""
RANKED = 20
"""Of these, the passages that are learnt from and ranked."""

Found = Mapping[str, Sequence[str]]
"""Passage ids, best first, by question id."""


@dataclass(frozen=True, slots=True)
class CandidateList:
    """A query, its candidates in the order of the search, and which of them are relevant.

    `windows` are what is read of the passages. `missed` are windows of relevant passages that the search did
    not find: they are learnt from, but not ranked.
    """

    query: str
    text: str
    passages: tuple[str, ...]
    windows: tuple[str, ...]
    relevant: tuple[bool, ...]
    missed: tuple[str, ...]


async def candidate_lists(
    judged: JudgedQueries, folder: Path, encoder: Encoder, progress: Progress
) -> list[CandidateList]:
    """The list of each query. Vectors and search results are kept in `folder`: a second run reads them."""
    vectors = CachedEncoder(encoder, folder / "vectors.db")
    try:
        found = await _found(judged.collection, vectors, folder, progress)
    finally:
        vectors.close()
    articles = judged.collection.articles
    texts = {each.doc_id: f"{each.title}\n\n{each.text}" if each.title else each.text for each in articles}
    return [
        _list(query, text, judged.collection.grades[query], found[query], texts)
        for query, text in judged.collection.queries.items()
    ]


def _list(
    query: str, text: str, grades: Mapping[str, int], found: Sequence[str], texts: Mapping[str, str]
) -> CandidateList:
    """Passages that may answer the query, but are not judged, are left out."""
    passages = tuple(name for name in found if grades.get(name, 0) >= 0)[:RANKED]
    missed = sorted(name for name, grade in grades.items() if grade > 0 and name not in passages)
    return CandidateList(
        query=query,
        text=text,
        passages=passages,
        windows=tuple(best_window(text, texts[name]) for name in passages),
        relevant=tuple(grades.get(name, 0) > 0 for name in passages),
        missed=tuple(best_window(text, texts[name]) for name in missed),
    )


async def _found(collection: Collection, encoder: Encoder, folder: Path, progress: Progress) -> Found:
    """The best `FOUND` passages of each question."""
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
        hits = await retriever.search(SearchRequest(text, limit=2 * FOUND))
        found[query] = list(dict.fromkeys(hit.chunk.doc_id for hit in hits))[:FOUND]
        progress(f"searching {collection.name}", len(found), len(collection.queries))
    return found
