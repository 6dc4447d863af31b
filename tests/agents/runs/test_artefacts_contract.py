"""What every store of artefacts does: in memory, in SQLite, in PostgreSQL."""

import asyncio
import hashlib

import pytest

from agents.errors import ArtefactTooLarge
from agents.runs.artefacts import MOST_BYTES, Artefact
from agents.runs.encoding import decode
from agents.runs.execute import execute
from agents.runs.pipeline import Pipeline, new_run
from agents.runs.run import Run
from tests.adapters.storage.places import Place

PICTURE = bytes(range(256)) * 10


async def test_file_comes_back_by_the_hash_of_its_content(place: Place) -> None:
    kept = await place.artefacts.put(PICTURE, "image/png", "dose.png")
    assert kept == Artefact(hashlib.sha256(PICTURE).hexdigest(), "image/png", "dose.png", 2560)
    assert await place.artefacts.get(kept.sha256) == PICTURE
    assert await place.artefacts.get("0" * 64) is None


async def test_same_content_is_kept_once_under_any_name(place: Place) -> None:
    names = ["a.png", "b.png", "a.png"]
    kept = await asyncio.gather(*[place.artefacts.put(PICTURE, "image/png", name) for name in names])
    assert [one.name for one in kept] == names
    assert {one.sha256 for one in kept} == {kept[0].sha256}


async def test_file_is_described_as_it_was_first_kept(place: Place) -> None:
    first = await place.artefacts.put(PICTURE, "image/png", "a.png")
    await place.artefacts.put(PICTURE, "text/plain", "b.txt")
    assert await place.artefacts.described(first.sha256) == first
    assert await place.artefacts.described("0" * 64) is None


async def test_empty_file_is_a_file(place: Place) -> None:
    kept = await place.artefacts.put(b"", "text/plain", "empty.txt")
    assert await place.artefacts.get(kept.sha256) == b""


async def test_file_that_is_too_large_is_refused_with_its_size(place: Place) -> None:
    with pytest.raises(ArtefactTooLarge, match=r"huge.bin has 20000001 bytes.*Make it smaller"):
        await place.artefacts.put(bytes(MOST_BYTES + 1), "application/octet-stream", "huge.bin")
    assert await place.artefacts.put(bytes(MOST_BYTES), "application/octet-stream", "large.bin")


async def test_step_refers_to_the_file_that_it_made(place: Place) -> None:
    async def work(run: Run, name: str) -> Artefact:
        async def draw(name: str) -> Artefact:
            return await run.artefact(PICTURE, "image/png", name)

        return await run.step("draw", draw, name)

    record = new_run("draw", "dose.png")
    await place.ledger.create(record)
    pipelines = {"draw": Pipeline(work, str, Artefact)}
    await execute(record.run_id, place.ledger, pipelines, "one", artefacts=place.artefacts)
    done = await place.ledger.run(record.run_id)
    assert done is not None
    artefact = decode(Artefact, done.result, "result")
    assert await place.artefacts.get(artefact.sha256) == PICTURE
