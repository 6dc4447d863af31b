"""Reads a folder in BEIR form (Thakur et al. 2021): a corpus, queries, and which documents answer which.

| file                       | content                                                          |
|----------------------------|------------------------------------------------------------------|
| `corpus.jsonl[.gz]`        | a document a line: `_id`, `title`, `text`                        |
| `queries*.jsonl[.gz]`      | a query a line: `_id`, `text`                                    |
| `qrels/*.tsv`, `qrels.tsv` | query id, document id, grade; tab separated, the first row names |
"""

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from retrieval.errors import ArchiveNotFound, JudgementsError

Grades = Mapping[str, int]
"""Grade of each judged document of a query; over 0 is relevant."""


@dataclass(frozen=True, slots=True)
class Article:
    """A document to be searched for."""

    doc_id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents, and the queries that have at least one relevant document among them.

    `sha256` is over the three files as they were read, so that a figure can be traced to its data.
    """

    name: str
    split: str
    sha256: str
    articles: tuple[Article, ...]
    queries: Mapping[str, str]
    grades: Mapping[str, Grades]

    @property
    def judgements(self) -> int:
        """Judged pairs of the queries."""
        return sum(map(len, self.grades.values()))


def read_collection(folder: Path, split: str = "", documents: int = 0) -> Collection:
    """Read a folder. `split` names one of several files of judgements: "test" for qrels/test.tsv.

    `documents` takes only the first so many (0: all), with the queries that have an answer among them.

    Raises `ArchiveNotFound` if a file is missing, `JudgementsError` if there are several to choose from, a
    line is not in form, or nothing is judged.
    """
    corpus = _the_file(folder, ("corpus.jsonl", "corpus.jsonl.gz"), "documents")
    asked = _the_file(
        folder, ("queries.jsonl", "queries.jsonl.gz", "queries*.jsonl", "queries*.jsonl.gz"), "queries"
    )
    names = (f"qrels/{split}.tsv",) if split else ("qrels.tsv", "qrels/*.tsv")
    judged = _the_file(folder, names, "judgements")
    objects = islice(_objects(corpus), documents or None)
    articles = tuple(Article(_text(o, "_id"), _text(o, "title"), _text(o, "text")) for o in objects)
    known = {article.doc_id for article in articles}
    grades = _grades(judged, known)
    queries = {_text(o, "_id"): _text(o, "text") for o in _objects(asked)}
    queries = {name: text for name, text in queries.items() if name in grades}
    if not queries:
        raise JudgementsError(
            f"No query of {asked} has a relevant document in {judged}. Do they belong together?"
        )
    return Collection(
        name=folder.resolve().name,
        split=split or (judged.stem if judged.parent.name == "qrels" else ""),
        sha256=_sha256(corpus, asked, judged),
        articles=articles,
        queries=queries,
        grades={name: grades[name] for name in queries},
    )


def _the_file(folder: Path, patterns: tuple[str, ...], content: str) -> Path:
    """The one file that the first fitting pattern names."""
    for pattern in patterns:
        found = sorted(folder.glob(pattern))
        if len(found) > 1:
            names = ", ".join(path.name for path in found)
            raise JudgementsError(
                f"{folder} has several files with {content} ({names}). Name one with --split, "
                "or keep only one of them there."
            )
        if found:
            return found[0]
    raise ArchiveNotFound(
        f"{folder} has no {content}: {' or '.join(patterns)} is expected there (BEIR's form)."
    )


def _objects(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines, each with an `_id`."""
    for number, line in _lines(path):
        try:
            value = json.loads(line)
        except ValueError as error:
            raise JudgementsError(f"{path}, line {number} is not JSON: {error}.") from error
        if not isinstance(value, dict) or "_id" not in value or "text" not in value:
            raise JudgementsError(f"{path}, line {number} has no `_id` or no `text`.")
        yield value


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that hold something, with their numbers."""
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield number, line.rstrip("\n")
    except (UnicodeDecodeError, EOFError, zlib.error, OSError) as error:
        raise JudgementsError(f"{path} cannot be read ({error}). Get a fresh copy.") from error


def _text(value: dict[str, Any], name: str) -> str:
    return str(value.get(name) or "").strip()


def _grades(path: Path, known: set[str]) -> dict[str, dict[str, int]]:
    """Grades by query, without queries that have nothing relevant in the corpus."""
    grades: dict[str, dict[str, int]] = {}
    for number, line in _lines(path):
        cells = line.split("\t")
        if number == 1 and not cells[-1].strip().lstrip("-").isdigit():
            continue
        try:
            query, document, grade = cells
            if document in known:
                grades.setdefault(query, {})[document] = int(grade)
        except ValueError as error:
            raise JudgementsError(
                f"{path}, line {number}: expected query, document and grade, with tabs."
            ) from error
    return {query: judged for query, judged in grades.items() if max(judged.values()) > 0}


def _sha256(*paths: Path) -> str:
    total = hashlib.sha256()
    for path in paths:
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()
