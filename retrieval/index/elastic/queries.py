"""What is asked of Elasticsearch: pure functions from requests to bodies, asserted whole in the tests.

Every search is told what is `hidden`: writes that are not complete, and versions of documents that were
replaced (`retrieval.index.elastic.state`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from retrieval.index.elastic.conditions import Body, conditions, restricted
from retrieval.index.elastic.mapping import vector_field
from retrieval.index.elastic.state import Hidden
from retrieval.index.words import codes, terms
from retrieval.ports import EVERYTHING, Vectors
from retrieval.values import Filters, SearchRequest

MOST = 10_000
"""Hits that one search may ask for (index.max_result_window)."""
MOST_WORDS = 64
"""Words of a very long question that are searched for."""
OVERSAMPLE = 1.0
"""Candidates that are compared by their full vectors, as a multiple of those asked for.

Twice as many find nothing more (recall at 10 on 20,000 real sentences 1.00 both ways), and take 5 ms longer.
"""

STATE_ID = "state"


@dataclass(frozen=True, slots=True)
class Boosts:
    """Weights of what may count besides the words of a chunk; 0 leaves it out. `phrase` is for word pairs.

    Defaults are BM25 on one field that holds title, headings and text: on SciFact (test) that has nDCG@10
    0.679, with title and text as fields of their own 0.665 (published with Pyserini, pyserini/2cr/beir.yaml).
    """

    title: float = 0.0
    section: float = 0.0
    phrase: float = 0.0
    code: float = 0.0


FLAT = Boosts()


def lexical_search(request: SearchRequest, hidden: Hidden, boosts: Boosts = FLAT) -> Body | None:
    """The best chunks by BM25; None if there is no word to search for."""
    words, names = terms(request.text)[:MOST_WORDS], codes(request.text)
    text = " ".join(dict.fromkeys((*names, *words)))
    if not text:
        return None
    more = [
        _match("title", text, boosts.title),
        _match("section", text, boosts.section),
        *_pairs(words, boosts.phrase),
        {"terms": {"codes": list(names), "boost": boosts.code}} if names and boosts.code else None,
    ]
    query: Body = {"must": [{"match": {"body": {"query": text}}}]}
    if should := [clause for clause in more if clause]:
        query["should"] = should
    return _only_names(restricted(query, request.filters, hidden), request.limit) | {
        "sort": ["_score", {"chunk_id": "asc"}]
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
    return {
        "knn": knn,
        "size": most,
        "stored_fields": "_none_",
        "docvalue_fields": ["chunk_id"],
        "track_total_hits": False,
    }


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


def _only_names(query: Body, limit: int) -> Body:
    """Ids and scores only, taken from columns: no text is read."""
    return {
        "query": query,
        "size": min(limit, MOST),
        "stored_fields": "_none_",
        "docvalue_fields": ["chunk_id"],
        "track_total_hits": False,
    }


def _match(field: str, text: str, boost: float) -> Body | None:
    return {"match": {field: {"query": text, "boost": boost}}} if boost else None


def _pairs(words: Sequence[str], boost: float) -> list[Body]:
    """Two neighbours of the question near each other in the text, in order (Metzler & Croft 2005)."""
    phrases = [f"{first} {second}" for first, second in pairwise(words)] if boost else []
    return [
        {"match_phrase": {"body.exact": {"query": phrase, "slop": 2, "boost": boost}}} for phrase in phrases
    ]
