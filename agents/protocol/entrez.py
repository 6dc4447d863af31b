"""PubMed, PMC and GEO over NCBI's E-utilities. Limits, key and cache are those of `Web`."""

from collections.abc import Sequence

from pydantic import JsonValue

from agents.databases.fields import json_of, text
from agents.databases.ports import Web, WebReply, WebRequest
from agents.databases.pubmed import EUTILS, fetch_request, parse_articles, parse_search, term_request
from agents.errors import ToolFailed
from agents.protocol.accessions import link_of
from agents.protocol.folder import of_abstract, of_front
from agents.protocol.literature import Held, Literature, Paper
from agents.protocol.values import Article, Dataset
from retrieval.errors import DocumentError
from retrieval.parse.jats import read_fronts


class _Entrez(Literature):
    """What the three share: a search gives ids, and a database has no articles or datasets of its own."""

    live = True

    def __init__(self, web: Web, name: str, database: str) -> None:
        self.name = name
        self._web, self._database = web, database
        self._held: dict[str, Held] = {}

    async def articles(self, query: str, limit: int) -> Sequence[Article]:
        """See `Literature`."""
        ids = await self._ids(query, limit)
        if ids:
            self._held |= {one.article.id: one for one in await self._fetched(ids)}
        prefix = "PMC" if self._database == "pmc" else "PMID "
        return [self._held[key].article for one in ids if (key := f"{prefix}{one}") in self._held]

    async def paper(self, article: Article) -> Paper | None:
        """See `Literature`. After a restart the article is fetched again."""
        if article.source != self.name:
            return None
        if article.id not in self._held:
            number = article.id.removeprefix("PMC").removeprefix("PMID ")
            self._held |= {one.article.id: one for one in await self._fetched([number])}
        held = self._held.get(article.id)
        return held.read() if held else None

    async def _ids(self, term: str, limit: int) -> tuple[str, ...]:
        reply = await self._web.fetch(term_request(term, limit, self._database, self.name))
        return parse_search(reply, self.name) if reply else ()

    async def _reply(self, program: str, ids: Sequence[str], mode: str) -> WebReply | None:
        params = (("db", self._database), ("id", ",".join(ids)), ("retmode", mode))
        return await self._web.fetch(WebRequest(self.name, f"{EUTILS}/{program}.fcgi", params))

    async def _fetched(self, ids: Sequence[str]) -> Sequence[Held]:
        return ()


class PubMedLive(_Entrez):
    """Abstracts of PubMed."""

    def __init__(self, web: Web) -> None:
        super().__init__(web, "PubMed", "pubmed")

    async def _fetched(self, ids: Sequence[str]) -> Sequence[Held]:
        reply = await self._web.fetch(fetch_request(ids))
        return [of_abstract(one, self.name) for one in parse_articles(reply, ids)] if reply else ()


class PmcLive(_Entrez):
    """Full texts of PubMed Central."""

    def __init__(self, web: Web) -> None:
        super().__init__(web, "PMC", "pmc")

    async def _fetched(self, ids: Sequence[str]) -> Sequence[Held]:
        found: list[Held] = []
        for one in ids:  # an article at a time: all together may be larger than a reply may be
            reply = await self._reply("efetch", [one], "xml")
            if reply is not None:
                found += self._read(reply, one)
        return found

    def _read(self, reply: WebReply, number: str) -> list[Held]:
        data = reply.text.encode()
        try:
            fronts = read_fronts(data, f"PMC{number}")[:1]
        except (DocumentError, ValueError) as error:
            raise ToolFailed(f"{self.name} replied with an article that cannot be read.") from error
        return [of_front(front, f"PMC{number}", self.name, lambda: data) for front in fronts]


class GeoLive(_Entrez):
    """Descriptions of datasets of the Gene Expression Omnibus."""

    def __init__(self, web: Web) -> None:
        super().__init__(web, "GEO", "gds")

    async def datasets(self, query: str, limit: int) -> Sequence[Dataset]:
        """See `Literature`. Series are wanted: samples and platforms are parts of them."""
        return await self._described(await self._ids(f"({query}) AND gse[ETYP]", limit))

    async def dataset(self, accession: str) -> Dataset | None:
        """See `Literature`."""
        if not accession.startswith(("GSE", "GDS", "GSM", "GPL")):
            return None
        found = await self._described(await self._ids(f"{accession}[ACCN]", 5))
        return next((one for one in found if one.accession == accession), None)

    async def _described(self, ids: Sequence[str]) -> list[Dataset]:
        reply = await self._reply("esummary", ids, "json") if ids else None
        if reply is None:
            return []
        value = json_of(reply, self.name)
        told = value.get("result") if isinstance(value, dict) else None
        records = [told.get(one) for one in ids] if isinstance(told, dict) else []
        return [_dataset(one) for one in records if text(one, "accession")]


def _dataset(record: JsonValue) -> Dataset:
    def said(name: str) -> str:
        return text(record, name)

    accession, count = said("accession"), said("n_samples")
    return Dataset(
        accession,
        said("gdstype"),
        said("title"),
        int(count) if count.isdigit() else None,
        said("taxon"),
        f"GPL{said('gpl')}" if said("gpl") else "",
        source="GEO",
        link=link_of(accession),
        summary=said("summary")[:1000],
    )


def live_literature(web: Web | None) -> tuple[Literature, ...]:
    """The three databases; none where the network is not to be used."""
    return () if web is None else (PubMedLive(web), PmcLive(web), GeoLive(web))
