"""What a channel disputes is ranked lower in its later answers, and told where it is cited after all."""

from collections.abc import Sequence
from dataclasses import replace

from agents.archive.answer import Answer
from agents.kinds import Disputed
from retrieval.ports import Retriever
from retrieval.values import Hit, SearchRequest

DOUBTED = 0.25
"""Share of its score that a chunk with a disputed passage keeps: the best one falls behind the next few."""


class Doubting:
    """Implements `retrieval.ports.Retriever` over another one, with what is disputed ranked lower."""

    def __init__(self, retriever: Retriever, disputed: Sequence[Disputed]) -> None:
        self._retriever = retriever
        self._disputed = disputed

    async def search(self, request: SearchRequest) -> list[Hit]:
        """See the port."""
        hits = await self._retriever.search(request)
        weighed = [replace(hit, score=hit.score * self._weight(hit)) for hit in hits]
        return sorted(weighed, key=lambda hit: -hit.score)

    def _weight(self, hit: Hit) -> float:
        chunk = hit.chunk
        doubted = any(_meets(one, chunk.doc_id, chunk.start, chunk.end) for one in self._disputed)
        return DOUBTED if doubted else 1.0


def with_doubts(answer: Answer, disputed: Sequence[Disputed]) -> Answer:
    """The answer with a note for each disputed passage that it cites."""
    notes = tuple(
        f"Source {cited.number} is what this channel disputes: {one.told}."
        for cited in answer.citations
        for one in disputed
        if _meets(one, cited.doc_id, cited.start, cited.end)
    )
    return replace(answer, notes=(*answer.notes, *dict.fromkeys(notes))) if notes else answer


def _meets(one: Disputed, doc_id: str, start: int, end: int) -> bool:
    """Whether a span of a document and a disputed one overlap."""
    return one.doc_id == doc_id and one.start < end and start < one.end
