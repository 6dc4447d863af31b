"""What a search leaves out: by conditions on documents, and what is hidden."""

from typing import Any

from retrieval.index.elastic.state import Hidden
from retrieval.values import Filters

Body = dict[str, Any]


def filter_clauses(filters: Filters) -> list[Body]:
    """The conditions, with the meaning of `retrieval.index.filters.passes`."""
    lists = {
        "molecules": filters.molecules,
        "stages": filters.stages,
        "phase": filters.phases,
        "species": filters.species,
        "study_type": filters.study_types,
        "language": filters.languages,
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
