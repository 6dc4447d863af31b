"""The house's own archive as a place where literature is looked up."""

from collections.abc import Callable, Sequence

from agents.errors import ToolFailed
from agents.protocol.accessions import accessions_in
from agents.protocol.boolean import parsed
from agents.protocol.literature import Literature, Paper
from agents.protocol.values import Article
from retrieval.errors import RetrievalError
from retrieval.ports import Index, Retriever
from retrieval.values import SearchRequest

NAME = "our own archive"


class ArchiveLiterature(Literature):
    """`Literature` over the archive's index, which knows no Boolean queries: it is asked with their words."""

    name, live = NAME, False

    def __init__(self, index: Callable[[], Index], retriever: Callable[[], Retriever]) -> None:
        self._index, self._retriever = index, retriever

    async def articles(self, query: str, limit: int) -> Sequence[Article]:
        """See `Literature`. The documents of the best passages, each once."""
        try:
            if not await self._index().records():
                return ()
            hits = await self._retriever().search(SearchRequest(" ".join(parsed(query).terms), limit=limit))
        except (RetrievalError, OSError) as error:
            raise ToolFailed(f"The archive could not be searched ({type(error).__name__}).") from error
        found = {
            hit.record.doc_id: Article(
                hit.record.doc_id,
                hit.record.title,
                hit.chunk.text,
                year=hit.record.date[:4],
                kind=hit.record.document_type,
                full_text=True,
                source=NAME,
            )
            for hit in reversed(hits)
        }
        return tuple(found.values())[::-1]

    async def paper(self, article: Article) -> Paper | None:
        """See `Literature`."""
        document = await self._index().document(article.id) if article.source == NAME else None
        if document is None:
            return None
        return Paper(article, document, accessions=accessions_in(document.text))
