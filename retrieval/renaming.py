"""Keeping the archive's registry of molecules, and each document's molecules as the registry names them.

A name that one document explains may stand unexplained in others. When the registry has changed, those are
found through the index and read again, not the whole archive.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence

from retrieval.codes import code_key
from retrieval.models import Document, DocumentRecord, Filters, Molecule, SearchRequest
from retrieval.molecules import build_registry
from retrieval.ports import Index
from retrieval.record import assign

MOST_FOUND = 5_000
"""Chunks asked for with a name; where there are more, every document is read."""
BATCH = 200
"""Records written in one transaction."""


async def refresh_molecules(index: Index) -> None:
    """Rebuild the registry from the records, and name each document's molecules as it does."""
    records = await index.records()
    stored, registry = await index.molecules(), build_registry(records)
    if [(m.name, m.aliases) for m in stored] != [(m.name, m.aliases) for m in registry]:
        changed = [record async for record in _renamed(records, stored, registry, index)]
        for first in range(0, len(changed), BATCH):
            async with index.write() as writer:
                for record in changed[first : first + BATCH]:
                    await writer.put_record(record)
        registry = build_registry(await index.records() if changed else records)
    if registry != stored:
        async with index.write() as writer:
            await writer.put_molecules(registry)


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
        if molecules & left or molecules - names or naming is None or record.doc_id in naming:
            document = await index.document(record.doc_id)
            if document and (again := await asyncio.to_thread(_assigned, document, registry)) != record:
                yield again


def _assigned(document: Document, registry: Sequence[Molecule]) -> DocumentRecord:
    return assign(document.record, document.text, registry)


def _by_key(molecules: Sequence[Molecule]) -> dict[str, str]:
    """The canonical name for the key of every name."""
    return {code_key(name): m.name for m in molecules for name in (m.name, *m.aliases)}


def _new_names(registry: Sequence[Molecule], before: Mapping[str, str]) -> list[str]:
    """The names, one spelling of each, that were not known before."""
    names = {code_key(name): name for m in registry for name in (*m.aliases, m.name)}
    return [name for key, name in names.items() if key not in before]


async def _naming(names: Sequence[str], index: Index) -> set[str] | None:
    """Ids of the documents with any of the names, and perhaps some more; None if the index cannot tell.

    It cannot where a name is so frequent that a search cuts it off, or passes over it as a word that says
    nothing.
    """
    found: set[str] = set()
    for name in names:
        hits = await index.lexical(SearchRequest(name, Filters(), MOST_FOUND))
        if not 0 < len(hits) < MOST_FOUND:
            return None
        found |= {chunk_id.rpartition("#")[0] for chunk_id, _ in hits}
    return found
