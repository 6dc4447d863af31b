"""Search of who may read a part of the archive, beside search of who may read all: 200 collections.

Both are asked in turn, question by question, so that what else the machine does meanwhile slows both.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from adapters.settings import Settings
from adapters.wiring import runtime
from retrieval.collections import Collection, readable
from retrieval.embed.minilm import MiniLM
from retrieval.index.readable import ReadableIndex
from retrieval.index.sqlite import SqliteIndex
from retrieval.ingest.consolidate import consolidate
from retrieval.ingest.folder import Folder
from retrieval.ports import Encoder, Index
from retrieval.search import HybridRetriever
from retrieval.values import SearchRequest
from tests.bench.corpus import Language
from tests.bench.report import Measure, percentile, show
from tests.bench.search import QUESTIONS, WARM_UP, fill
from tests.support.elastic import TrialIndex

COLLECTIONS = 200
SHARES = (0.1, 0.5, 0.95)
"""Of the collections, what a reader may read."""
TARGET = 1.3
TARGET_ABSENT = 1.1
READERS = 20
"""Sets of collections that somebody reads in the demo's archive: each all but one."""
DEMO = Path(__file__).resolve().parents[2] / "adapters" / "demo" / "archive"
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


async def measure_readers(folder: Path) -> list[Measure]:
    """What twenty sets of readers cost in the demo's archive."""
    async with runtime(Settings(home=folder)) as built:
        await built.files.ingest(Folder(DEMO))
        policy, records = await built.storage.policies.current(), await built.index.records()
        for n in range(READERS):
            policy = policy.collected(
                Collection(f"c{n}", documents=tuple(one.doc_id for one in records[n::READERS]))
            )
        await built.storage.policies.change(policy, "bench")
        seconds = []
        for n in range(READERS):
            theirs = await built.reading(policy.names - {f"c{n}"})
            began = time.perf_counter()
            await theirs.index.records()
            seconds.append(time.perf_counter() - began)
    archive, copies = _mb(folder, "archive.db*"), _mb(folder, "archive-readable/*")
    what = f"of {READERS} sets of readers, {len(records)} documents"
    return [
        Measure(f"first question {what}, p50", percentile(seconds, 0.5), "ms"),
        Measure(f"first question {what}, longest", percentile(seconds, 1.0), "ms"),
        Measure(f"disk {what}", copies, "MB", peer="the archive", peer_value=archive),
    ]


def _mb(folder: Path, names: str) -> float:
    return sum(file.stat().st_size for file in folder.glob(names)) / 1e6


async def _measure(made: Made, encoder: Encoder, chunks: int, words: int, windows: int) -> list[Measure]:
    language, whole, found = Language(), made("whole"), []
    await fill(whole, language, chunks, encoder.dimension, words, windows)
    await consolidate(whole)  # as an ingest leaves it
    records = await whole.records()
    collections = [
        Collection(f"c{n}", documents=tuple(one.doc_id for one in records[n::COLLECTIONS]))
        for n in range(COLLECTIONS)
    ]
    questions = [language.question() for _ in range(WARM_UP + QUESTIONS)]
    for share in SHARES:
        mine = frozenset(one.name for one in collections[: int(share * COLLECTIONS)])
        own = made(f"{share}")
        index = ReadableIndex(whole, lambda own=own: own, readable(collections, mine))
        began = time.perf_counter()
        await index.records()
        found.append(Measure(f"copy of {share:.0%} of {chunks} chunks", time.perf_counter() - began, "s"))
        in_all, theirs, absent = await _in_turn((whole, index, own), encoder, questions)
        ms, peer = percentile(theirs, 0.95), percentile(in_all, 0.95)
        what = f"search by who reads {share:.0%} of {COLLECTIONS} collections"
        target = f"<= {TARGET} x all"
        found.append(Measure(f"{what}, p95", ms, "ms", target, ms <= TARGET * peer, "all", peer))
        ms, peer = percentile(theirs, 0.5), percentile(absent, 0.5)
        target, met = f"<= {TARGET_ABSENT} x without the rest", ms <= TARGET_ABSENT * peer
        found.append(Measure(f"{what}, p50", ms, "ms", target, met, "index without the rest", peer))
        print(show(found[-3:]), flush=True)  # copying takes long, and more with the next share
        await index.close()
    await whole.close()
    return found


async def _in_turn(
    indexes: Sequence[Index], encoder: Encoder, questions: list[str]
) -> tuple[list[float], ...]:
    """Seconds of each search in each index, in both orders: who asks later finds more in caches. The first
    questions only warm up.
    """
    retrievers = [HybridRetriever(index, encoder) for index in indexes]
    seconds: tuple[list[float], ...] = tuple([] for _ in indexes)
    for number, text in enumerate(questions):
        pairs = list(zip(retrievers, seconds, strict=True))
        for retriever, taken in pairs if number % 2 else reversed(pairs):
            began = time.perf_counter()
            await retriever.search(SearchRequest(text))
            taken.append(time.perf_counter() - began)
    return tuple(taken[WARM_UP:] for taken in seconds)
