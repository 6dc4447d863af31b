"""Judged questions to learn reranking from: SciFact and BioASQ, as their makers publish them.

SciFact: Wadden et al. 2020. BioASQ: Krithara et al. 2023. Claims and reference answers are asked like
questions.
"""

import gzip
import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from retrieval.errors import JudgementsError
from retrieval.evaluate.beir import Article, Collection, Grades, read_collection

SCIFACT = "scifact"
BIOASQ = "bioasq/bioasq_7b_11b.jsonl.gz"
EDITION = "7B"
"""Of BioASQ only the oldest edition is used: two cores learn it in an hour."""

UNJUDGED = -1
"""Grade of a passage that may answer the question too: it is neither learnt as wrong nor ranked."""

Papers = Mapping[str, frozenset[str]]
"""The papers that each query was written about."""


@dataclass(frozen=True, slots=True)
class JudgedQueries:
    """A collection, and the papers of each query: queries with a paper in common belong in one fold."""

    collection: Collection
    papers: Papers


def read_judged(folder: Path) -> tuple[JudgedQueries, JudgedQueries]:
    """SciFact and BioASQ.

    Raises `ArchiveNotFound` for a file that is missing, `JudgementsError` for one that is not as published.
    """
    scifact = read_collection(folder / SCIFACT)
    papers = {query: frozenset(grades) for query, grades in scifact.grades.items()}
    return JudgedQueries(scifact, papers), _read_bioasq(folder / BIOASQ)


def _read_bioasq(path: Path) -> JudgedQueries:
    try:
        packed = path.read_bytes()
        return _bioasq(hashlib.sha256(packed).hexdigest(), gzip.decompress(packed))
    except FileNotFoundError as error:
        raise JudgementsError(
            f"{path} is missing. The recipe needs {SCIFACT}/ in BEIR's form and {BIOASQ} in one folder."
        ) from error
    except (KeyError, IndexError, TypeError, ValueError, OSError, EOFError) as error:
        raise JudgementsError(f"{path} is not as published: {error!r}. Fetch it again.") from error


def _bioasq(sha256: str, content: bytes) -> JudgedQueries:
    """Snippets are the passages. Other snippets of a question's papers are unjudged."""
    rows = [row for row in map(json.loads, content.splitlines()) if row["batch"].startswith(EDITION)]
    texts, of_paper = {}, defaultdict(set)
    for snippet in (snippet for row in rows for snippet in row["snippets"]):
        texts[_key(snippet["text"])] = snippet["text"]
        of_paper[snippet["document"]].add(_key(snippet["text"]))
    queries, grades, papers_of = {}, {}, {}
    for row in rows:
        papers = frozenset(snippet["document"] for snippet in row["snippets"]).union(row["documents"])
        judged = {name: UNJUDGED for paper in papers for name in of_paper.get(paper, ())}
        judged |= {_key(snippet["text"]): 1 for snippet in row["snippets"]}
        for name, text in ((row["id"], row["body"]), (f"{row['id']}#answer", row["ideal_answer"][0])):
            queries[name], grades[name], papers_of[name] = text, judged, papers | _relevant(judged)
    articles = tuple(Article(key, "", text) for key, text in texts.items())
    return JudgedQueries(Collection("BioASQ", "", sha256, articles, queries, grades), papers_of)


def _relevant(judged: Grades) -> frozenset[str]:
    return frozenset(name for name, grade in judged.items() if grade > 0)


def _key(text: str) -> str:
    """Snippets of equal text are one passage."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
