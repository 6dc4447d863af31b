"""What is asked of Elasticsearch, asserted whole."""

import numpy as np

from retrieval.index.elastic.queries import dense_search, entries, filter_clauses, lexical_search
from retrieval.index.elastic.state import Hidden
from retrieval.values import Domain, Filters, SearchRequest

CLEAN = Hidden()
HIDDEN = Hidden(("t2",), ("t1-1", "t1-2"))
LEFT_OUT = [{"terms": {"transaction": ["t2"]}}, {"terms": {"version": ["t1-1", "t1-2"]}}]
NAMES_ONLY = {"stored_fields": "_none_", "docvalue_fields": ["chunk_id"], "track_total_hits": False}


def test_words_are_searched_in_one_field_with_codes_in_every_spelling() -> None:
    assert lexical_search(SearchRequest("What was the dose of RO-4929097?", limit=7), CLEAN) == {
        "query": {"bool": {"must": [{"match": {"body": {"query": "ro4929097 dose ro 4929097"}}}]}},
        "size": 7,
        "sort": ["_score", {"chunk_id": "asc"}],
        **NAMES_ONLY,
    }


def test_a_question_without_a_word_is_not_asked() -> None:
    assert lexical_search(SearchRequest("What was the ?"), CLEAN) is None


def test_conditions_and_what_is_hidden_do_not_change_scores() -> None:
    request = SearchRequest("dose", Filters(molecules=("PX-1",), stages=(Domain.CLINICAL,)), 3)
    assert lexical_search(request, HIDDEN) == {
        "query": {
            "bool": {
                "must": [{"match": {"body": {"query": "dose"}}}],
                "filter": [{"terms": {"molecules": ["px-1"]}}, {"terms": {"stages": ["clinical"]}}],
                "must_not": LEFT_OUT,
            }
        },
        "size": 3,
        "sort": ["_score", {"chunk_id": "asc"}],
        **NAMES_ONLY,
    }


def test_vectors_are_searched_with_the_conditions_inside() -> None:
    vector = np.array([1.0, 0.0], np.float32)
    assert dense_search(vector, "all-MiniLM-L6-v2", Filters(doc_ids=("A",)), HIDDEN, 5, 200) == {
        "knn": {
            "field": "windows.all_minilm_l6_v2",
            "query_vector": [1.0, 0.0],
            "k": 5,
            "num_candidates": 200,
            "rescore_vector": {"oversample": 1.0},
            "filter": {"bool": {"filter": [{"terms": {"doc_id": ["A"]}}], "must_not": LEFT_OUT}},
        },
        "size": 5,
        **NAMES_ONLY,
    }


def test_vectors_are_searched_without_a_filter_where_there_is_no_condition() -> None:
    asked = dense_search(np.array([1.0], np.float32), "one", Filters(), CLEAN, 300, 200)
    assert "filter" not in asked["knn"]
    assert (asked["knn"]["k"], asked["knn"]["num_candidates"]) == (300, 300)


def test_dates_are_compared_as_exactly_as_they_are_stated() -> None:
    assert filter_clauses(Filters(date_from="2004-03", date_to="2005")) == [
        {"exists": {"field": "date"}},
        {
            "bool": {
                "should": [
                    {"range": {"date": {"gte": "2004-03"}}},
                    {"terms": {"date": ["2", "20", "200", "2004", "2004-", "2004-0"]}},
                ]
            }
        },
        {"bool": {"should": [{"range": {"date": {"lte": "2005"}}}, {"prefix": {"date": "2005"}}]}},
    ]


def test_every_condition_has_its_field() -> None:
    every = Filters(("A",), (Domain.CLINICAL,), ("D",), sections=("Warnings",))
    assert filter_clauses(every) == [
        {"terms": {"molecules": ["a"]}},
        {"terms": {"stages": ["clinical"]}},
        {"terms": {"sections": ["warnings"]}},
        {"terms": {"doc_id": ["D"]}},
    ]


def test_entries_are_found_by_kind_and_name() -> None:
    assert entries("document", HIDDEN, named=("doc_id", ["A"]), source=["record"], size=9) == {
        "query": {
            "bool": {
                "filter": [{"term": {"kind": "document"}}, {"terms": {"doc_id": ["A"]}}],
                "must_not": LEFT_OUT,
            }
        },
        "size": 9,
        "_source": ["record"],
        "track_total_hits": False,
    }
