"""What experts set right in the record of a document. It stands until they take it back, also when the file
is read again; what was read before is kept beside it.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches

from retrieval.errors import ArchiveNotFound, EditRefused
from retrieval.ingest.consolidate import consolidate
from retrieval.ingest.document_type import TYPES
from retrieval.ingest.record import MOLECULES_SET, assign
from retrieval.molecules.codes import code_key
from retrieval.molecules.registry import build_registry
from retrieval.ports import Index
from retrieval.values import DocumentRecord, StudyStatus

PLAIN = ("title", "document_type", "study_id", "date", "phase")
STATUS = "status"
DATE = re.compile(r"(?:19|20)\d\d(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")


def edited(record: DocumentRecord, changes: Mapping[str, str]) -> DocumentRecord:
    """The record with these fields set; molecules are parted by ";". Raises `EditRefused`."""
    for field, value in changes.items():
        was = _value(record, field)
        record = _with(record, field, " ".join(value.split()))
        record = replace(record, edits=(*record.edits, (field, value, was)))
    return record


def undone(record: DocumentRecord) -> DocumentRecord:
    """The record without its last edit. Raises `EditRefused` if there is none."""
    if not record.edits:
        raise EditRefused(f"Nothing was edited in the record of {record.doc_id}.")
    field, _, was = record.edits[-1]
    return replace(_with(record, field, was), edits=record.edits[:-1])


def reset(record: DocumentRecord) -> DocumentRecord:
    """The record as it was read."""
    while record.edits:
        record = undone(record)
    return record


def carried(fresh: DocumentRecord, edits: tuple[tuple[str, str, str], ...]) -> DocumentRecord:
    """A record that was read anew, with what was edited in the one before."""
    return edited(fresh, {field: value for field, value, _ in edits})


async def edit_document(
    index: Index, doc_id: str, change: Callable[[DocumentRecord], DocumentRecord]
) -> DocumentRecord:
    """Change the record of a document, and what follows from it in the archive.

    Raises `ArchiveNotFound` without such a document, `EditRefused`, `IndexBusy`.
    """
    document = await index.document(doc_id)
    if document is None:
        raise ArchiveNotFound(f"The archive has no document {doc_id!r}. `pestle documents` lists them.")
    changed = change(document.record)
    records = await index.records()
    _check_type(changed, records)
    others = [record for record in records if record.doc_id != doc_id]
    named = assign(changed, document.text, build_registry([*others, changed]))
    async with index.write() as writer:
        await writer.put_record(named)
    await consolidate(index)
    kept = await index.document(doc_id)
    return kept.record if kept else named


def _check_type(changed: DocumentRecord, records: Iterable[DocumentRecord]) -> None:
    """Raise `EditRefused` for a type that neither the house nor any document of the archive has.

    An archive can have types of its own, from front matter; what this document was read to have counts too.
    """
    kind = changed.document_type
    before = (was for record in records for field, _, was in record.edits if field == "document_type")
    known = sorted({*TYPES, *(record.document_type for record in records), *before} - {""})
    if not kind or kind in known:
        return
    spelled = {one.casefold(): one for one in known}
    near = get_close_matches(kind.casefold(), spelled, 1)
    meant = f"; did you mean {spelled[near[0]]!r}?" if near else "."
    raise EditRefused(f"{kind!r} is no type of document{meant} Known are {', '.join(known)}.")


def _value(record: DocumentRecord, field: str) -> str:
    """A field as an edit keeps it."""
    if field == MOLECULES_SET:
        return json.dumps(record.names)
    if field == STATUS:
        return record.status.value if record.status else ""
    if field not in PLAIN:
        raise EditRefused(f"{field!r} cannot be edited; {', '.join((*PLAIN, MOLECULES_SET, STATUS))} can.")
    return str(getattr(record, field))


def _with(record: DocumentRecord, field: str, value: str) -> DocumentRecord:
    """The record with one field set."""
    if field == MOLECULES_SET:
        return replace(record, names=_names(record, value))
    if field == STATUS:
        if value and value not in {status.value for status in StudyStatus}:
            raise EditRefused(f"{value!r} is no status; it is one of {', '.join(StudyStatus)}, or empty.")
        return replace(record, status=StudyStatus(value) if value else None)
    if field == "date" and value and not DATE.fullmatch(value):
        raise EditRefused(f"{value!r} is no date; write 2009, 2009-12 or 2009-12-04.")
    if field == "title" and not value:
        raise EditRefused("A title cannot be empty.")
    return replace(record, **{field: value})  # type: ignore[arg-type]


def _names(record: DocumentRecord, value: str) -> tuple[tuple[str, ...], ...]:
    """Groups of names: those given, each with the other names that the document has for it."""
    if value.startswith("["):
        return tuple(map(tuple, json.loads(value)))
    given = [name.strip() for name in value.split(";") if name.strip()]
    groups = {code_key(name): group for group in record.names for name in group}
    return tuple(groups.get(code_key(name), (name,)) for name in given)
