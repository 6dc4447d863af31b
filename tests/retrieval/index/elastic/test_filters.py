"""Conditions mean the same in Elasticsearch as everywhere (`retrieval.index.filters.passes`)."""

from dataclasses import replace
from itertools import product

import numpy as np

from retrieval.index.filters import passes
from retrieval.values import Document, DocumentRecord, Filters
from tests.support.elastic import TrialIndex
from tests.support.hashing import HashingEncoder

DATES = ("", "2004", "2004-03", "2004-03-15", "2005-01", "1999-12-31", "2004-12-31")


async def test_dates_of_any_exactness_pass_as_they_do_elsewhere() -> None:
    index = TrialIndex(HashingEncoder(8))
    base = DocumentRecord("", "", "0" * 64, "md", "")
    records = [replace(base, doc_id=f"D{date}", date=date) for date in DATES]
    async with index.write() as writer:
        for record in records:
            await writer.put(Document(record, ""), [], np.zeros((0, 8), np.float32))
    for first, last in product(DATES, DATES):
        filters = Filters(date_from=first, date_to=last)
        expected = sorted(record.doc_id for record in records if passes(record, filters))
        assert [record.doc_id for record in await index.records(filters)] == expected, filters
    await index.close()
