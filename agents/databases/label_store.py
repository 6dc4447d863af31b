"""`Labels` over an index of labels; openFDA over the network only for a drug of which nothing is loaded."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from agents.databases.ingredients import spellings
from agents.databases.label_documents import label_chunks, label_document, passage_of
from agents.databases.label_format import whole_label
from agents.databases.labels import LabelPassage, ranked
from agents.databases.openfda import API, OPENFDA, phrase, results
from agents.databases.ports import Web, WebRequest
from agents.errors import ToolFailed
from retrieval.errors import RetrievalError
from retrieval.ports import Index, Retriever
from retrieval.values import Document, DocumentRecord, Filters, SearchRequest

MOST_LABELS = 3
"""Labels of one drug that are read: those of other labelers mostly repeat them."""
ASKED = 5
WIDER = 5
"""How many times as many passages are looked at where older versions and copies are to be left out."""
TELLING = (
    "boxed_warning",
    "warnings",
    "warnings_and_cautions",
    "adverse_reactions",
    "contraindications",
    "indications_and_usage",
)


class LabelStore:
    """`Labels` over an index that holds labels and nothing else (`label_documents`), and what searches it.

    `web` is None where openFDA is not to be asked.
    """

    def __init__(self, index: Index, retriever: Retriever, web: Web | None = None) -> None:
        self._index = index
        self._retriever = retriever
        self._web = web

    async def passages(self, names: Sequence[str]) -> tuple[LabelPassage, ...]:
        """See `Labels`. Raises `ToolFailed` where openFDA has to be asked and does not reply as it should."""
        documents = await self._documents(names)
        return tuple(passage_of(chunk, one.record) for one in documents for chunk in label_chunks(one))

    async def known(self, names: Sequence[str]) -> bool:
        """See `Labels`."""
        return self._web is not None or bool(await self._records(names))

    async def search(
        self, names: Sequence[str], query: str, limit: int = 10, sections: Sequence[str] = ()
    ) -> tuple[LabelPassage, ...]:
        """See `Labels`: by words and, where passages have vectors, by meaning."""
        if not names:
            return await self._anywhere(query, limit, tuple(sections))
        chosen = chosen_records(await self._records(names))
        if not chosen:
            return ranked(await self.passages(names), query, sections)[:limit]
        filters = Filters(doc_ids=tuple(one.doc_id for one in chosen), sections=tuple(sections))
        with _as_tool_failure():
            hits = await self._retriever.search(SearchRequest(query, filters, limit))
        return tuple(passage_of(hit.chunk, hit.record) for hit in hits)

    async def _anywhere(self, query: str, limit: int, sections: tuple[str, ...]) -> tuple[LabelPassage, ...]:
        """The best passages of all labels, of the newest version of each, none twice."""
        with _as_tool_failure():
            request = SearchRequest(query, Filters(sections=sections), limit * WIDER)
            hits = await self._retriever.search(request)
        names = {name for hit in hits for name in hit.record.main_molecules or hit.record.molecules}
        newest = {one.doc_id for one in newest_versions(await self._named(names))}
        found: dict[str, LabelPassage] = {}
        for hit in hits:
            if hit.record.doc_id in newest:
                found.setdefault(hit.chunk.text.casefold(), passage_of(hit.chunk, hit.record))
        return tuple(found.values())[:limit]

    async def _named(self, names: Iterable[str]) -> list[DocumentRecord]:
        """The records of all labels of these ingredients: a newer version may have another title."""
        if not (asked := tuple(sorted(names))):
            return []
        with _as_tool_failure():
            return await self._index.records(Filters(molecules=asked))

    async def _records(self, names: Sequence[str]) -> list[DocumentRecord]:
        with _as_tool_failure():
            return await self._index.records(Filters(molecules=spellings(names)))

    async def _documents(self, names: Sequence[str]) -> list[Document]:
        """The labels of a drug to read: those that are loaded, else openFDA's."""
        if records := await self._records(names):
            with _as_tool_failure():
                read = [await self._index.document(one.doc_id) for one in chosen_records(records)]
            return [one for one in read if one is not None]
        fetched = {one.record.doc_id: one for one in await self._fetched(names)}
        return [fetched[one.doc_id] for one in chosen_records([one.record for one in fetched.values()])]

    async def _fetched(self, names: Sequence[str]) -> list[Document]:
        """Labels from openFDA by the drug's first name; none where it is not to be asked. It also finds
        longer names with these words (silver sulfadiazine), which are other drugs.
        """
        if self._web is None:
            return []
        name = phrase(names[0])
        search = f"openfda.generic_name:{name} OR openfda.substance_name:{name}"
        params = (("search", search), ("sort", "effective_time:desc"), ("limit", str(ASKED)))
        reply = await self._web.fetch(WebRequest(OPENFDA.name, f"{API}/label.json", params))
        if reply is None:
            return []
        values = results(reply)
        labels = [whole_label(one) for one in values if isinstance(one, dict)]
        if values and not any(labels):
            raise ToolFailed(f"{OPENFDA.title} replied with labels without sections: its form has changed.")
        made = [label_document(one) for one in labels if one]
        return [one for one in made if set(spellings(names)) & set(one.record.molecules)]


def newest_versions(records: Iterable[DocumentRecord]) -> list[DocumentRecord]:
    """The newest version of each label."""
    newest: dict[str, DocumentRecord] = {}
    for one in records:
        key = one.path or one.title.casefold()
        if key not in newest or one.date >= newest[key].date:
            newest[key] = one
    return list(newest.values())


def chosen_records(records: Iterable[DocumentRecord]) -> list[DocumentRecord]:
    """The labels to read: the newest version of each, those of the drug alone before its combinations, one
    of each text, the fullest first, at most `MOST_LABELS`.
    """
    newest = newest_versions(records)
    fewest = min((len(one.main_molecules) for one in newest), default=0)
    alone = [one for one in newest if len(one.main_molecules) == fewest]
    order = sorted(alone, key=lambda one: (-_fullness(one), _reversed(one.date), one.title))
    different = {one.sha256: one for one in reversed(order)}
    return [one for one in order if different[one.sha256] is one][:MOST_LABELS]


def _fullness(record: DocumentRecord) -> int:
    """How many of the sections that tell of harm a label has; a whole label has most of them."""
    return sum(name in record.keywords for name in TELLING)


def _reversed(day: str) -> tuple[int, ...]:
    """Sorts the newest day first."""
    return tuple(-ord(letter) for letter in day) or (0,)


@contextmanager
def _as_tool_failure() -> Iterator[None]:
    """What hinders the index is told like a database that fails."""
    try:
        yield
    except RetrievalError as error:
        raise ToolFailed(f"The loaded labels cannot be read. {error}") from error
