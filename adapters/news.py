"""What is new in the archive, for digests: over its index, opened when first asked."""

from collections.abc import Callable, Collection, Mapping

from agents.house import House
from bot.digests.ports import Document
from retrieval.molecules.lookup import mentions
from retrieval.values import Filters, SearchRequest

PASSAGES = 100
"""Chunks of new documents that are compared with a digest's subject."""


class ArchiveNews:
    """Implements `bot.digests.ports.News` over a house."""

    def __init__(self, house: Callable[[], House]) -> None:
        self._house = house

    async def documents(self) -> Mapping[str, Document]:
        """See the port. Raises `IndexDamaged`."""
        records = await self._house().index.records()
        return {one.doc_id: Document(one.doc_id, one.title, one.sha256) for one in records}

    async def about(self, doc_ids: Collection[str], subject: str) -> list[str]:
        """See the port. A subject that names molecules is about the documents of these.

        Any other is searched for, and the reranker decides which of the passages speak of it.
        """
        house = self._house()
        wanted = tuple(sorted(doc_ids))
        molecules = tuple(
            dict.fromkeys(name for _, _, name in mentions(subject, await house.index.molecules()))
        )
        if molecules:
            found = await house.index.records(Filters(molecules=molecules, doc_ids=wanted))
            return [one.doc_id for one in found]
        hits = await house.retriever.search(SearchRequest(subject, Filters(doc_ids=wanted), PASSAGES))
        scores = await house.reranker.score(subject, [hit.chunk.text for hit in hits])
        speaking = [
            hit.record.doc_id
            for hit, score in zip(hits, scores, strict=True)
            if score >= house.reranker.threshold
        ]
        return list(dict.fromkeys(speaking))
