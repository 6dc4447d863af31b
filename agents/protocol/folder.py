"""Literature in a folder: articles (JATS, PubMed's XML, PDF), descriptions in SOFT, and tables of data."""

import asyncio
import csv
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from agents.databases.markup import xml_root
from agents.databases.pubmed import Article as Abstract
from agents.databases.pubmed import articles_in
from agents.evidence.sources import Source, tool_source
from agents.protocol.accessions import accessions_in
from agents.protocol.literature import Held, LocalLiterature, Paper
from agents.protocol.soft import read_soft
from agents.protocol.tables import content, datasets_of, described, lines_of, tables_in
from agents.protocol.values import Article, DataFile, Dataset
from retrieval.errors import DocumentError
from retrieval.parse import DEFAULT_LIMITS, parse
from retrieval.parse.jats import Front, read_fronts, read_jats

logger = logging.getLogger(__name__)
NAME = "the literature folder"
MOST = 5_000
"""Files that are read."""
SETS = ".gmt"
HELPERS = ("symbols", "markers", "hgnc_complete_set")
"""Beginnings of names of tables that tasks on any data may read."""
SOFT = (".soft", ".soft.gz", ".txt", ".txt.gz")
WITHDRAWN = ("retracted", "retraction", "expression of concern", "concern")
CORRECTED = ("correct", "erratum", "corrigend")


class FolderLiterature(LocalLiterature):
    """`Literature` over a folder, which is read when it is first asked and again when a file has changed."""

    def __init__(self, folder: Path) -> None:
        super().__init__(NAME, ())
        self.folder = folder
        self._state: tuple[tuple[str, int], ...] = ()
        self._lock = asyncio.Lock()

    async def look(self) -> None:
        """See `LocalLiterature`."""
        async with self._lock:
            files = await asyncio.to_thread(_files, self.folder)
            state = tuple((str(one), one.stat().st_mtime_ns) for one in files)
            if state != self._state:
                read = await asyncio.to_thread(read_files, files)
                self.held, self.told, self._state = read.held, read.told, state

    async def gene_sets(self) -> tuple[str, ...]:
        """The names of files that programs may use for any data: gene sets (GMT), symbols, markers."""
        files = await asyncio.to_thread(_files, self.folder)
        return tuple(one.name for one in files if one.suffix == SETS or one.name.startswith(HELPERS))

    async def content(self, name: str) -> bytes | None:
        """The content of a table or of gene sets by its name; None for any other file."""
        for path in await asyncio.to_thread(_files, self.folder):
            if path.name == name and path.suffix == SETS:
                return await asyncio.to_thread(path.read_bytes)
            if name in await asyncio.to_thread(tables_in, path):
                return await asyncio.to_thread(content, path, name)
        return None


def _files(folder: Path) -> list[Path]:
    """The files of a folder, links aside: none leads out of it."""
    return sorted(one for one in folder.rglob("*") if one.is_file() and not one.is_symlink())[:MOST]


def read_files(files: Sequence[Path]) -> LocalLiterature:
    """What some files hold. One that cannot be read is left out, and logged."""
    held: list[Held] = []
    datasets: list[Dataset] = []
    tables: list[DataFile] = []
    for path in files:
        try:
            if path.suffix in (".xml", ".nxml"):
                held += _xml(path)
            elif path.suffix == ".h5ad":
                tables.append(DataFile(path.name, "AnnData"))
            elif path.suffix == ".pdf":
                held.append(_pdf(path))
            else:
                tables += [described(name, rows) for name, rows in tables_in(path).items()]
                if path.name.endswith(SOFT) and (found := read_soft(lines_of(path))):
                    datasets.append(found)
        except (DocumentError, OSError, ValueError, EOFError, csv.Error) as error:
            logger.warning("%s could not be read (%s).", path.name, type(error).__name__)
    return LocalLiterature(NAME, _noticed(held), merged(datasets_of(tables), datasets))


def merged(at_hand: Iterable[Dataset], told: Sequence[Dataset]) -> list[Dataset]:
    """Datasets with tables, each with what a description of the same accession says; then the others."""
    by_accession = {one.accession: one for one in told}
    tables = [
        replace(by_accession.pop(one.accession, one), files=one.files, samples=one.samples) for one in at_hand
    ]
    return [*tables, *by_accession.values()]


def _xml(path: Path) -> Iterator[Held]:
    data = path.read_bytes()
    if b"<PubmedArticleSet" in data[:2000]:
        for abstract in articles_in(xml_root(data.decode("utf-8", "replace"))):
            yield of_abstract(abstract, NAME)
        return
    for front in read_fronts(data, path.name)[:1]:
        yield of_front(front, path.stem, NAME, lambda: path.read_bytes())


def of_abstract(one: Abstract, source: str) -> Held:
    """A record of PubMed as an article at hand."""
    lines = [f"{label}: {text}" if label else text for label, text in one.abstract]
    told = " ".join((*one.kinds, *one.related)).lower()
    article = Article(
        f"PMID {one.pmid}",
        one.title,
        "\n".join(lines),
        one.journal,
        one.year,
        *notices(told),
        doi=one.doi,
        kind=", ".join(one.kinds),
        source=source,
        link=f"https://pubmed.ncbi.nlm.nih.gov/{one.pmid}/",
    )
    data = ("## Data", *one.data) if one.data else ()
    head = (f"# {one.title}", f"{one.journal} {one.year}", "## Abstract")
    text = "\n\n".join(filter(None, (*head, *lines, *data)))
    return Held(article, " ".join(one.terms), lambda: _paper(article, text, accessions_in(text)))


def of_front(front: Front, name: str, source: str, data: Callable[[], bytes]) -> Held:
    """A full text in JATS as an article at hand. `name` is its id where it has no number."""
    pmid, doi = front.ids.get("pmid", ""), front.ids.get("doi", "")
    pmc = front.ids.get("pmc", front.ids.get("pmcid", ""))
    told = " ".join((front.kind, *(relation for relation, _ in front.related))).lower()
    article = Article(
        f"PMC{pmc.removeprefix('PMC')}" if pmc else f"PMID {pmid}" if pmid else doi or name,
        front.title,
        front.abstract,
        front.journal,
        front.date[:4],
        *notices(told),
        doi=doi,
        kind=front.kind,
        full_text=True,
        source=source,
        link=f"https://doi.org/{doi}" if doi else "",
    )
    accessions = accessions_in(front.text)

    def read() -> Paper:
        return _paper(article, read_jats(data(), name, DEFAULT_LIMITS).text, accessions)

    return Held(article, " ".join((*front.keywords, front.text)), read, front.related)


def _pdf(path: Path) -> Held:
    text = parse(path).text
    title = next((line.lstrip("# ") for line in text.splitlines() if line.strip()), path.stem)[:200]
    article = Article(path.stem, title, text[:1500], full_text=True, source=NAME)
    return Held(article, text, lambda: _paper(article, text, accessions_in(text)))


def _paper(article: Article, text: str, accessions: tuple[str, ...]) -> Paper:
    source = article_source(article, text)
    return Paper(article, source.document, source, accessions)


def article_source(article: Article, text: str) -> Source:
    """An article's text as a source that can be cited."""
    name = f"{article.journal} {article.year}".strip() or "literature"
    title = f"{article.title} ({article.id})"
    return tool_source(name, title, text, query=article.id, date=article.year, link=article.link)


def notices(told: str) -> tuple[bool, str]:
    """Whether types and relations tell of a withdrawal, and what readers must know."""
    if any(word in told for word in WITHDRAWN):
        return True, "It was retracted, or its retraction or a concern was published: it is not used."
    if any(word in told for word in CORRECTED):
        return False, "A correction of it, or by it, was published: read that too."
    return False, ""


def _noticed(held: Sequence[Held]) -> list[Held]:
    """The articles; one that another of them withdraws or corrects says so."""
    told: dict[str, str] = {}
    for one in held:
        for relation, doi in one.about:
            told[doi] = f"{told.get(doi, '')} {relation}"
    return [_marked(one, told.get(one.article.doi, "").lower()) for one in held]


def _marked(one: Held, told: str) -> Held:
    retracted, notice = notices(told)
    if not notice or one.article.notice:
        return one
    article = replace(one.article, retracted=retracted, notice=notice)
    return replace(one, article=article, read=lambda: replace(one.read(), article=article))
