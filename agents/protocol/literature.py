"""Where articles and datasets are looked up: a folder at hand, the public databases, or the own archive.

Contract: `tests/agents/protocol/test_literature_contract.py`.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from agents.evidence.sources import Source, tool_source
from agents.protocol.boolean import joined, parsed, words_of
from agents.protocol.values import Article, DataFile, Dataset
from agents.tools.markdown import as_markdown
from retrieval.values import Document

WEIGHTS = (9, 3, 1)
"""What a term counts in title, abstract and body."""


@dataclass(frozen=True, slots=True)
class Paper:
    """An article with its text. `source` is kept so that citations open; None for a document of the archive.

    `accessions` are those of the whole article, its references as well.
    """

    article: Article
    document: Document
    source: Source | None = None
    accessions: tuple[str, ...] = ()


class Literature(Protocol):
    """One place. All raise `ToolFailed` in a sentence for a reader where it cannot be asked. A place that
    takes these methods over has neither articles nor datasets.
    """

    name: str
    live: bool
    """Whether what is searched for leaves the house."""

    async def articles(self, query: str, limit: int) -> Sequence[Article]:
        """Articles that a Boolean query finds, the most relevant first."""
        return ()

    async def paper(self, article: Article) -> Paper | None:
        """An article of this place with as much of its text as there is; None for one of another place."""
        return None

    async def datasets(self, query: str, limit: int) -> Sequence[Dataset]:
        """Datasets that a Boolean query finds; not judged."""
        return ()

    async def dataset(self, accession: str) -> Dataset | None:
        """A dataset by its accession; None where this place does not have it."""
        return None

    async def at_hand(self) -> Sequence[Dataset]:
        """All datasets with tables that a program can read."""
        return ()


@dataclass(frozen=True, slots=True)
class Held:
    """An article at hand: its body as it is searched, and how its text is read. `about` are the DOIs of the
    articles that it withdraws or corrects, with what it does.
    """

    article: Article
    body: str
    read: Callable[[], Paper]
    about: tuple[tuple[str, str], ...] = ()


class LocalLiterature:
    """`Literature` in memory: articles, descriptions of datasets, and tables that programs can read."""

    live = False

    def __init__(self, name: str, held: Sequence[Held], datasets: Sequence[Dataset] = ()) -> None:
        self.name = name
        self.held, self.told = {one.article.id: one for one in held}, tuple(datasets)

    async def look(self) -> None:
        """Called before each question; a place that changes reads `held` and `told` anew."""

    async def articles(self, query: str, limit: int) -> Sequence[Article]:
        """See `Literature`. Terms of the title count most."""
        node = parsed(query)
        found = []
        await self.look()
        for key, one in self.held.items():
            texts = (one.article.title, one.article.abstract, one.body)
            parts = [words_of(text) for text in texts]
            if node.matches(joined(parts)):
                rank = sum(
                    weight
                    for words, weight in zip(parts, WEIGHTS, strict=True)
                    for term in node.terms
                    if words.has(term, quoted=" " in term)
                )
                found.append((-rank, key, one.article))
        return [article for _, _, article in sorted(found, key=lambda each: each[:2])][:limit]

    async def paper(self, article: Article) -> Paper | None:
        """See `Literature`."""
        await self.look()
        held = self.held.get(article.id)
        return await asyncio.to_thread(held.read) if held and article.source == self.name else None

    async def datasets(self, query: str, limit: int) -> Sequence[Dataset]:
        """See `Literature`. Of a dataset one of the query's terms is enough: its description is short."""
        terms = parsed(query).terms
        ranked = []
        await self.look()
        for one in self.told:
            words = words_of(described(one))
            rank = sum(words.has(term, quoted=" " in term) for term in terms)
            ranked.append((-rank, one.accession, one))
        return [one for rank, _, one in sorted(ranked, key=lambda each: each[:2]) if rank][:limit]

    async def dataset(self, accession: str) -> Dataset | None:
        """See `Literature`."""
        wanted = accession.casefold()
        await self.look()
        names = ((one, (one.accession, *(file.name for file in one.files))) for one in self.told)
        return next((one for one, some in names if wanted in map(str.casefold, some)), None)

    async def at_hand(self) -> Sequence[Dataset]:
        """See `Literature`."""
        await self.look()
        return tuple(one for one in self.told if one.files)


def described(dataset: Dataset) -> str:
    """All that is known of a dataset, as text."""
    files = (f"{one.name} {' '.join(one.columns)}" for one in dataset.files)
    parts = (dataset.accession, dataset.title, dataset.summary, dataset.kind, dataset.organism, *files)
    return "\n".join(filter(None, parts))


def dataset_source(dataset: Dataset) -> Source:
    """A dataset's description as a source that can be cited."""
    fields = {
        "accession": dataset.accession,
        "title": dataset.title,
        "kind": dataset.kind,
        "organism": dataset.organism,
        "samples": dataset.samples,
        "platform": dataset.platform,
        "summary": dataset.summary,
        **{f"file {one.name}": _table(one) for one in dataset.files},
    }
    told: dict[str, JsonValue] = {name: value for name, value in fields.items() if value not in (None, "")}
    title = f"{dataset.accession}: {dataset.title}" if dataset.title else dataset.accession
    text = as_markdown(told, title)
    return tool_source(dataset.source or "dataset", title, text, query=dataset.accession, link=dataset.link)


def _table(one: DataFile) -> str:
    """What a table holds, in a line."""
    levels = (f"{name}: {' / '.join(values)}" for name, values in one.levels)
    return "; ".join((f"{one.kind}, {one.rows} rows", f"columns {', '.join(one.columns[:12])}", *levels))
