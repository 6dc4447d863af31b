"""Splits queries so that what is learnt on some is scored on others."""

import hashlib
from collections.abc import Mapping

from retrieval.evaluate.beir import Grades

FOLDS = 5


def folds(grades: Mapping[str, Grades]) -> dict[str, int]:
    """Fold of each query, 0 to 4, the same in every run: a hash decides.

    Queries with a relevant document in common are in one fold, for claims about one abstract are often two
    wordings of one thing.
    """
    group = {query: query for query in grades}
    by_document: dict[str, str] = {}
    for query, judged in grades.items():
        for document in (name for name, grade in judged.items() if grade > 0):
            one, other = _leader(group, query), _leader(group, by_document.setdefault(document, query))
            group[max(one, other)] = min(one, other)
    return {query: _hashed(_leader(group, query)) for query in grades}


def _leader(group: Mapping[str, str], query: str) -> str:
    while group[query] != query:
        query = group[query]
    return query


def _hashed(name: str) -> int:
    return hashlib.sha256(name.encode()).digest()[0] % FOLDS
