"""What a channel disputes is ranked lower in its later answers, and told where it is cited after all."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.archive.answer import Answer
from agents.reports.disputed import DOUBTED, Disputed, doubters, marked, notes_on
from retrieval.ports import Retriever
from retrieval.values import Hit, SearchRequest


@dataclass(frozen=True, slots=True)
class Doubting:
    """Implements `retrieval.ports.Retriever` over another one, with what is disputed ranked lower."""

    retriever: Retriever
    disputed: Sequence[Disputed]

    async def search(self, request: SearchRequest) -> list[Hit]:
        """See the port."""
        hits = await self.retriever.search(request)
        weighed = [replace(hit, score=hit.score * self._weight(hit)) for hit in hits]
        return sorted(weighed, key=lambda hit: -hit.score)

    def _weight(self, hit: Hit) -> float:
        chunk = hit.chunk
        return DOUBTED if doubters(self.disputed, chunk.doc_id, chunk.start, chunk.end) else 1.0


def with_doubts(answer: Answer, disputed: Sequence[Disputed]) -> Answer:
    """The answer with its citations marked, and a note for each disputed passage that it cites."""
    if not disputed:
        return answer
    notes = (*answer.notes, *notes_on(answer.citations, disputed))
    return replace(answer, citations=marked(answer.citations, disputed), notes=notes)
