"""The contract of `Sources`, over every implementation."""

from dataclasses import replace

import pytest

from agents.evidence.sources import Source, document_source, tool_source, upload_source
from retrieval.values import DocumentRecord
from tests.adapters.storage.places import Place

LABEL = tool_source(
    "openFDA drug labels",
    "Zorvatinib tablets, adverse reactions",
    "# Adverse reactions\n\nNausea\x00 was seen in 12 % of patients.\n\n| α | 💊 |\n",
    query="zorvatinib",
    release="2026-06",
    date="2026-07-01",
    link="https://example.org/label/1",
)


@pytest.mark.parametrize("source", [LABEL, upload_source("Ada", "A note", "3 mg")])
async def test_a_source_comes_back_as_it_was_put(place: Place, source: Source) -> None:
    await place.sources.put(source)
    assert await place.sources.get(source.id) == source


async def test_an_unknown_id_gives_none(place: Place) -> None:
    assert await place.sources.get("tool-0000") is None


async def test_the_first_fetch_stays(place: Place) -> None:
    await place.sources.put(LABEL)
    await place.sources.put(replace(LABEL, date="2027-01-01", query="another question"))
    assert await place.sources.get(LABEL.id) == LABEL


async def test_a_document_is_not_kept_twice(place: Place) -> None:
    record = DocumentRecord("ib-1", "ib-1.pdf", "ab" * 32, "pdf", "Brochure")
    with pytest.raises(ValueError, match="ib-1"):
        await place.sources.put(document_source(record))
    assert await place.sources.get("ib-1") is None
