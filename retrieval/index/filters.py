"""Which documents a filter lets through: one meaning for every index."""

from collections.abc import Iterable

from retrieval.values import Chunk, DocumentRecord, Filters


def passes(record: DocumentRecord, filters: Filters) -> bool:
    """True if the record meets every condition that is set; letter case does not matter.

    Dates are compared as exactly as both sides state them: a document of "2004" passes `date_from="2004-03"`.
    A document without a date does not pass a condition on dates.
    """
    return (
        _any_of(filters.molecules, record.molecules)
        and _any_of(filters.stages, record.stages)
        and (not filters.doc_ids or record.doc_id in filters.doc_ids)
        and _in_time(record.date, filters.date_from, filters.date_to)
    )


def in_sections(chunk: Chunk, filters: Filters) -> bool:
    """True if the chunk stands under one of the headings that are asked for; letter case does not matter."""
    return _any_of(filters.sections, chunk.section)


def _any_of(wanted: Iterable[str], found: Iterable[str]) -> bool:
    keys = {value.casefold() for value in wanted}
    return not keys or not keys.isdisjoint(value.casefold() for value in found)


def _in_time(date: str, first: str, last: str) -> bool:
    if not (first or last):
        return True
    if not date:
        return False
    return date >= first[: len(date)] and (not last or date[: len(last)] <= last)
