"""Search of who may read a part of the archive, beside search of who may read all: 200 collections."""

import time
from collections.abc import Callable
from pathlib import Path

from retrieval.collections import Collection, readable
from retrieval.embed.minilm import MiniLM
from retrieval.index.readable import ReadableIndex
from retrieval.index.sqlite import SqliteIndex
from retrieval.ports import Encoder, Index
from retrieval.search import HybridRetriever
from retrieval.values import SearchRequest
from tests.bench.corpus import Language
from tests.bench.report import Measure, percentile, timed
from tests.bench.search import QUESTIONS, WARM_UP, fill
from tests.support.elastic import TrialIndex

COLLECTIONS = 200
SHARES = (0.1, 0.5, 0.95)
"""Of the collections, what a reader may read."""
TARGET = 1.3
Made = Callable[[str], Index]


async def measure(folder: Path, chunks: int, words: int, windows: int) -> list[Measure]:
    """In a file."""
    encoder = MiniLM()
    return await _measure(
        lambda name: SqliteIndex(folder / f"{name}.db", encoder), encoder, chunks, words, windows
    )


async def measure_elastic(chunks: int, words: int, windows: int) -> list[Measure]:
    """On a server."""
    encoder = MiniLM()
    return await _measure(lambda name: TrialIndex(encoder), encoder, chunks, words, windows)


async def _measure(made: Made, encoder: Encoder, chunks: int, words: int, windows: int) -> list[Measure]:
    language, whole, found = Language(), made("whole"), []
    await fill(whole, language, chunks, encoder.dimension, words, windows)
    records = await whole.records()
    collections = [
        Collection(f"c{n}", documents=tuple(one.doc_id for one in records[n::COLLECTIONS]))
        for n in range(COLLECTIONS)
    ]
    questions = [language.question() for _ in range(QUESTIONS)]
    all_ms = percentile(await _searches(whole, encoder, questions), 0.95)
    found.append(Measure(f"search in all {chunks} chunks, p95", all_ms, "ms"))
    for share in SHARES:
        mine = frozenset(one.name for one in collections[: int(share * COLLECTIONS)])
        index = ReadableIndex(whole, made(f"{share}"), readable(collections, mine))
        began = time.perf_counter()
        await index.records()
        found.append(Measure(f"copy of {share:.0%} of it", time.perf_counter() - began, "s"))
        ms = percentile(await _searches(index, encoder, questions), 0.95)
        met = ms <= TARGET * all_ms
        what = f"search by who reads {share:.0%} of {COLLECTIONS} collections, p95"
        found.append(Measure(what, ms, "ms", f"<= {TARGET} x all", met, "all", all_ms))
        await index.close()
    await whole.close()
    return found


async def _searches(index: Index, encoder: Encoder, questions: list[str]) -> list[float]:
    retriever = HybridRetriever(index, encoder)
    for text in questions[:WARM_UP]:
        await retriever.search(SearchRequest(text))
    return await timed(lambda text: retriever.search(SearchRequest(text)), questions)
