"""What follows from all documents of an archive together: its registry of molecules, each document's
molecules as the registry names them, and which documents are versions of one.

A name that one document explains may stand unexplained in others. When the registry has changed, those are
found through the index and read again, not the whole archive.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace

from retrieval.ingest.record import assign
from retrieval.ingest.versions import newest_versions
from retrieval.molecules.codes import code_key, is_code
from retrieval.molecules.lookup import build_registry
from retrieval.ports import Index
from retrieval.values import Document, DocumentRecord, Molecule, SearchRequest

MOST_FOUND = 5_000
"""Chunks asked for with a name; where there are more, every document is read."""
BATCH = 200
"""Records written in one transaction."""


async def consolidate(index: Index) -> None:
    """Bring what follows up to date with the documents that are in the index."""
    await _refresh_molecules(index)
    await _link_versions(index)


async def _refresh_molecules(index: Index) -> None:
    """Rebuild the registry from the records, and name each document's molecules as it does."""
    records = await index.records()
    stored, registry = await index.molecules(), build_registry(records)
    if [(m.name, m.aliases) for m in stored] != [(m.name, m.aliases) for m in registry]:
        changed = [record async for record in _renamed(records, stored, registry, index)]
        await _write(changed, index)
        registry = build_registry(await index.records() if changed else records)
    if registry != stored:
        async with index.write() as writer:
            await writer.put_molecules(registry)


async def _link_versions(index: Index) -> None:
    """Note in each record which document is the newest version of it."""
    records = await index.records()
    newest = await asyncio.to_thread(newest_versions, records)
    linked = (replace(record, newest_version=newest.get(record.doc_id, "")) for record in records)
    await _write([new for old, new in zip(records, linked, strict=True) if new != old], index)


async def _write(records: Sequence[DocumentRecord], index: Index) -> None:
    for first in range(0, len(records), BATCH):
        async with index.write() as writer:
            for record in records[first : first + BATCH]:
                await writer.put_record(record)


async def _renamed(
    records: Sequence[DocumentRecord], stored: Sequence[Molecule], registry: Sequence[Molecule], index: Index
) -> AsyncIterator[DocumentRecord]:
    """The records whose molecules are other ones by `registry` than they were by `stored`."""
    before, now = _by_key(stored), _by_key(registry)
    names = {molecule.name for molecule in registry}
    left = {name for key, name in before.items() if now.get(key) != name}
    naming = await _naming(_new_names(registry, before), index)
    for record in records:
        molecules = set(record.molecules)
        news = None if naming is None else naming[record.doc_id] - _own(record, before)
        if molecules & left or molecules - names or news is None or news:
            document = await index.document(record.doc_id)
            if document and (again := await asyncio.to_thread(_assigned, document, registry)) != record:
                yield again


def _assigned(document: Document, registry: Sequence[Molecule]) -> DocumentRecord:
    return assign(document.record, document.text, registry)


def _by_key(molecules: Sequence[Molecule]) -> dict[str, str]:
    """The canonical name for the key of every name."""
    return {code_key(name): m.name for m in molecules for name in (m.name, *m.aliases)}


def _own(record: DocumentRecord, before: Mapping[str, str]) -> set[str]:
    """Keys of the names that a document brought into the archive itself: it was read with them in mind."""
    groups = [{code_key(name) for name in group} for group in record.names]
    return {key for group in groups if group.isdisjoint(before) for key in group}


def _new_names(registry: Sequence[Molecule], before: Mapping[str, str]) -> dict[str, str]:
    """The names that were not known before, one spelling of each, by key."""
    names = {code_key(name): name for m in registry for name in (*m.aliases, m.name)}
    return {key: name for key, name in names.items() if key not in before}


async def _naming(names: Mapping[str, str], index: Index) -> Mapping[str, set[str]] | None:
    """For the id of a document the keys of the names that it may have; None if the index cannot tell.

    It cannot where a name is so frequent that a search cuts it off, or passes over it as a word that says
    nothing.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for key, name in names.items():
        # A code is found however it is written; of a name of several words, the first tells most.
        text = key if is_code(name) else name.split()[0]
        hits = await index.lexical(SearchRequest(text, limit=MOST_FOUND))
        if not 0 < len(hits) < MOST_FOUND:
            return None
        for chunk_id, _ in hits:
            found[chunk_id.rpartition("#")[0]].add(key)
    return found
