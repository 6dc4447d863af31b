"""Search over 100,000 chunks: all of it, and beside raw numpy and raw FTS5 on the same data."""

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from retrieval.embed.minilm import MiniLM
from retrieval.index.sqlite import SqliteIndex
from retrieval.index.words import match_expression, terms
from retrieval.ports import Index, Vectors
from retrieval.search import HybridRetriever
from retrieval.values import Chunk, Document, DocumentRecord, Filters, SearchRequest
from tests.bench.corpus import Language
from tests.bench.report import Measure, percentile, timed

CHUNKS_PER_DOCUMENT = 100
QUESTIONS = 200
WARM_UP = 50
TARGET_MS = 60


async def measure(folder: Path, chunks: int, words: int, windows: int) -> list[Measure]:
    """Build an index of so many chunks and search it.

    A chunk of 500 words has three windows with the default encoder.
    """
    encoder, language = MiniLM(), Language()
    index = SqliteIndex(folder / "search.sqlite", encoder)
    began = time.perf_counter()
    await fill(index, language, chunks, encoder.dimension, words, windows)
    stored = time.perf_counter() - began
    retriever = HybridRetriever(index, encoder)
    for _ in range(WARM_UP):
        await retriever.search(SearchRequest(language.question()))
    questions = [language.question() for _ in range(3 * QUESTIONS)]
    plain = await timed(lambda text: retriever.search(SearchRequest(text)), questions[:QUESTIONS])
    one = Filters(molecules=(language.code(3),))
    narrow = await timed(
        lambda text: retriever.search(SearchRequest(text, one)), questions[QUESTIONS:][:QUESTIONS]
    )
    encoding = await timed(lambda text: encoder.encode([text]), questions[-QUESTIONS:])
    numpy_seconds = raw_numpy(language.vectors(chunks * windows, encoder.dimension), language)
    fts_seconds = raw_fts5(folder / "search.sqlite", questions[:QUESTIONS])
    await index.close()
    return list(_measures(chunks, stored, plain, narrow, encoding, numpy_seconds, fts_seconds))


def _measures(
    chunks: int,
    stored: float,
    plain: list[float],
    narrow: list[float],
    encoding: list[float],
    numpy_seconds: list[float],
    fts_seconds: list[float],
) -> Iterator[Measure]:
    def both(
        what: str, seconds: list[float], peer: str = "", peers: list[float] | None = None
    ) -> Iterator[Measure]:
        for share, name in ((0.5, "p50"), (0.95, "p95")):
            target, met = "", None
            if name == "p95" and what.startswith("hybrid"):
                target, met = f"<= {TARGET_MS} ms", percentile(seconds, share) <= TARGET_MS
            value = percentile(peers, share) if peers else None
            yield Measure(f"{what}, {name}", percentile(seconds, share), "ms", target, met, peer, value)

    yield Measure(f"store {chunks} chunks", chunks / stored, "chunks/s")
    yield from both(f"hybrid search in {chunks} chunks", plain, "raw FTS5, all words", fts_seconds)
    yield from both("hybrid search, one molecule", narrow, "raw numpy product", numpy_seconds)
    yield from both("of this, encoding the question", encoding)


async def fill(
    index: Index,
    language: Language,
    chunks: int,
    dimension: int,
    words: int,
    windows: int,
    together: int = 10,
) -> None:
    """Store documents of 100 chunks, so many `together` in a transaction."""
    firsts = range(0, chunks, CHUNKS_PER_DOCUMENT)
    for batch in (firsts[i : i + together] for i in range(0, len(firsts), together)):
        async with index.write() as writer:
            for first in batch:
                document, texts = made_document(language, first, words)
                vectors = language.vectors(len(texts) * windows, dimension)
                await writer.put(document, texts, vectors, [windows] * len(texts))


def made_document(language: Language, number: int, words: int) -> tuple[Document, list[Chunk]]:
    """A document of 100 chunks of so many words, on one of forty molecules."""
    doc_id, code = f"report-{number}", language.code(number // CHUNKS_PER_DOCUMENT % 40)
    record = DocumentRecord(doc_id, f"{doc_id}.md", "0" * 64, "md", f"Study of {code}", molecules=(code,))
    texts = [language.text(words) for _ in range(CHUNKS_PER_DOCUMENT)]
    chunks = [Chunk(f"{doc_id}#{n}", doc_id, n, 0, len(text), text) for n, text in enumerate(texts)]
    return Document(record, ""), chunks


def raw_numpy(matrix: Vectors, language: Language) -> list[float]:
    """Product of the same matrix with a vector, and the 100 largest."""

    def once(vector: Vectors) -> float:
        began = time.perf_counter()
        np.argpartition(matrix @ vector, -100)[-100:]
        return time.perf_counter() - began

    return [once(vector) for vector in language.vectors(QUESTIONS, matrix.shape[1])]


def raw_fts5(path: Path, questions: list[str]) -> list[float]:
    """The same index asked for any of the question's words, without bounds, best 100 by BM25."""
    connection = sqlite3.connect(path)
    query = "SELECT rowid FROM lexicon WHERE lexicon MATCH ? ORDER BY rank LIMIT 100"

    def once(question: str) -> float:
        began = time.perf_counter()
        connection.execute(query, (match_expression(terms(question)),)).fetchall()
        return time.perf_counter() - began

    seconds = [once(question) for question in questions]
    connection.close()
    return seconds
