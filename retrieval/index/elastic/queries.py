"""What is asked of Elasticsearch: pure functions from requests to bodies, asserted whole in the tests.

Every search is told what is `hidden`: writes that are not complete, and versions of documents that were
replaced (`retrieval.index.elastic.state`).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from retrieval.index.elastic.mapping import vector_field
from retrieval.index.elastic.state import Hidden
from retrieval.index.words import codes, terms
from retrieval.ports import EVERYTHING, Vectors
from retrieval.values import Filters, SearchRequest

Body = dict[str, Any]

MOST = 10_000
"""Hits that one search may ask for (index.max_result_window)."""
MOST_WORDS = 64
"""Words of a very long question that are searched for."""
OVERSAMPLE = 1.0
"""Candidates that are compared by their full vectors, as a multiple of those asked for.

Twice as many find nothing more (recall at 10 on 20,000 real sentences 1.00 both ways), and take 5 ms longer.
"""

STATE_ID = "state"
NAMES_ONLY: Body = {"stored_fields": "_none_", "docvalue_fields": ["chunk_id"], "track_total_hits": False}
"""Ids and scores only, taken from columns: no text is read."""


def lexical_search(request: SearchRequest, hidden: Hidden) -> Body | None:
    """The best chunks by BM25 on one field with title, headings and text; None without a word to search.

    On SciFact (test) that has nDCG@10 0.679, with title and text as fields of their own 0.665 (published with
    Pyserini, pyserini/2cr/beir.yaml).
    """
    text = " ".join(dict.fromkeys((*codes(request.text), *terms(request.text)[:MOST_WORDS])))
    if not text:
        return None
    query: Body = {"must": [{"match": {"body": {"query": text}}}]}
    return {
        "query": restricted(query, request.filters, hidden),
        "size": min(request.limit, MOST),
        "sort": ["_score", {"chunk_id": "asc"}],
        **NAMES_ONLY,
    }


def dense_search(
    vector: Vectors, encoder_name: str, filters: Filters, hidden: Hidden, limit: int, candidates: int
) -> Body:
    """The chunks with the nearest windows, filtered while the graph is walked.

    `candidates` are looked at in each shard (`num_candidates`), at least the `limit` that are wanted.
    """
    most = min(limit, MOST)
    knn: Body = {
        "field": vector_field(encoder_name),
        "query_vector": vector.tolist(),
        "k": most,
        "num_candidates": min(max(candidates, most), MOST),
        "rescore_vector": {"oversample": OVERSAMPLE},
    }
    if beside := conditions(filters, hidden):
        knn["filter"] = {"bool": beside}
    return {"knn": knn, "size": most, **NAMES_ONLY}


def entries(
    kind: str,
    hidden: Hidden,
    filters: Filters = EVERYTHING,
    *,
    named: tuple[str, Sequence[str]] | None = None,
    size: int = MOST,
    source: Sequence[str] = (),
) -> Body:
    """Entries of a kind, all that pass or those whose field has one of the values `named`."""
    if kind != "chunk":
        filters = replace(filters, sections=())
    query: Body = {"filter": [{"term": {"kind": kind}}]}
    if named:
        query["filter"].append({"terms": {named[0]: list(named[1])}})
    return {
        "query": restricted(query, filters, hidden),
        "size": size,
        "_source": list(source),
        "track_total_hits": False,
    }


def hidden_entries(hidden: Hidden, size: int) -> Body:
    """What may be deleted: all entries that no search shows."""
    fields = {"transaction": hidden.transactions, "version": hidden.versions}
    either = [{"terms": {field: list(values)}} for field, values in fields.items() if values]
    return {
        "query": {"bool": {"filter": [{"bool": {"should": either}}]}},
        "size": size,
        "_source": False,
        "track_total_hits": False,
    }


def state_search() -> Body:
    """The state of the index, as far as searches see it."""
    return {"query": {"ids": {"values": [STATE_ID]}}, "_source": ["state"], "track_total_hits": False}


def arguments(body: Body) -> Body:
    """A body as arguments of the client, which has names of its own for some parts."""
    return {{"_source": "source"}.get(name, name): value for name, value in body.items()}


def filter_clauses(filters: Filters) -> list[Body]:
    """The conditions, with the meaning of `retrieval.index.filters.passes`."""
    lists = {
        "molecules": filters.molecules,
        "stages": filters.stages,
        "sections": filters.sections,
    }
    clauses: list[Body] = [
        {"terms": {field: sorted({value.casefold() for value in values})}}
        for field, values in lists.items()
        if values
    ]
    if filters.doc_ids:
        clauses.append({"terms": {"doc_id": list(filters.doc_ids)}})
    return clauses + _dates(filters.date_from, filters.date_to)


def _dates(first: str, last: str) -> list[Body]:
    """Dates as exact as both sides state them: "2004" is not before "2004-03", nor "2004-03" after "2004"."""
    clauses: list[Body] = []
    if first or last:
        clauses.append({"exists": {"field": "date"}})
    if first:
        shorter = [first[:length] for length in range(1, len(first))]
        clauses.append(_either({"range": {"date": {"gte": first}}}, {"terms": {"date": shorter}}))
    if last:
        clauses.append(_either({"range": {"date": {"lte": last}}}, {"prefix": {"date": last}}))
    return clauses


def _either(one: Body, other: Body) -> Body:
    return {"bool": {"should": [one, other]}}


def conditions(filters: Filters, hidden: Hidden) -> Body:
    """The part of a `bool` query that filters and does not add to the score."""
    beside: Body = {}
    if clauses := filter_clauses(filters):
        beside["filter"] = clauses
    out = {"transaction": hidden.transactions, "version": hidden.versions}
    if hidden_clauses := [{"terms": {field: list(values)}} for field, values in out.items() if values]:
        beside["must_not"] = hidden_clauses
    return beside


def restricted(query: Body, filters: Filters, hidden: Hidden) -> Body:
    """The parts of a `bool` query with conditions added that do not add to the score."""
    beside = conditions(filters, hidden)
    both = query.get("filter", []) + beside.pop("filter", [])
    return {"bool": query | beside | ({"filter": both} if both else {})}
