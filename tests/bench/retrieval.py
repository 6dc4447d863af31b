"""Quality and speed of the search beside its peers, on the same judged documents in the same run.

    python -m tests.bench --only retrieval --judged FOLDER [--articles 1000]

FOLDER is in BEIR form (docs/guide/retrieval-evaluation.md). Peers are bm25s for words, and for meaning the
loop that everybody writes: `encode` of sentence-transformers on "title text", and a product with the
question. With `--articles` only so many documents are used, and the queries that have an answer among them.
"""

import time
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from retrieval.embed.minilm import MiniLM
from retrieval.embed.weights import locate
from retrieval.evaluate.beir import Collection, read_collection
from retrieval.evaluate.metrics import score
from retrieval.evaluate.run import BOTH, MEANING, WORDS, fill, ndcg, scored, search_all
from retrieval.evaluate.significance import compare
from retrieval.index.sqlite import SqliteIndex
from retrieval.search import HybridRetriever
from retrieval.values import SearchRequest
from tests.bench.report import Measure

DEPTH = 100


@dataclass(frozen=True)
class Ran:
    """nDCG@10 by query, seconds to make the documents searchable, and seconds for all queries."""

    ndcg: dict[str, float]
    indexing: float
    searching: float


async def measure(folder: Path, options: Namespace) -> list[Measure]:
    """Each of our searches beside its peer."""
    if not options.judged:
        raise SystemExit("Name a folder with judged queries: --judged FOLDER.")
    collection = read_collection(Path(options.judged), documents=options.articles)
    ours = await pestle(collection, folder)
    words, meaning = plain_bm25s(collection), plain_loop(collection)
    size = f"{len(collection.articles)} documents, {len(collection.queries)} queries"
    print(f"bench: {collection.name}, {size}")
    print(f"bench: p of hybrid - bm25s {significance(ours[BOTH], words)}", end=", ")
    print(f"of hybrid - loop {significance(ours[BOTH], meaning)}")
    return [
        *beside("words", ours[WORDS], "bm25s", words),
        *beside("meaning", ours[MEANING], "sentence-transformers loop", meaning),
        quality("hybrid", ours[BOTH], "bm25s", words),
        quality("hybrid", ours[BOTH], "sentence-transformers loop", meaning),
        Measure(f"hybrid, {size}", len(collection.queries) / ours[BOTH].searching, "queries/s"),
    ]


async def pestle(collection: Collection, folder: Path) -> dict[str, Ran]:
    """The searches of the default set-up; meaning and hybrid encode the question each time."""
    encoder = MiniLM()
    index = SqliteIndex(folder / "index.db", encoder)
    began = time.perf_counter()
    await fill(collection, index, encoder, silent)
    indexing = time.perf_counter() - began
    found = await search_all(collection, index, encoder, silent)
    rankings = scored(collection, found, encoder.threshold)
    retriever, seconds = HybridRetriever(index, encoder), {}
    for name in (WORDS, MEANING, BOTH):
        began = time.perf_counter()
        for text in collection.queries.values():
            request = SearchRequest(text, limit=DEPTH)
            if name == WORDS:
                await index.lexical(request)
            elif name == MEANING:
                await index.dense((await encoder.encode_questions([text]))[0], request.filters, DEPTH)
            else:
                await retriever.search(request)
        seconds[name] = time.perf_counter() - began
    await index.close()
    return {name: Ran(ndcg(rankings[name]), indexing, seconds[name]) for name in seconds}


def plain_bm25s(collection: Collection) -> Ran:
    """bm25s as its README shows it, with English stop words."""
    import bm25s

    began = time.perf_counter()
    tokens = bm25s.tokenize(texts(collection), stopwords="en", show_progress=False)
    peer = bm25s.BM25()
    peer.index(tokens, show_progress=False)
    indexing, began = time.perf_counter() - began, time.perf_counter()
    rows = []
    for text in collection.queries.values():
        asked = bm25s.tokenize(text, stopwords="en", show_progress=False)
        best, _ = peer.retrieve(asked, k=min(DEPTH, len(collection.articles)), show_progress=False)
        rows.append(best[0])
    return ran(collection, rows, indexing, time.perf_counter() - began)


def plain_loop(collection: Collection) -> Ran:
    """sentence-transformers over whole texts, cut where the model ends."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(locate().folder), device="cpu")
    began = time.perf_counter()
    matrix = model.encode(texts(collection), normalize_embeddings=True)
    indexing, began = time.perf_counter() - began, time.perf_counter()
    rows = []
    for text in collection.queries.values():
        products = matrix @ model.encode(text, normalize_embeddings=True)
        rows.append(np.argsort(-products)[:DEPTH])
    return ran(collection, rows, indexing, time.perf_counter() - began)


def texts(collection: Collection) -> list[str]:
    return [f"{article.title} {article.text}" for article in collection.articles]


def ran(collection: Collection, rows: Sequence[Sequence[int]], indexing: float, searching: float) -> Ran:
    """A peer's result; `rows` are places of documents for each query."""
    names = [article.doc_id for article in collection.articles]
    scored = {
        query: score([names[place] for place in places], collection.grades[query]).ndcg
        for query, places in zip(collection.queries, rows, strict=True)
    }
    return Ran(scored, indexing, searching)


def beside(what: str, ours: Ran, peer: str, theirs: Ran) -> list[Measure]:
    """Quality, and speed of indexing and searching. Ours also parses, chunks and stores what it indexes."""
    n = len(ours.ndcg)
    return [
        quality(what, ours, peer, theirs),
        Measure(f"{what}, queries", n / ours.searching, "queries/s", "", None, peer, n / theirs.searching),
        Measure(f"{what}, indexing", ours.indexing, "s", "", None, peer, theirs.indexing),
    ]


def quality(what: str, ours: Ran, peer: str, theirs: Ran) -> Measure:
    mine, other = mean_of(ours), mean_of(theirs)
    return Measure(f"{what}, nDCG@10 in %", 100 * mine, "", "over the peer", mine > other, peer, 100 * other)


def mean_of(run: Ran) -> float:
    return float(np.mean(list(run.ndcg.values())))


def significance(ours: Ran, theirs: Ran) -> str:
    return f"{compare('ours', ours.ndcg, 'theirs', theirs.ndcg).p_value:.5f}"


def silent(what: str, done: int, total: int) -> None:
    """No progress, so that nothing but the work is timed."""
