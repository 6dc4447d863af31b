"""PubMed: articles with abstracts and authors, asked and read. `literature` and `pubmed_records` follow."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agents.databases.database import database
from agents.databases.fields import json_of, list_of, text
from agents.databases.markup import Element, xml_root
from agents.databases.ports import WebReply, WebRequest
from agents.databases.target import Target
from agents.errors import ToolFailed

PUBMED = database("pubmed")
EUTILS = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
FOUND = 15
"""Articles of one search, the most relevant first."""
NAMES = 4
"""Names of a target that are searched: its symbol, its full name, and its first other symbols."""
SEARCHES = (
    '(toxicity[tiab] OR "adverse effects"[sh] OR "adverse event*"[tiab] OR "side effect*"[tiab])',
    '(knockout[tiab] OR deficient[tiab] OR "loss of function"[tiab] OR inhibition[ti] OR antagonist*[ti])',
)


@dataclass(frozen=True, slots=True)
class Author:
    """An author as an article names them. `affiliation` is the first one, `orcid` without its address."""

    last: str
    fore: str = ""
    initials: str = ""
    affiliation: str = ""
    orcid: str = ""

    @property
    def key(self) -> str:
        """Last name and first initial, under which the articles of an author are searched."""
        return f"author {self.last} {self.initials[:1]}".casefold()


@dataclass(frozen=True, slots=True)
class Article:
    """An article. `abstract` holds its parts in order, each with its label ("RESULTS") or "".

    `kinds` are its types of publication, `related` the relations to others ("RetractionIn", "ErratumIn"),
    `terms` its keywords and subject headings, `data` what is said of datasets: banks and data references.
    """

    pmid: str
    title: str
    journal: str = ""
    year: str = ""
    abstract: tuple[tuple[str, str], ...] = ()
    doi: str = ""
    kinds: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    authors: tuple[Author, ...] = ()

    @property
    def text(self) -> str:
        """Title, abstract and terms."""
        return " ".join((self.title, *(part for _, part in self.abstract), *self.terms))


def searched_names(target: Target) -> tuple[str, ...]:
    """The names under which a target is searched. Short other symbols are left out: they mean much else."""
    others = [name for name in target.symbols[1:] if len(name) > 3]
    names = dict.fromkeys(filter(None, (target.symbol, target.name, *others)))
    return tuple(name.replace('"', " ") for name in names)[:NAMES]


def search_request(target: Target, about: str) -> WebRequest:
    """Asks PubMed for articles that name the target, and `about` in terms of its query language."""
    names = " OR ".join(f'"{name}"[tiab]' for name in searched_names(target))
    return term_request(f"({names}) AND {about}")


def term_request(
    term: str, most: int = FOUND, database: str = "pubmed", source: str = PUBMED.name
) -> WebRequest:
    """Asks a database of NCBI for ids in terms of its query language, the most relevant first."""
    params = (
        ("db", database),
        ("term", term),
        ("retmode", "json"),
        ("retmax", str(most)),
        ("sort", "relevance"),
    )
    return WebRequest(source, f"{EUTILS}/esearch.fcgi", params)


def fetch_request(pmids: Sequence[str]) -> WebRequest:
    """Asks PubMed for articles with their abstracts."""
    params = (("db", "pubmed"), ("id", ",".join(pmids)), ("retmode", "xml"))
    return WebRequest(PUBMED.name, f"{EUTILS}/efetch.fcgi", params)


def parse_search(reply: WebReply, title: str = PUBMED.title) -> tuple[str, ...]:
    """The ids that a database of NCBI found. Raises `ToolFailed` for a reply of another form."""
    value = json_of(reply, title)
    if said := text(value, "esearchresult", "ERROR") or text(value, "error"):
        raise ToolFailed(f"{title} replied without a list of records: {said} ({reply.url}).")
    found = list_of(value, title, "esearchresult", "idlist")
    return tuple(pmid for one in found if (pmid := text(one)).isdigit())


def parse_articles(reply: WebReply, pmids: Iterable[str]) -> tuple[Article, ...]:
    """The articles of these ids; others are not what was asked for and are left out.

    Raises `ToolFailed` for a reply that is no set of articles, or holds other articles only.
    """
    try:
        root = xml_root(reply.text)
    except ValueError as error:
        raise ToolFailed(f"{PUBMED.title} replied with something that is no XML ({reply.url}).") from error
    if root.tag != "PubmedArticleSet":
        raise ToolFailed(f"{PUBMED.title} replied without articles: its form has changed ({reply.url}).")
    wanted = set(pmids)
    found = articles_in(root)
    ours = tuple(one for one in found if one.pmid in wanted and one.title)
    if found and not ours:
        raise ToolFailed(
            f"{PUBMED.title} replied with other articles than were asked for; they are not used."
        )
    return ours


def articles_in(root: Element) -> tuple[Article, ...]:
    """The articles of a set (`PubmedArticleSet`)."""
    return tuple(_article(one) for one in root.iterfind("PubmedArticle"))


DATA_REFERENCE = re.compile(r"\bDeposited \d|\[Data ?set\]|\bdata ?set\b", re.IGNORECASE)
"""How a reference to a dataset differs from one to an article."""


def _article(element: Element) -> Article:
    abstract = element.iterfind(".//Article/Abstract/AbstractText")
    parts = ((part.get("Label") or "", _words(part)) for part in abstract)
    issue = ".//JournalIssue/PubDate"
    year = element.findtext(f"{issue}/Year") or element.findtext(f"{issue}/MedlineDate") or ""
    return Article(
        (element.findtext("./MedlineCitation/PMID") or "").strip(),
        _words(element.find(".//Article/ArticleTitle")),
        (element.findtext(".//Journal/ISOAbbreviation") or "").strip(),
        year[:4],
        tuple(part for part in parts if part[1]),
        (element.findtext(".//PubmedData/ArticleIdList/ArticleId[@IdType='doi']") or "").strip(),
        _all(element, ".//PublicationTypeList/PublicationType"),
        tuple(one.get("RefType") or "" for one in element.iterfind(".//CommentsCorrections")),
        (*_all(element, ".//KeywordList/Keyword"), *_all(element, ".//MeshHeading/DescriptorName")),
        (
            *_all(element, ".//DataBank"),
            *filter(DATA_REFERENCE.search, _all(element, ".//ReferenceList/Reference/Citation")),
        ),
        tuple(_author(one) for one in element.iterfind(".//AuthorList/Author") if one.findtext("LastName")),
    )


def _author(element: Element) -> Author:
    orcid = next((one.text or "" for one in element.iterfind("Identifier[@Source='ORCID']")), "")
    return Author(
        (element.findtext("LastName") or "").strip(),
        (element.findtext("ForeName") or "").strip(),
        (element.findtext("Initials") or "").strip(),
        _words(element.find(".//Affiliation")),
        orcid.rstrip("/").rpartition("/")[2],
    )


def _all(element: Element, path: str) -> tuple[str, ...]:
    """The texts of all elements at a path."""
    return tuple(filter(None, map(_words, element.iterfind(path))))


def _words(element: Element | None) -> str:
    """The text of an element and of all in it, on one line."""
    return "" if element is None else " ".join("".join(map(str, element.itertext())).split())
