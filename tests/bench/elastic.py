"""Elasticsearch: loading beside the client's own `streaming_bulk`, hybrid search, and recall of the graph.

    export PESTLE_TEST_ELASTICSEARCH_URL=http://127.0.0.1:9200
    python -m tests.bench --only elastic elastic-recall
    python -m tests.bench --only elastic --chunks 1000000 --words 80 --windows 1

Texts and vectors are made up; recall is measured on real sentences and claims (SciFact, where it is there).
"""

import asyncio
import gzip
import json
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from elasticsearch import AsyncElasticsearch
from elasticsearch.helpers import async_streaming_bulk

from retrieval.embed.minilm import MiniLM
from retrieval.index.elastic import rows
from retrieval.index.elastic.mapping import index_body
from retrieval.ports import EVERYTHING, Encoder, Index, Vectors
from retrieval.search import HybridRetriever
from retrieval.values import Chunk, Document, DocumentRecord, Filters, SearchRequest
from tests.bench.corpus import Language
from tests.bench.report import Measure, percentile, timed
from tests.bench.search import CHUNKS_PER_DOCUMENT, QUESTIONS, TARGET_MS, fill, made_document
from tests.support.elastic import TrialIndex
from tests.support.services import SHARED

WARM_UP = 200
"""Searches before those that are timed: the server compiles its code while it runs."""
LOADED = 6_000
"""Chunks for the comparison of loading."""
TOGETHER = 100
"""Documents of 100 chunks in a transaction: each commit makes a segment, which has to be merged later."""
LOAD_TARGET = 0.8
RECALL_TARGET = 0.97
NEAREST = 10
SENTENCES = 20_000
CLAIMS = 300


async def measure(chunks: int, words: int, windows: int) -> list[Measure]:
    """Loading and searching, on an index of its own each."""
    encoder, language = MiniLM(), Language()
    loaded = await loading(encoder, language, words, windows)
    return [loaded, *await searching(encoder, language, chunks, words, windows)]


async def loading(encoder: Encoder, language: Language, words: int, windows: int) -> Measure:
    """The same documents through a transaction of the index and through the client's helper."""
    numbers = range(0, LOADED, CHUNKS_PER_DOCUMENT)
    made = [made_document(language, number, words) for number in numbers]
    vectors = [language.vectors(len(parts) * windows, encoder.dimension) for _, parts in made]
    index = TrialIndex(encoder)
    await index.records()
    began = time.perf_counter()
    async with index.write() as writer:
        for (document, parts), matrix in zip(made, vectors, strict=True):
            await writer.put(document, parts, matrix, [windows] * len(parts))
    ours = LOADED / (time.perf_counter() - began)
    async with index.server.client() as client:
        peer = LOADED / await _helper_seconds(client, index.layout.alias, encoder, made, vectors, windows)
    await index.close()
    target = f"ratio >= {LOAD_TARGET}"
    met = ours / peer >= LOAD_TARGET
    return Measure(f"load {LOADED} chunks", ours, "chunks/s", target, met, "async_streaming_bulk", peer)


async def _helper_seconds(
    client: AsyncElasticsearch,
    alias: str,
    encoder: Encoder,
    made: list[tuple[Document, list[Chunk]]],
    vectors: list[Vectors],
    windows: int,
) -> float:
    """Seconds of the client's helper with the same entries and the same mapping, refreshed at the end."""
    name = f"{alias}-peer"
    await client.indices.create(index=name, **index_body(encoder, 1, 0))
    entries: list[dict[str, Any]] = []
    for (document, parts), matrix in zip(made, vectors, strict=True):
        counts = [windows] * len(parts)
        version = document.record.doc_id
        operations = rows.chunk_entries(version, document.record, parts, matrix, counts, encoder.name)
        for operation in operations:
            action, source = map(orjson.loads, operation.lines.splitlines())
            entries.append({"_id": action["index"]["_id"], "_source": source})
    began = time.perf_counter()
    async for _ in async_streaming_bulk(client, entries, index=name):
        pass
    await client.indices.refresh(index=name)
    seconds = time.perf_counter() - began
    await client.indices.delete(index=name)
    return seconds


async def searching(
    encoder: MiniLM, language: Language, chunks: int, words: int, windows: int
) -> list[Measure]:
    """Load so many chunks and ask for them, one question after the other."""
    index = TrialIndex(encoder)
    try:
        began = time.perf_counter()
        await fill(index, language, chunks, encoder.dimension, words, windows, TOGETHER)
        stored = chunks / (time.perf_counter() - began)
        await _at_rest(index)
        retriever = HybridRetriever(index, encoder)
        questions = [language.question() for _ in range(2 * QUESTIONS + WARM_UP)]
        await timed(lambda text: retriever.search(SearchRequest(text)), questions[-WARM_UP:])
        plain = await timed(lambda text: retriever.search(SearchRequest(text)), questions[:QUESTIONS])
        one = Filters(molecules=(language.code(3),))
        narrow = await timed(
            lambda text: retriever.search(SearchRequest(text, one)), questions[QUESTIONS:][:QUESTIONS]
        )
        async with index.server.client() as client:
            stats = await client.indices.stats(index=index.layout.alias)
        size = stats["_all"]["primaries"]["store"]["size_in_bytes"] / 1e6
    finally:
        await index.close()
    return [
        Measure(
            f"Elasticsearch: store {chunks} chunks of {words} words, {windows} vectors", stored, "chunks/s"
        ),
        Measure("Elasticsearch: size of the index", size, "MB"),
        *_shares(f"Elasticsearch: hybrid search in {chunks} chunks", plain),
        *_shares("Elasticsearch: hybrid search, one molecule", narrow),
    ]


async def _at_rest(index: TrialIndex) -> None:
    """Wait until what was loaded is merged: an archive is searched far longer than it is loaded."""
    async with index.server.client() as client:
        merging = True
        while merging:
            await asyncio.sleep(5)
            stats = await client.indices.stats(index=index.layout.alias, metric="merge")
            merging = stats["_all"]["primaries"]["merges"]["current"] > 0


def _shares(what: str, seconds: list[float]) -> Iterator[Measure]:
    yield Measure(f"{what}, p50", percentile(seconds, 0.5), "ms")
    p95 = percentile(seconds, 0.95)
    yield Measure(f"{what}, p95", p95, "ms", f"<= {TARGET_MS} ms", p95 <= TARGET_MS)


async def recall() -> list[Measure]:
    """How many of the ten nearest sentences by exact cosine the graph finds, for real claims."""
    scifact = SHARED / "data" / "scifact"
    if not scifact.is_dir():
        print("bench: SciFact is not there; nothing to measure recall on")
        return []
    encoder = MiniLM()
    index = TrialIndex(encoder)
    try:
        sentences = list(islice(_sentences(scifact / "corpus.jsonl.gz"), SENTENCES))
        claims = await encoder.encode(_claims(scifact / "queries_nometa.jsonl"))
        matrix = await encoder.encode(sentences)
        async with index.write() as writer:
            for first in range(0, len(sentences), CHUNKS_PER_DOCUMENT):
                some = slice(first, first + CHUNKS_PER_DOCUMENT)
                await writer.put(*_of_sentences(first, sentences[some]), matrix[some])
        shares = [await _found(index, matrix, claim) for claim in claims]
    finally:
        await index.close()
    share = float(np.mean(shares))
    what = f"Elasticsearch: recall at {NEAREST} of {len(sentences)} real sentences"
    return [Measure(what, share, "", f">= {RECALL_TARGET}", share >= RECALL_TARGET, "exact cosine", 1.0)]


async def _found(index: Index, matrix: Vectors, claim: Vectors) -> float:
    """The share of the nearest sentences that the index finds."""
    nearest = {str(i) for i in np.argsort(-(matrix @ claim), kind="stable")[:NEAREST]}
    found = {name for name, _ in await index.dense(claim, EVERYTHING, NEAREST)}
    return len(found & nearest) / NEAREST


def _sentences(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield from json.loads(line)["sentences"]


def _claims(path: Path) -> list[str]:
    lines = path.read_text("utf-8").splitlines()[:CLAIMS]
    return [json.loads(line)["text"] for line in lines]


def _of_sentences(first: int, texts: list[str]) -> tuple[Document, list[Chunk]]:
    """A document of these sentences, each a chunk whose id is its number."""
    doc_id = f"sentences-{first}"
    record = DocumentRecord(doc_id, f"{doc_id}.md", "0" * 64, "md", doc_id)
    chunks = [Chunk(str(first + n), doc_id, n, 0, len(text), text) for n, text in enumerate(texts)]
    return Document(record, ""), chunks
