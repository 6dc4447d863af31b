"""Where scientists are found: records of PubMed, loaded or asked for, and ligands of targets with papers."""

import re
from collections import defaultdict
from collections.abc import Sequence
from math import log
from typing import Protocol

from agents.databases.gtopdb import GTOPDB
from agents.databases.ports import Bulk, Reach, Web
from agents.databases.pubmed import Article, Author, fetch_request, parse_articles, parse_search, term_request
from agents.databases.pubmed_records import RECORDS, article_of, words_of
from agents.design.lab import readable
from agents.design.values import Published
from agents.errors import ToolFailed

_TAIL = re.compile(r"\s*\[PMID.*\]$")
"""What names of compounds of papers end with."""


class Publications(Protocol):
    """Finds articles. Tests: `tests/agents/design/test_profiles.py`."""

    name: str

    async def on(self, words: str, most: int) -> tuple[Article, ...]:
        """Articles on some words, the most relevant first. Raises `ToolFailed`."""

    async def by(self, author: Author, most: int) -> tuple[Article, ...]:
        """Articles whose first or last author has this name. Raises `ToolFailed`."""


class LoadedPublications:
    """Over loaded files. An article scores the sum of the inverse frequencies of the words that it has."""

    name = "loaded PubMed records"

    def __init__(self, bulk: Bulk) -> None:
        self._bulk = bulk

    async def on(self, words: str, most: int) -> tuple[Article, ...]:
        """See the port."""
        loaded = self._bulk.release(RECORDS.name)
        scores: defaultdict[str, float] = defaultdict(float)
        found: dict[str, Article] = {}
        for word in sorted(words_of(words)):
            rows = await self._bulk.rows(RECORDS.name, word)
            for article in map(article_of, rows):
                found[article.pmid] = article
                scores[article.pmid] += log(1 + (loaded.rows if loaded else 0) / len(rows))
        best = sorted(found, key=lambda pmid: (-scores[pmid], pmid))
        return tuple(found[pmid] for pmid in best[:most])

    async def by(self, author: Author, most: int) -> tuple[Article, ...]:
        """See the port."""
        rows = await self._bulk.rows(RECORDS.name, author.key)
        return tuple(map(article_of, rows))[:most]


class LivePubMed:
    """Over the network, by PubMed's own relevance."""

    name = "PubMed"

    def __init__(self, web: Web) -> None:
        self._web = web

    async def by(self, author: Author, most: int) -> tuple[Article, ...]:
        """See the port."""
        name = f"{author.last} {author.initials}".strip()
        return await self.on(f"{name}[1au] OR {name}[lastau]", most)

    async def on(self, words: str, most: int) -> tuple[Article, ...]:
        """See the port."""
        reply = await self._web.fetch(term_request(words, most))
        pmids = parse_search(reply) if reply else ()
        if not pmids or (articles := await self._web.fetch(fetch_request(pmids))) is None:
            return ()
        known = {one.pmid: one for one in parse_articles(articles, pmids)}
        return tuple(known[pmid] for pmid in pmids if pmid in known)


def literature_of(reach: Reach) -> Publications | None:
    """Loaded records where there are any, else PubMed where the network may be used; None for neither."""
    if reach.bulk.release(RECORDS.name) is not None:
        return LoadedPublications(reach.bulk)
    return LivePubMed(reach.web) if reach.web is not None else None


class Ligands:
    """Known ligands that can be read, from the loaded table; none where it is not loaded."""

    def __init__(self, bulk: Bulk) -> None:
        self._bulk = bulk

    async def of_target(self, symbol: str) -> tuple[Published, ...]:
        """Those of a gene."""
        rows = [one for one in await self._rows(symbol) if one.target.casefold() == symbol.casefold()]
        return tuple({one.smiles: one for one in rows}.values())

    async def named(self, name: str) -> Published | None:
        """The ligand of this name, or None."""
        return next(iter(await self._rows(f"ligand {name}")), None)

    async def of_papers(self, pmids: Sequence[str]) -> tuple[Published, ...]:
        """Those that some papers report, each once."""
        found: dict[str, Published] = {}
        for pmid in pmids:
            for one in await self._rows(f"pmid {pmid}", pmid):
                found.setdefault(one.smiles, one)
        return tuple(found.values())

    async def _rows(self, key: str, pmid: str = "") -> list[Published]:
        try:
            rows = await self._bulk.rows(GTOPDB.name, key)
        except ToolFailed:
            return []
        return [
            Published(
                row["smiles"],
                _TAIL.sub("", row.get("ligand", "")),
                pmid or row.get("pubmed_id", "").split("|")[0],
                row.get("target_gene_symbol", ""),
            )
            for row in rows
            if readable(row["smiles"])[0]
        ]
