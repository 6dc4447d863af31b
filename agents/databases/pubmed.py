"""PubMed and Europe PMC: abstracts on a target's safety, asked and read. `literature` says what follows."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from agents.databases.database import Database
from agents.databases.fields import items, json_of, text, texts
from agents.databases.markup import Element, xml_root
from agents.databases.ports import WebReply, WebRequest
from agents.databases.target import Target
from agents.errors import ToolFailed

PUBMED = Database(
    name="pubmed",
    title="PubMed",
    tells="sentences of abstracts that name the target and an effect",
    licence="US government open data; abstracts may be protected by copyright",
    page="https://pubmed.ncbi.nlm.nih.gov/",
    calls=3,
)
EUROPE_PMC = Database(
    name="europepmc",
    title="Europe PMC",
    tells="the same abstracts, where PubMed cannot be reached",
    licence="with attribution; abstracts may be protected by copyright",
    page="https://europepmc.org/",
    calls=3,
)
EUTILS = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
EUROPE = "https://www.ebi.ac.uk/europepmc/webservices/rest/search"
FOUND = 15
"""Articles of one search, the most relevant first."""
NAMES = 4
"""Names of a target that are searched: its symbol, its full name, and its first other symbols."""
TAGS = re.compile(r"<[^>]{0,200}>")
SEARCHES = (
    '(toxicity[tiab] OR "adverse effects"[sh] OR "adverse event*"[tiab] OR "side effect*"[tiab])',
    '(knockout[tiab] OR deficient[tiab] OR "loss of function"[tiab] OR inhibition[ti] OR antagonist*[ti])',
)
EUROPE_SEARCH = '(toxicity OR "adverse effects" OR "side effects" OR knockout OR deficient)'


@dataclass(frozen=True, slots=True)
class Article:
    """An article. `abstract` holds its parts in order, each with its label ("RESULTS") or ""."""

    pmid: str
    title: str
    journal: str = ""
    year: str = ""
    abstract: tuple[tuple[str, str], ...] = ()


def searched_names(target: Target) -> tuple[str, ...]:
    """The names under which a target is searched. Short other symbols are left out: they mean much else."""
    others = [name for name in target.symbols[1:] if len(name) > 3]
    names = dict.fromkeys(filter(None, (target.symbol, target.name, *others)))
    return tuple(name.replace('"', " ") for name in names)[:NAMES]


def search_request(target: Target, about: str) -> WebRequest:
    """Asks PubMed for articles that name the target, and `about` in terms of its query language."""
    names = " OR ".join(f'"{name}"[tiab]' for name in searched_names(target))
    params = (
        ("db", "pubmed"),
        ("term", f"({names}) AND {about}"),
        ("retmode", "json"),
        ("retmax", str(FOUND)),
        ("sort", "relevance"),
    )
    return WebRequest(PUBMED.name, f"{EUTILS}/esearch.fcgi", params)


def fetch_request(pmids: Sequence[str]) -> WebRequest:
    """Asks PubMed for articles with their abstracts."""
    params = (("db", "pubmed"), ("id", ",".join(pmids)), ("retmode", "xml"))
    return WebRequest(PUBMED.name, f"{EUTILS}/efetch.fcgi", params)


def europe_request(target: Target) -> WebRequest:
    """Asks Europe PMC for articles that name the target, with their abstracts."""
    names = " OR ".join(f'TITLE_ABS:"{name}"' for name in searched_names(target))
    params = (
        ("query", f"({names}) AND {EUROPE_SEARCH} AND SRC:MED"),
        ("format", "json"),
        ("resultType", "core"),
        ("pageSize", str(FOUND)),
    )
    return WebRequest(EUROPE_PMC.name, EUROPE, params)


def parse_search(reply: WebReply) -> tuple[str, ...]:
    """The PubMed ids that were found. Raises `ToolFailed` for a reply of another form."""
    value = json_of(reply, PUBMED.title)
    found = value.get("esearchresult") if isinstance(value, dict) else None
    if not isinstance(found, dict) or not isinstance(found.get("idlist"), list):
        said = text(found, "ERROR") or text(value, "error") or "its form has changed"
        raise ToolFailed(f"{PUBMED.title} replied without a list of articles: {said} ({reply.url}).")
    return tuple(pmid for pmid in texts(found, "idlist") if pmid.isdigit())


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
    found = [_article(one) for one in root.iterfind("PubmedArticle")]
    ours = tuple(one for one in found if one.pmid in wanted and one.title)
    if found and not ours:
        raise ToolFailed(
            f"{PUBMED.title} replied with other articles than were asked for; they are not used."
        )
    return ours


def parse_europe(reply: WebReply) -> tuple[Article, ...]:
    """The articles that Europe PMC found. Raises `ToolFailed` for a reply of another form."""
    value = json_of(reply, EUROPE_PMC.title)
    listed = value.get("resultList") if isinstance(value, dict) else None
    if not isinstance(listed, dict) or not isinstance(listed.get("result"), list):
        raise ToolFailed(f"{EUROPE_PMC.title} replied without articles: its form has changed ({reply.url}).")
    return tuple(article for one in items(listed, "result") if (article := _of_europe(one)).pmid)


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
    )


def _words(element: Element | None) -> str:
    """The text of an element and of all in it, on one line."""
    return "" if element is None else " ".join("".join(map(str, element.itertext())).split())


def _of_europe(value: JsonValue) -> Article:
    abstract = " ".join(TAGS.sub(" ", text(value, "abstractText")).split())
    return Article(
        text(value, "pmid"),
        TAGS.sub("", text(value, "title")),
        text(value, "journalTitle") or text(value, "journalInfo", "journal", "isoabbreviation"),
        text(value, "pubYear"),
        (("", abstract),) if abstract else (),
    )
