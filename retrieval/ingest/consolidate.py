"""What follows from all documents of an archive together: its registry of molecules, each document's
molecules as the registry names them, and which documents are versions of one.

A name that one document explains may stand unexplained in others. When the registry has changed, those are
found through the index and read again, not the whole archive.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from retrieval.ingest.record import assign
from retrieval.ingest.versions import copies, newest_versions
from retrieval.molecules.codes import code_key, is_code
from retrieval.molecules.registry import build_registry
from retrieval.ports import Index
from retrieval.values import Document, DocumentRecord, Molecule, SearchRequest

MOST_FOUND = 5_000
"""Chunks asked for with a name; where there are more, every document is read."""
BATCH = 2_000
"""Records written in one transaction."""
ATTEMPTS = 5
"""Looks at an archive that others write to meanwhile; whoever writes last consolidates what is left."""


@dataclass(frozen=True, slots=True)
class State:
    """What the index holds: records by id, and the registry."""

    records: Mapping[str, DocumentRecord]
    registry: Sequence[Molecule]


async def consolidate(index: Index, suspects: Iterable[str] = ()) -> None:
    """Bring what follows up to date with the documents that are in the index; `suspects` are read again.

    It is written only if the index is still what it was computed from.
    """
    written = set(suspects)
    for _ in range(ATTEMPTS):
        now = await state(index)
        if await store(now, await settled(now, index, written), index, written):
            return


async def state(index: Index) -> State:
    """The state of an index."""
    return State({record.doc_id: record for record in await index.records()}, await index.molecules())


async def settled(
    now: State,
    index: Index,
    suspects: AbstractSet[str] = frozenset(),
    read: Callable[[str], None] | None = None,
) -> State:
    """The state that follows from the documents.

    Only documents that a change of the registry may touch are read again, and `suspects`. With `read` every
    one is, and it is called with the id of each.
    """
    records = dict(now.records)
    for doc_id in doubles(now):
        del records[doc_id]
    registry = build_registry(records.values())
    if read is not None or suspects or _named(now.registry) != _named(registry):
        looked = list(records.values())
        renamed = (
            _renamed(looked, now.registry, registry, index, suspects)
            if read is None
            else _all_again(looked, registry, index, read)
        )
        records |= {record.doc_id: record async for record in renamed}
        registry = build_registry(records.values())
    newest = await asyncio.to_thread(newest_versions, list(records.values()))
    twice = copies(list(records.values()))
    linked = {
        name: replace(record, newest_version=newest.get(name, ""), copy_of=twice.get(name, ""))
        for name, record in records.items()
    }
    return State(linked, registry)


def doubles(now: State) -> Iterator[str]:
    """Documents of a file of which there is another one: two processes have read it at once."""
    files: dict[str, str] = {}
    for doc_id, record in sorted(now.records.items()):
        if files.setdefault(record.path, doc_id) != doc_id:
            yield doc_id


async def store(old: State, new: State, index: Index, written: set[str]) -> bool:
    """Write what is new; False if somebody else has written meanwhile. `written` grows by what it wrote."""
    changed = [record for name, record in new.records.items() if old.records[name] != record]
    gone = [name for name in old.records if name not in new.records]
    if not (changed or gone) and new.registry == old.registry:
        return True
    expected = dict(old.records)
    for first in range(0, max(1, len(changed)), BATCH):
        part = changed[first : first + BATCH]
        async with index.write() as writer:
            if await state(index) != State(expected, old.registry):
                return False
            for record in part:
                await writer.put_record(record)
            if first + BATCH >= len(changed):
                for name in gone:
                    await writer.delete(name)
                if new.registry != old.registry:
                    await writer.put_molecules(new.registry)
        written |= {record.doc_id for record in part}
        expected |= {record.doc_id: record for record in part}
    return True


def _named(registry: Sequence[Molecule]) -> list[tuple[str, tuple[str, ...]]]:
    return [(molecule.name, molecule.aliases) for molecule in registry]


async def _all_again(
    records: Sequence[DocumentRecord],
    registry: Sequence[Molecule],
    index: Index,
    read: Callable[[str], None],
) -> AsyncIterator[DocumentRecord]:
    """Every record with its molecules as the text and `registry` say."""
    for record in records:
        if document := await index.document(record.doc_id):
            yield await asyncio.to_thread(_assigned, document, registry)
        read(record.doc_id)


async def _renamed(
    records: Sequence[DocumentRecord],
    stored: Sequence[Molecule],
    registry: Sequence[Molecule],
    index: Index,
    suspects: AbstractSet[str],
) -> AsyncIterator[DocumentRecord]:
    """The records whose molecules are other ones by `registry` than they were by `stored`."""
    before, now = _by_key(stored), _by_key(registry)
    names = {molecule.name for molecule in registry}
    left = {name for key, name in before.items() if now.get(key) != name}
    naming = await _naming(_new_names(registry, before), index)
    for record in records:
        molecules = set(record.molecules)
        news = None if naming is None else naming[record.doc_id] - _own(record, before)
        outdated = molecules & left or molecules - names or record.doc_id in suspects
        if outdated or news is None or news:
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
