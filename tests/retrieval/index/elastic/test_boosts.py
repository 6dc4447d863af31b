"""What may count besides the words of a chunk, each on its own, on a real server."""

from dataclasses import fields

import pytest

from retrieval.index.elastic.queries import FLAT, Boosts
from retrieval.values import SearchRequest
from tests.retrieval.contracts.test_index import ENCODER, document, store
from tests.support.elastic import TrialIndex

DOCUMENTS = (
    document("A", "given to dogs for a year", title="Toxicity study"),
    document("B", "findings in a study of livers, with results"),
    document("C", "kidney findings, then liver toxicity in detail"),
    document("D", "RO4929097 given to dogs"),
)
"""Each chunk lies below the heading Results."""
QUESTIONS = {
    "title": "toxicity",
    "section": "results",
    "phrase": "liver toxicity",
    "code": "RO-4929097",
}
RAISED = {"title": {"A#0"}, "section": {"A#0", "B#0", "C#0", "D#0"}, "phrase": {"C#0"}, "code": {"D#0"}}


@pytest.mark.parametrize("name", [field.name for field in fields(Boosts)])
async def test_a_boost_raises_the_chunks_it_is_for(name: str) -> None:
    scores = []
    for boosts in (FLAT, Boosts(**{name: 50.0})):
        index = TrialIndex(ENCODER, boosts=boosts)
        await store(index, *DOCUMENTS)
        scores.append(dict(await index.lexical(SearchRequest(QUESTIONS[name] + " findings dogs"))))
        await index.close()
    flat, boosted = scores
    assert {chunk_id for chunk_id in flat if boosted[chunk_id] > flat[chunk_id] + 1} == RAISED[name]
