"""What every index must do. A new one joins by a line in `INDEXES`."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from retrieval.errors import IndexForbidden
from retrieval.index.readable import ReadableIndex
from retrieval.index.sqlite import SqliteIndex
from retrieval.ingest.consolidate import consolidate
from retrieval.ports import EVERYTHING, Encoder, Index
from retrieval.values import (
    Chunk,
    Document,
    DocumentRecord,
    Domain,
    Filters,
    Molecule,
    Page,
    SearchRequest,
    StudyStatus,
)
from tests.support.elastic import TrialIndex
from tests.support.hashing import HashingEncoder
from tests.support.memory_index import MemoryIndex

ENCODER = HashingEncoder(64)
INDEXES: dict[str, Callable[[Path, Encoder], Index]] = {
    "memory": lambda folder, encoder: MemoryIndex(encoder),
    "elasticsearch": lambda folder, encoder: TrialIndex(encoder),
    "sqlite": lambda folder, encoder: SqliteIndex(folder / "index.sqlite", encoder),
}


@pytest.fixture(params=INDEXES)
async def index(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Index]:
    made = INDEXES[request.param](tmp_path, ENCODER)
    yield made
    await made.close()


def document(doc_id: str, *texts: str, **fields: object) -> Document:
    record = DocumentRecord(
        doc_id=doc_id, path=f"{doc_id}.md", sha256="0" * 64, format="md", title=f"Report {doc_id}"
    )
    return Document(replace(record, **fields), "\n".join(texts), (Page(1, 0, len(texts[0])),))  # type: ignore[arg-type]


def chunked(document: Document) -> list[Chunk]:
    chunks, start = [], 0
    for ordinal, text in enumerate(document.text.split("\n")):
        doc_id = document.record.doc_id
        end = start + len(text)
        chunks.append(Chunk(f"{doc_id}#{ordinal}", doc_id, ordinal, start, end, text, section=("Results",)))
        start = end + 1
    return chunks


async def store(index: Index, *documents: Document) -> None:
    async with index.write() as writer:
        for one in documents:
            chunks = chunked(one)
            await writer.put(one, chunks, await ENCODER.encode([chunk.text for chunk in chunks]))


async def words(index: Index, text: str, filters: Filters = EVERYTHING, limit: int = 10) -> list[str]:
    return [name for name, _ in await index.lexical(SearchRequest(text, filters, limit))]


async def meaning(index: Index, text: str, filters: Filters = EVERYTHING, limit: int = 10) -> list[str]:
    vector = (await ENCODER.encode([text]))[0]
    return [name for name, _ in await index.dense(vector, filters, limit)]


async def test_an_empty_index_finds_nothing(index: Index) -> None:
    assert await words(index, "dose") == []
    assert await meaning(index, "dose") == []
    assert await index.records() == []
    assert await index.molecules() == []
    assert await index.document("A") is None


async def test_a_document_comes_back_as_it_was_put(index: Index) -> None:
    full = document(
        "A",
        "Rats received 10 mg/kg µg ≥ 5",
        "Second line",
        molecules=("PX-1",),
        species=("rat",),
        stages=(Domain.PRECLINICAL, Domain.CLINICAL),
        date="2004-03",
        status=StudyStatus.TERMINATED,
        names=(("PX-1", "pexil"), ("QA 7",)),
        warnings=("page 2 is a scan",),
    )
    await store(index, full)
    assert await index.document("A") == full
    assert await index.records() == [full.record]
    assert await index.chunks(["A#1", "no such chunk", "A#0"]) == [chunked(full)[1], chunked(full)[0]]


async def test_words_and_meaning_find_the_right_chunk_first(index: Index) -> None:
    await store(
        index,
        document("A", "Liver weight increased in rats", "The tablets were stored dry"),
        document("B", "Plasma half-life was nine hours", "Dogs vomited at the highest dose"),
    )
    for search in (words, meaning):
        assert (await search(index, "which dogs vomited?"))[0] == "B#1"
        assert (await search(index, "half-life in plasma"))[0] == "B#0"
    assert await words(index, "rat") == ["A#0"]


async def test_candidates_are_what_both_searches_find(index: Index) -> None:
    await store(index, *(document(f"D{n}", f"finding number {n} in rats") for n in range(9)))
    request = SearchRequest("finding 7 rats", Filters(doc_ids=("D7", "D8")), 5)
    vector = (await ENCODER.encode_questions(["finding 7 rats"]))[0]
    both = await index.candidates(request, vector)
    assert list(both.lexical) == await index.lexical(request)
    assert list(both.dense) == await index.dense(vector, request.filters, 5)
    assert both.lexical[0][0] == both.dense[0][0] == "D7#0"


async def test_what_was_found_comes_with_its_record(index: Index) -> None:
    first, second = document("A", "one", "two"), document("B", "three", date="2004")
    await store(index, first, second)
    found = await index.found(["B#0", "no such chunk", "A#1"])
    assert found == [(chunked(second)[0], second.record), (chunked(first)[1], first.record)]


async def test_scores_fall_and_limits_hold(index: Index) -> None:
    await store(index, document("A", *(f"dose {'dose ' * n}group {n}" for n in range(8))))
    found = await index.lexical(SearchRequest("dose group", limit=5))
    near = await index.dense((await ENCODER.encode(["dose group 3"]))[0], Filters(), 5)
    for ranking in (found, near):
        scores = [score for _, score in ranking]
        assert len(ranking) == 5
        assert scores == sorted(scores, reverse=True)


async def test_equal_scores_are_ordered_by_chunk_id(index: Index) -> None:
    await store(index, document("B", "equal words here"), document("A", "equal words here"))
    await store(index, document("C", "something else entirely", "and more of it", "and still more"))
    assert await meaning(index, "equal words here", limit=2) == ["A#0", "B#0"]


@pytest.mark.parametrize("written", ["PX-1001", "PX1001", "PX 1001", "px‑1001", "Px–1001"])
@pytest.mark.parametrize("asked", ["PX-1001", "PX1001", "px 1001"])
async def test_a_code_is_found_however_it_is_written(index: Index, written: str, asked: str) -> None:
    await store(
        index, document("A", f"Results for {written} in dogs"), document("B", "Results for PX-1002 in dogs")
    )
    await store(index, document("C", "unrelated one", "unrelated two", "unrelated three"))
    assert (await words(index, asked))[0] == "A#0"


async def test_rows_of_a_table_are_found_by_the_header_that_stands_in_an_earlier_chunk(index: Index) -> None:
    table = document("A", "| 12 | 5 |", "something else")
    first, second = chunked(table)
    rows = replace(first, context="Table 2. Creatinine clearance\n| Animal | Clearance |")
    async with index.write() as writer:
        await writer.put(table, [rows, second], await ENCODER.encode([rows.text, second.text]))
    await store(index, document("B", "nothing of the kind", "nor here"))
    assert await words(index, "creatinine clearance") == ["A#0"]
    assert await index.chunks(["A#0"]) == [rows]


@pytest.mark.parametrize(
    "filters",
    [
        Filters(molecules=("PX-1",)),
        Filters(molecules=("px-1", "PX-9")),
        Filters(stages=(Domain.CLINICAL,)),
        Filters(doc_ids=("A",)),
        Filters(date_from="2004-01-01"),
        Filters(date_from="2004-05", date_to="2004"),
        Filters(molecules=("PX-1",), stages=(Domain.CLINICAL,), date_to="2010-12-31", date_from="2004"),
    ],
)
async def test_filters_hold_before_ranking(index: Index, filters: Filters) -> None:
    wanted = document(
        "A",
        "a dose was given",
        molecules=("PX-1", "PX-2"),
        stages=(Domain.CLINICAL,),
        date="2004",
    )
    others = [document(f"B{n}", "dose dose dose", molecules=("PX-2",), date="1999-07") for n in range(5)]
    undated = document("C", "dose dose", stages=(Domain.PRECLINICAL,))
    await store(index, wanted, *others, undated)
    assert await words(index, "dose", filters, limit=1) == ["A#0"]
    assert await meaning(index, "dose", filters, limit=1) == ["A#0"]
    assert [record.doc_id for record in await index.records(filters)] == ["A"]


async def test_a_filter_that_nothing_passes_finds_nothing(index: Index) -> None:
    await store(index, document("A", "a dose was given"))
    nobody = Filters(molecules=("PX-9",))
    assert await words(index, "dose", nobody) == []
    assert await meaning(index, "dose", nobody) == []


async def test_a_document_put_again_replaces_the_old_one(index: Index) -> None:
    await store(
        index, document("A", "the old kidney finding", "a second chunk"), document("B", "other", "more")
    )
    await words(index, "kidney")
    await store(index, document("A", "the new spleen finding"))
    assert await words(index, "kidney") == []
    assert await words(index, "spleen") == ["A#0"]
    assert set(await meaning(index, "finding")) == {"A#0", "B#0", "B#1"}
    assert await index.chunks(["A#1"]) == []


async def test_a_deleted_document_is_gone(index: Index) -> None:
    await store(index, document("A", "the kidney finding"), document("B", "the liver finding"))
    async with index.write() as writer:
        assert await writer.delete("A")
        assert not await writer.delete("A")
    assert await words(index, "kidney") == []
    assert await meaning(index, "kidney finding") == ["B#0"]
    assert await index.document("A") is None
    assert await index.chunks(["A#0"]) == []


async def test_a_record_is_replaced_without_its_chunks(index: Index) -> None:
    old = document("A", "the kidney finding", title="Draft on mice")
    await store(index, old, document("B", "something else", "and again"))
    await words(index, "mice")
    async with index.write() as writer:
        await writer.put_record(replace(old.record, title="Final on hamsters", molecules=("PX-3",)))
        await writer.put_record(replace(old.record, doc_id="unknown"))
    assert await words(index, "mice") == []
    assert await words(index, "hamsters", Filters(molecules=("PX-3",))) == ["A#0"]
    assert await meaning(index, "kidney", Filters(molecules=("PX-3",))) == ["A#0"]
    async with index.write() as writer:
        assert await writer.delete("A")
    assert await words(index, "hamsters") == []
    assert len(await index.records()) == 1


async def test_a_transaction_that_fails_leaves_nothing(index: Index) -> None:
    await store(index, document("A", "the kidney finding"))

    async def fail_midway() -> None:
        async with index.write() as writer:
            await writer.delete("A")
            one = document("B", "the liver finding")
            await writer.put(one, chunked(one), await ENCODER.encode(["x"]))
            await writer.put_molecules([Molecule("PX-1")])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail_midway()
    assert [record.doc_id for record in await index.records()] == ["A"]
    assert await words(index, "kidney liver") == ["A#0"]
    assert await index.molecules() == []


async def test_vectors_of_a_wrong_shape_are_refused(index: Index) -> None:
    one = document("A", "the kidney finding")
    async with index.write() as writer:
        with pytest.raises(ValueError, match="vectors are"):
            await writer.put(one, chunked(one), np.zeros((1, 3), np.float32))
    assert await index.records() == []


async def test_a_chunk_is_as_near_as_its_nearest_part(index: Index) -> None:
    one = document("A", "kidney and plasma", "spleen")
    parts = ["kidney", "plasma", "spleen"]
    async with index.write() as writer:
        await writer.put(one, chunked(one), await ENCODER.encode(parts), [2, 1])
    await store(index, document("B", "kidney with many other words beside it"))
    vector = (await ENCODER.encode(["plasma"]))[0]
    assert (await index.dense(vector, EVERYTHING, 5))[0] == ("A#0", 1.0)
    assert await meaning(index, "spleen", Filters(doc_ids=("A",)), limit=1) == ["A#1"]


@pytest.mark.parametrize("parts", [(1,), (-1, 4), (1, 1)])
async def test_parts_that_do_not_fit_are_refused(index: Index, parts: tuple[int, ...]) -> None:
    one = document("A", "kidney and plasma", "spleen")
    vectors = await ENCODER.encode(["kidney", "plasma", "spleen"])
    async with index.write() as writer:
        with pytest.raises(ValueError, match="expected"):
            await writer.put(one, chunked(one), vectors, parts)


async def test_a_chunk_without_a_vector_is_found_by_words_alone(index: Index) -> None:
    async with index.write() as writer:
        one = document("A", "kidney", "spleen")
        await writer.put(one, chunked(one), await ENCODER.encode(["kidney"]), [1, 0])
        two = document("B", "spleen")
        await writer.put(two, chunked(two), np.zeros((0, ENCODER.dimension), np.float32), [0])
    assert await words(index, "spleen") == ["A#1", "B#0"]
    assert await meaning(index, "kidney") == ["A#0"]
    assert await index.records() == [one.record, two.record]


async def test_sections_are_a_condition_on_chunks_alone(index: Index) -> None:
    async with index.write() as writer:
        for name in ("A", "B"):
            one = document(name, "dose and kidney", "dose and kidney", molecules=(f"PX-{name}",))
            chunks = [
                replace(chunk, section=section)
                for chunk, section in zip(chunked(one), (("Safety", "Boxed"), ("Safety",)), strict=True)
            ]
            await writer.put(one, chunks, await ENCODER.encode([chunk.text for chunk in chunks]))
    boxed = Filters(sections=("boxed", "nowhere"))
    assert await words(index, "dose", boxed) == await meaning(index, "dose", boxed) == ["A#0", "B#0"]
    own = replace(boxed, molecules=("px-b",))
    assert await words(index, "dose", own) == await meaning(index, "dose", own) == ["B#0"]
    assert len(await words(index, "dose", Filters(sections=("SAFETY",)))) == 4
    assert await words(index, "dose", Filters(sections=("Box",))) == []
    assert len(await index.records(boxed)) == 2


async def test_the_registry_is_replaced_as_a_whole(index: Index) -> None:
    first = [Molecule("PX-2", ("pexil", "PX 2"), 3), Molecule("PX-1", (), 1)]
    for molecules in (first, [Molecule("PX-4", ("quatril",), 2)]):
        async with index.write() as writer:
            await writer.put_molecules(molecules)
        assert await index.molecules() == sorted(molecules, key=lambda molecule: molecule.name)


HOSTILE = [
    '"',
    "'; DROP TABLE documents; --",
    "a AND NOT b OR (",
    "body:* NEAR(x, 3)",
    "^\x00 \ud7ff*",
    "",
    "the of and",
]


@pytest.mark.parametrize("text", HOSTILE)
async def test_a_query_is_never_read_as_syntax(index: Index, text: str) -> None:
    await store(index, document("A", "the kidney finding"))
    assert "A#0" not in await words(index, text)
    assert await words(index, text + " kidney") == ["A#0"]


async def test_readers_see_only_what_is_complete(index: Index) -> None:
    await store(index, document("A", "the kidney finding"))
    async with index.write() as writer:
        one = document("B", "the liver finding")
        await writer.put(one, chunked(one), await ENCODER.encode(["the liver finding"]))
        assert await meaning(index, "liver") == ["A#0"]
        assert await words(index, "liver") == []
    assert await words(index, "liver") == ["B#0"]


async def test_many_searches_at_once_agree(index: Index) -> None:
    await store(index, *(document(f"D{n}", f"finding number {n} in rats") for n in range(20)))

    async def search() -> Sequence[str]:
        return [*await words(index, "finding 7 rats"), *await meaning(index, "finding 7 rats")]

    results = await asyncio.gather(*(search() for _ in range(12)))
    assert results[0][0] == "D7#0"
    assert all(result == results[0] for result in results)


async def test_a_version_is_another_one_after_each_write(index: Index) -> None:
    seen = [await index.version()]
    await store(index, document("A", "one"))
    seen.append(await index.version())
    assert await index.version() == seen[-1]
    async with index.write() as writer:
        await writer.delete("A")
    assert len({*seen, await index.version()}) == 3


async def test_what_is_stored_can_be_put_into_another_index(index: Index) -> None:
    first = document("A", "one", "two", "three")
    vectors = await ENCODER.encode(["one", "a", "b"])
    async with index.write() as writer:
        await writer.put(first, chunked(first), vectors, (1, 0, 2))
    stored = await index.stored("A")
    assert stored is not None
    assert (stored.document, list(stored.chunks), stored.parts) == (first, chunked(first), (1, 0, 2))
    assert np.allclose(stored.vectors, vectors, atol=1e-6)
    assert await index.stored("B") is None


@pytest.mark.parametrize("kind", INDEXES)
async def test_what_may_be_read_is_found_as_if_there_was_nothing_else(kind: str, tmp_path: Path) -> None:
    texts = [
        "Rats received PX-1",
        "dose in rats",
        "PX-1 (pexil) was stopped",
        "rats and rats",
        "pexil in dogs",
    ]
    documents = [document(f"D{n}", text, names=(("PX-1",),) * (n == 0)) for n, text in enumerate(texts)]
    hidden = {"D2", "D3"}
    whole, own, never = (INDEXES[kind](tmp_path / name, ENCODER) for name in ("whole", "own", "never"))
    index = ReadableIndex(whole, lambda: own, lambda record: record.doc_id not in hidden)
    await store(whole, *documents)
    shown = [one for one in documents if one.record.doc_id not in hidden]
    for step in range(3):
        await (store(never, *shown) if step == 0 else store(never, shown[-1]))
        await consolidate(never, [one.record.doc_id for one in shown])
        for text in ("rats", "pexil", "PX-1", "dose in dogs"):
            assert await index.lexical(SearchRequest(text)) == await never.lexical(SearchRequest(text))
            assert await meaning(index, text) == await meaning(never, text)
        assert await index.records() == await never.records()
        assert await index.molecules() == await never.molecules()
        assert await index.document("D2") is None
        assert await index.hidden() == hidden
        changed = document(f"D{5 + step}", f"rats once more {step}")
        await store(whole, changed)
        shown.append(changed)
    with pytest.raises(IndexForbidden):
        index.write()
    for one in (whole, own, never):
        await one.close()
