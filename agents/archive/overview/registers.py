"""Registers of studies: documents whose tables list studies, also such that no document here describes."""

from collections.abc import Iterable, Mapping, Sequence

from agents.archive.overview.studies import Study
from agents.archive.research.extractors.study_list import MANY, NUMBER, NUMBER_HEAD, key
from agents.archive.tools import ArchiveTools, LoadedDocument
from retrieval.molecules.lookup import mentions
from retrieval.values import DocumentRecord, Passage

MOST_DOCUMENTS = 150


async def registers_of(
    tools: ArchiveTools, records: Sequence[DocumentRecord], molecules: Sequence[str]
) -> Mapping[str, frozenset[str]]:
    """The registers among the documents of some molecules, each with the numbers of their studies."""
    of_these = [record.doc_id for record in records if not set(molecules).isdisjoint(record.molecules)]
    if len(of_these) > MOST_DOCUMENTS:
        return {}
    registry = await tools.index.molecules()
    found: dict[str, frozenset[str]] = {}
    for one in await tools.documents.open_all(tools.index, of_these):
        rows = study_rows(one)
        if len(rows) >= MANY:
            told = {
                number: {name for _, _, name in mentions(row.text, registry)} for number, row in rows.items()
            }
            found[one.document.record.doc_id] = frozenset(
                number for number, names in told.items() if not names.isdisjoint(molecules)
            )
    return found


def study_rows(one: LoadedDocument) -> dict[str, Passage]:
    """The rows of a document's tables that are about a study, under its number."""
    rows = [passage for passage in one.passages if passage.row is not None]
    return {
        number: passage
        for passage in rows
        if passage.row is not None
        and NUMBER_HEAD.fullmatch(passage.row.header[0])
        and NUMBER.fullmatch(number := passage.row.cells[0].strip())
    }


def only_listed(registers: Mapping[str, Iterable[str]], described: Sequence[Study]) -> list[str]:
    """Numbers of studies that registers list and no document describes."""
    known = [
        key(name)
        for study in described
        for one in study.records
        for name in (one.study_id, one.doc_id)
        if name
    ]
    listed = {number for numbers in registers.values() for number in numbers}
    return sorted(number for number in listed if not any(name.startswith(key(number)) for name in known))
