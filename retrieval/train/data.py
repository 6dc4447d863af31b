"""Judged questions to learn reranking from: SciFact, BioASQ and PubMedQA, as their makers publish them.

SciFact: Wadden et al. 2020. BioASQ: Krithara et al. 2023. PubMedQA: Jin et al. 2019. Claims are asked like
questions, and so are reference answers and conclusions, which read like claims.
"""

import gzip
import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from retrieval.errors import JudgementsError
from retrieval.evaluate.beir import Article, Collection, Grades, read_collection

SCIFACT = "scifact"
BIOASQ = "bioasq/bioasq_7b_11b.jsonl.gz"
PUBMEDQA = "pubmedqa/pqal_dev500.json"
EDITION = "7B"
"""Of BioASQ, the oldest edition: what two cores learn in their hour."""

UNJUDGED = -1
"""Grade of a passage that may answer the question too: neither taught as wrong nor ranked."""

Documents = Mapping[str, frozenset[str]]
"""Papers that each query was written about."""


@dataclass(frozen=True, slots=True)
class Material:
    """A collection, and what ties its queries together: those with a paper in common belong in one fold."""

    collection: Collection
    documents: Documents


def read(folder: Path) -> tuple[Material, Material, Material]:
    """SciFact, BioASQ, PubMedQA.

    Raises `ArchiveNotFound` for a file that is missing, `JudgementsError` for one that is not as published.
    """
    scifact = read_collection(folder / SCIFACT)
    documents = {query: frozenset(grades) for query, grades in scifact.grades.items()}
    bioasq = _read(folder / BIOASQ, _bioasq)
    return Material(scifact, documents), bioasq, _read(folder / PUBMEDQA, _pubmedqa)


def _read(path: Path, make: Callable[[str, bytes], Material]) -> Material:
    try:
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        return make(hashlib.sha256(path.read_bytes()).hexdigest(), content)
    except FileNotFoundError as error:
        raise JudgementsError(
            f"{path} is missing. The recipe needs {SCIFACT}/ in BEIR's form, {BIOASQ} and {PUBMEDQA} "
            "in one folder."
        ) from error
    except (KeyError, IndexError, TypeError, ValueError, OSError, EOFError) as error:
        raise JudgementsError(f"{path} is not as published: {error!r}. Fetch it again.") from error


def _bioasq(sha256: str, content: bytes) -> Material:
    """Snippets are the passages. Other snippets of a question's papers are unjudged."""
    rows = [row for row in map(json.loads, content.splitlines()) if row["batch"].startswith(EDITION)]
    texts, of_paper = {}, defaultdict(set)
    for snippet in (snippet for row in rows for snippet in row["snippets"]):
        texts[_key(snippet["text"])] = snippet["text"]
        of_paper[snippet["document"]].add(_key(snippet["text"]))
    queries, grades, documents = {}, {}, {}
    for row in rows:
        papers = frozenset(snippet["document"] for snippet in row["snippets"]).union(row["documents"])
        judged = {name: UNJUDGED for paper in papers for name in of_paper.get(paper, ())}
        judged |= {_key(snippet["text"]): 1 for snippet in row["snippets"]}
        for name, text in ((row["id"], row["body"]), (f"{row['id']}#answer", row["ideal_answer"][0])):
            queries[name], grades[name], documents[name] = text, judged, papers | _relevant(judged)
    return Material(_collection("BioASQ", sha256, texts.items(), queries, grades), documents)


def _pubmedqa(sha256: str, content: bytes) -> Material:
    """The parts of an abstract are the passages; its question and its conclusion are asked."""
    texts: dict[str, str] = {}
    queries, grades = {}, {}
    for paper, row in json.loads(content).items():
        parts = {f"{paper}#{n}": text for n, text in enumerate(row["CONTEXTS"])}
        texts |= parts
        for name in ("QUESTION", "LONG_ANSWER"):
            queries[f"{paper}#{name}"] = row[name]
            grades[f"{paper}#{name}"] = dict.fromkeys(parts, 1)
    documents = {name: frozenset(judged) for name, judged in grades.items()}
    return Material(_collection("PubMedQA", sha256, texts.items(), queries, grades), documents)


def _collection(
    name: str,
    sha256: str,
    texts: Iterable[tuple[str, str]],
    queries: Mapping[str, str],
    grades: Mapping[str, Grades],
) -> Collection:
    articles = tuple(Article(key, "", text) for key, text in texts)
    return Collection(name, "", sha256, articles, queries, grades)


def _relevant(judged: Grades) -> frozenset[str]:
    return frozenset(name for name, grade in judged.items() if grade > 0)


def _key(text: str) -> str:
    """Snippets of equal text are one passage."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
