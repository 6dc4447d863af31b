"""Lexical search ranks alike, whether SQLite or Elasticsearch does it.

Both score with Lucene's BM25 over the same words. Two things differ. Lucene keeps a text's length in one
byte, rounded down by at most an eighth, so that its scores are a little higher. And SQLite leaves out the
commonest words of a very long question (`retrieval.index.words.rarest`).

"The same ranking within tie tolerance" means here: two chunks of the best ten stand in the same order in
both, or their scores are within `TIE` of each other in both; and a chunk's two scores are within `SCORES`.
"""

import gzip
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from itertools import combinations
from pathlib import Path

import pytest

from retrieval.index.sqlite import SqliteIndex
from retrieval.ports import Index
from retrieval.values import Chunk, Document, DocumentRecord, SearchRequest
from tests.support.elastic import TrialIndex
from tests.support.hashing import HashingEncoder
from tests.support.services import shared

TIE = 0.04
"""Largest difference between two scores that counts as a tie, of the larger one (3.1 % occurs)."""
SCORES = 0.10
"""Between the scores of one chunk (9.3 % occurs, for a question that SQLite shortens; 6.1 % otherwise)."""
BEST, LOOKED_AT = 10, 100
ENCODER = HashingEncoder(8)


def questions() -> list[str]:
    path = shared("data/scifact/queries_nometa.jsonl")
    return [json.loads(line)["text"] for line in path.read_text("utf-8").splitlines()]


def abstracts() -> Iterator[tuple[Document, Chunk]]:
    with gzip.open(shared("data/scifact/corpus.jsonl.gz"), "rt", encoding="utf-8") as lines:
        for one in map(json.loads, lines):
            record = DocumentRecord(one["_id"], one["_id"], "0" * 64, "md", one["title"])
            chunk = Chunk(one["_id"], one["_id"], 0, 0, len(one["text"]), one["text"])
            yield Document(record, one["text"]), chunk


async def fill(index: Index) -> None:
    vector = await ENCODER.encode(["the same for all"])
    async with index.write() as writer:
        for document, chunk in abstracts():
            await writer.put(document, [chunk], vector)


@pytest.fixture
async def indexes(tmp_path: Path) -> AsyncIterator[tuple[Index, Index]]:
    elastic, sqlite = TrialIndex(ENCODER), SqliteIndex(tmp_path / "index.sqlite", ENCODER)
    await fill(elastic)
    await fill(sqlite)
    yield sqlite, elastic
    await elastic.close()
    await sqlite.close()


def swapped(one: Mapping[str, float], other: Mapping[str, float]) -> Iterator[tuple[str, str]]:
    """Pairs of the best of `one` that are no ties and stand the other way round in `other`."""
    for (first, high), (second, low) in combinations(list(one.items())[:BEST], 2):
        if first in other and second in other and other[first] < other[second]:
            apart = max(1 - low / high, 1 - other[first] / other[second])
            if apart > TIE:
                yield first, second


@pytest.mark.drill
@pytest.mark.timeout(300)
async def test_sqlite_and_elasticsearch_rank_alike(indexes: tuple[Index, Index]) -> None:
    sqlite, elastic = indexes
    for text in questions():
        request = SearchRequest(text, limit=LOOKED_AT)
        one, other = dict(await sqlite.lexical(request)), dict(await elastic.lexical(request))
        assert set(list(one)[:BEST]) <= set(other), text
        assert set(list(other)[:BEST]) <= set(one), text
        assert not [*swapped(one, other), *swapped(other, one)], text
        for chunk_id in one.keys() & other.keys():
            assert other[chunk_id] == pytest.approx(one[chunk_id], rel=SCORES), (text, chunk_id)
