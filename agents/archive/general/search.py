"""Search for a factual question: over all documents, or in those that the question names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.archive.answer import SearchedPlace
from agents.archive.corrections import with_corrections
from agents.archive.find import FoundChunk, best, that_write
from agents.archive.general.question import CODE, FactualQuestion, analyse_question, parts_of
from agents.archive.general.words import spelled_times
from agents.archive.tools import ArchiveTools
from agents.archive.versions import NUMBER, numbers_in
from retrieval.molecules.codes import is_code
from retrieval.molecules.lookup import mentions
from retrieval.values import DocumentRecord, Filters, SearchRequest

CHUNKS = 30
MEASURE = re.compile(r"\d+-?[a-z]+|[A-Z]{1,3}\d{1,2}", re.ASCII)
"""What has letters and digits and names no document: "13-week", "80U" is one, "IC50" and "T3" are others."""
FEW_DOCUMENTS = 5
MOST_LISTED = 1_000
"""Documents that a search lists one by one at most."""
OPENING = 600
"""Characters of a document among which it says of which version it is."""
MOST_UNNAMED = 0.25
"""Share of documents without a molecule from which an archive is one of other subjects, too."""


@dataclass(frozen=True, slots=True)
class FoundGenerally:
    """Chunks for a general question, and the `filters` of its search.

    `names` are its words that name documents or molecules, `codes` those that name studies or documents.
    """

    chunks: tuple[FoundChunk, ...]
    names: tuple[str, ...]
    molecules: tuple[str, ...]
    searched: SearchedPlace
    filters: Filters = Filters()
    codes: tuple[str, ...] = ()


async def search_generally(tools: ArchiveTools, text: str, molecules: tuple[str, ...]) -> FoundGenerally:
    """Hybrid search; a document or study that the question names is searched alone."""
    question = analyse_question(text)
    codes, named = await named_documents(tools, question, molecules)
    versions = [found[0] for found in NUMBER.finditer(text)]
    if of_version := await in_version(tools, numbers_in(text), named):
        named = of_version
    filters = Filters(molecules=() if named else molecules, doc_ids=named)
    asked = dict.fromkeys((text, *parts_of(text)))
    records = await tools.index.records(filters)
    searched = len(records)
    if filters.molecules and searched <= MOST_LISTED:
        beside = (record.doc_id for record in (*records, *await of_no_molecule(tools)))
        filters = Filters(doc_ids=tuple(dict.fromkeys(beside)))
        searched = len(filters.doc_ids)
    hits = [await tools.retriever.search(SearchRequest(spelled_times(one), filters, CHUNKS)) for one in asked]
    chunks = await with_corrections(tools, text, best(hits))
    written = [text[start:end] for start, end, _ in mentions(text, await tools.index.molecules())]
    written = [name for name in written if is_code(name) or " " not in name]  # "Compound A" has common words
    names = (*codes, *(written if molecules else ()), *(versions if of_version else ()))
    about = () if named else molecules
    place = SearchedPlace(text, None, searched)
    return FoundGenerally(chunks, tuple(dict.fromkeys(names)), about, place, filters, codes)


async def in_version(tools: ArchiveTools, numbers: set[str], named: Sequence[str]) -> tuple[str, ...]:
    """The documents of which there are versions that are of the one asked for, by id, title or opening."""
    records = await tools.index.records() if numbers else ()
    kept = {one for own in records if own.newest_version for one in (own.doc_id, own.newest_version)}
    opened = await tools.documents.open_all(tools.index, sorted(kept & {*named} if named else kept))
    return tuple(
        one.record.doc_id
        for one in opened
        if numbers & numbers_in(f"{one.record.doc_id}\n{one.record.title}\n{one.document.text[:OPENING]}")
    )


async def of_no_molecule(tools: ArchiveTools) -> tuple[DocumentRecord, ...]:
    """The documents that name no molecule, as a mail or an amendment may that gives only a study's number.

    In an archive with more than a few of them they tell nothing of the molecules, and none is taken.
    """
    records = await tools.index.records()
    unnamed = tuple(record for record in records if not record.molecules)
    return unnamed if len(unnamed) <= min(MOST_UNNAMED * len(records), MOST_LISTED) else ()


async def named_documents(
    tools: ArchiveTools, question: FactualQuestion, molecules: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Codes of the question that name documents or studies, and the few documents that have all its codes.

    A code that is no molecule's name leads to the documents that write it, be it a study, a lot or an animal;
    beside a molecule ("IC50 of X") only one that names a study or document does.
    """
    registry = await tools.index.molecules()
    spelled = " ".join(question.text[start:end] for start, end, _ in mentions(question.text, registry))
    codes = [
        code
        for code in dict.fromkeys(CODE.findall(question.text))
        if code not in spelled and not MEASURE.fullmatch(code)
    ]
    called = {code: await documents_called(tools, code) for code in codes if code not in molecules}
    groups = [doc_ids for doc_ids, is_name in called.values() if doc_ids and (is_name or not molecules)]
    chosen = (set.intersection(*groups) or set().union(*groups)) if groups else set()
    names = tuple(code for code, (doc_ids, is_name) in called.items() if doc_ids and is_name)
    return names, tuple(sorted(chosen))


async def documents_called(tools: ArchiveTools, code: str) -> tuple[set[str], bool]:
    """Documents that a code leads to, and whether it names a study.

    They have it in their id or title, or they are few and write it, as minutes and mails on a study do.
    """
    records = await tools.index.records()
    named = {r.doc_id for r in records if code.lower() in f"{r.doc_id} {r.title}".lower()}
    writing = await that_write(tools, code)
    study = re.compile(
        rf"\b(?:study|protocol|trial|report|project)\W+(?:\w+\W+){{0,3}}{re.escape(code)}\b", re.IGNORECASE
    )
    doc_ids = {chunk.doc_id for chunk in writing}
    few = doc_ids if len(doc_ids) <= FEW_DOCUMENTS else set()
    return named | few, bool(named) or any(study.search(chunk.text) for chunk in writing)
