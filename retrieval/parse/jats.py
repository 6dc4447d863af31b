"""Journal articles as XML (JATS, the Journal Article Tag Suite, NISO Z39.96), as PubMed Central gives them.

The elements are renamed to those of HTML, which one parser reads. No DTD, entity or address is loaded.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from retrieval.errors import CorruptDocument, UnsupportedFormat
from retrieval.parse.html import html_text
from retrieval.parse.limits import MIB, Limits, check
from retrieval.parse.plain import check_text
from retrieval.ports import OcrEngine
from retrieval.text.dates import first_date
from retrieval.values import ParsedFile

LARGEST = 64 * MIB
"""Bytes of a file: a tree takes some ten times as much memory."""
KEPT = ("body", "back", "floats-group")
"""What is read below title and abstract; replies and letters that a file holds as well are not."""
DROPPED = (
    "ref-list",
    "tex-math",
    "annotation",
    "graphic",
    "inline-graphic",
    "object-id",
    "permissions",
    "media",
)
NAMES = {
    "sec": "section", "abstract": "section", "ack": "section", "app": "section", "body": "div", "back": "div",
    "list": "ul", "def-list": "ul", "list-item": "li", "def-item": "li", "disp-quote": "blockquote",
    "disp-formula": "blockquote", "boxed-text": "div", "fn": "div", "fig": "div", "table-wrap": "div",
    "table-wrap-foot": "div", "break": "br",
}  # fmt: skip
"""Elements of an article and those of HTML that stand for them; what is not here is text within its line."""
WRITTEN = {"abstract": "Abstract", "ack": "Acknowledgements"}
"""Headings of parts that need not have their own."""


def parse_jats(path: Path, ocr: OcrEngine | None, limits: Limits) -> ParsedFile:
    """An article with title, journal, authors, abstract, sections and tables; its references are left out.

    Raises `UnsupportedFormat` for other XML.
    """
    return read_jats(path.read_bytes(), path.name, limits)


def read_jats(data: bytes, name: str, limits: Limits) -> ParsedFile:
    """As `parse_jats`, of an article that was fetched; `name` is what errors call it."""
    articles = _checked(data, name)
    if not articles:
        raise UnsupportedFormat(
            f"{name} is XML, but no journal article (JATS). Save it as PDF, Word, HTML or text."
        )
    article = articles[0]
    metadata = _metadata(article)
    page = _page(article, metadata)
    text = html_text(etree.tostring(page, method="html", encoding="utf-8"), name, limits)
    left = f"Only the first of its {len(articles)} articles is read. Save each as a file of its own."
    return ParsedFile(text=text, metadata=metadata, warnings=(left,) if articles[1:] else ())


@dataclass(frozen=True, slots=True)
class Front:
    """The head of an article. `kind` is its type in JATS ("research-article"), `ids` are its numbers by type
    ("pmid", "pmc", "doi"), `related` tells (relation, DOI) of other articles ("retracted-article"). `text` is
    all that it says, references as well, without any form.
    """

    title: str
    journal: str
    date: str
    kind: str
    abstract: str
    ids: dict[str, str]
    keywords: tuple[str, ...]
    related: tuple[tuple[str, str], ...]
    text: str


def read_fronts(data: bytes, name: str) -> tuple[Front, ...]:
    """The heads of the articles in some XML; none where it holds none. Raises as `parse_jats`."""
    return tuple(_front(one) for one in _checked(data, name))


def _front(article: Any) -> Front:
    metadata = _metadata(article)
    meta = article.find("front/article-meta")
    ids = {one.get("pub-id-type", ""): _line(one) for one in meta.findall("article-id")}
    link = "{http://www.w3.org/1999/xlink}href"
    others = meta.findall("related-article")
    abstracts = sorted(meta.findall("abstract"), key=lambda one: "abstract-type" in one.attrib)
    related = ((one.get("related-article-type", ""), one.get(link, "")) for one in others)
    return Front(
        str(metadata.get("title", "")),
        _line(article.find("front/journal-meta//journal-title")),
        str(metadata.get("date", "")),
        article.get("article-type", ""),
        " ".join(map(_line, abstracts[:1])),
        ids,
        tuple(_line(one) for one in meta.findall("kwd-group/kwd")),
        tuple((relation, place.removeprefix("info:doi/")) for relation, place in related),
        " ".join(" ".join(article.itertext()).split()),
    )


def _checked(data: bytes, name: str) -> list[Any]:
    """The articles in some XML that is safe to read."""
    check(len(data), LARGEST, name, "bytes")
    check_text(data, name)
    if b"<!ENTITY" in data:
        raise CorruptDocument(f"{name} declares XML entities and was refused. Save it anew.")
    try:
        return _articles(data)
    except etree.XMLSyntaxError as error:
        raise CorruptDocument(f"{name} is damaged XML and cannot be read. Get a fresh copy.") from error


def _articles(data: bytes) -> list[Any]:
    """The articles of a file, names of elements without their namespaces; none in what is no XML of JATS."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    tree = etree.fromstring(data, parser)
    for element in tree.iter(etree.Element):
        element.tag = etree.QName(element).localname
    return [one for one in tree.iter("article") if one.find("front/article-meta") is not None]


def _metadata(article: Any) -> dict[str, object]:
    kind = article.get("article-type", "")
    found = {
        "title": _line(article.find("front/article-meta/title-group/article-title")),
        "date": _published(article),
        "document_type": "Correction" if kind == "correction" else "Article",
        "keywords": [_line(one) for one in article.findall("front/article-meta/kwd-group/kwd")],
    }
    return {name: value for name, value in found.items() if value}


def _published(article: Any) -> str:
    """The date of publication in ISO 8601: the most exact that is given, of several the first."""
    given = article.findall("front/article-meta/pub-date")
    dates = [_date(one) for one in given if one.get("pub-type") != "pmc-release"]
    return min(filter(None, dates), key=lambda date: (-len(date), date), default="")


def _date(element: Any) -> str:
    year, month, day = (_line(element.find(part)) for part in ("year", "month", "day"))
    in_numbers = f"{year}-{month.zfill(2)}-{day.zfill(2)}"
    stated = first_date(in_numbers if month.isdecimal() else f"{day} {month[:3]} {year}")
    return stated or (year if year.isdecimal() else "")


def _page(article: Any, metadata: dict[str, object]) -> Any:
    """The article as an element of HTML."""
    page = etree.Element("body")
    etree.SubElement(page, "h1").text = str(metadata.get("title", ""))
    for line in _imprint(article, metadata):
        etree.SubElement(page, "p").text = line
    abstracts = article.findall("front/article-meta/abstract")
    for part in (*abstracts, *(one for name in KEPT for one in article.findall(name))):
        page.append(part)
    _rename(page)
    return page


def _rename(page: Any) -> None:
    """Give the parts of an article the elements that HTML has for them; drop what is no text."""
    etree.strip_elements(page, *DROPPED, with_tail=False)
    for wrap in [*page.iter("fig", "table-wrap")]:
        _caption(wrap)
    for note in page.iterfind(".//xref"):
        if note.get("ref-type") in ("fn", "table-fn") and note.find(".//sup") is None:
            note.tag = "sup"
    for name, heading in WRITTEN.items():
        for part in page.iter(name):
            if part.find("title") is None:
                part.insert(0, etree.Element("title"))
                part[0].text = heading
    for element in page.iter(etree.Element):
        element.tag = NAMES.get(element.tag, element.tag)
    for title in [*page.iter("title")]:
        title.tag = f"h{min(6, 1 + sum(1 for _ in title.iterancestors('section')))}"


def _imprint(article: Any, metadata: dict[str, object]) -> Iterator[str]:
    """Who wrote the article, and where and when it was published."""
    people = article.findall("front/article-meta/contrib-group/contrib[@contrib-type='author']")
    names = [f"{_line(one.find('.//given-names'))} {_line(one.find('.//surname'))}".strip() for one in people]
    yield ", ".join(name or _line(one.find("collab")) for name, one in zip(names, people, strict=True))
    journal = _line(article.find("front/journal-meta//journal-title"))
    doi = _line(article.find("front/article-meta/article-id[@pub-id-type='doi']"))
    published = f"Published: {metadata['date']}" if "date" in metadata else ""
    yield ". ".join(filter(None, (journal, published, f"doi:{doi}" if doi else "")))


def _caption(wrap: Any) -> None:
    """Put number, title and text of a figure or table into one paragraph above it."""
    line = etree.Element("p")
    for part in (*wrap.findall("label"), *wrap.findall("caption/title"), *wrap.findall("caption/p")):
        part.tag, part.tail = "span", " " if _line(part).endswith((".", "?", ":")) else ". "
        line.append(part)
    for empty in wrap.findall("caption"):
        wrap.remove(empty)
    wrap.insert(0, line)


def _line(element: Any) -> str:
    """The text of an element in one line; "" where there is none."""
    return "" if element is None else " ".join("".join(element.itertext()).split())
