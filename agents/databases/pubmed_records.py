"""Articles of PubMed that were loaded from files of its XML: by id, by author, and by words."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict

from pydantic import TypeAdapter

from agents.databases.bulk_format import BulkFormat, Row
from agents.databases.database import database
from agents.databases.markup import xml_root
from agents.databases.pubmed import Article, articles_in
from agents.errors import WrongFile
from agents.text.words import stem

WORD = re.compile(r"[a-z][a-z0-9-]{2,}")


def words_of(text: str) -> frozenset[str]:
    """The keys of the words of a text, under which an article is found."""
    return frozenset(f"word {stem(word)}" for word in WORD.findall(text.casefold()))


def article_of(row: Row) -> Article:
    """The article of a loaded row."""
    return TypeAdapter(Article).validate_json(row["article"])


def _records(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    """Each article of an XML file under its id, its first and last authors, and its words."""
    try:
        root = xml_root("\n".join(lines))
    except ValueError as error:
        raise WrongFile(str(error)) from error
    for article in articles_in(root):
        row = {"article": json.dumps(asdict(article), ensure_ascii=False)}
        ends = dict.fromkeys(author.key for author in (*article.authors[:1], *article.authors[-1:]))
        for key in (article.pmid, *ends, *sorted(words_of(article.text))):
            yield key, row


RECORDS = database(
    "pubmed-records",
    BulkFormat(
        "pubmed-records",
        "pubmed26n0001.xml.gz, or files of efetch",
        "https://ftp.ncbi.nlm.nih.gov/pubmed/baseline/",
        "<PubmedArticleSet>",
        lambda head: any("<PubmedArticleSet" in line for line in head),
        _records,
        records=True,
    ),
)
