"""Collections of documents, over which rights are given: what belongs to each, by folder, by what the record
says, or by hand.

A document belongs to every collection whose rule it meets, and to the rest (`REST`) if it meets none. Only
who may read all of its collections may read it: no rule can open what another one closes.
"""

from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass

from retrieval.values import DocumentRecord

REST = "everything"
"""The collection of the documents that are in no other one."""
FIELDS = ("document_type", "study_type", "study_id", "phase", "language", "species", "format", "names")
"""What a rule may look at: what a document says of itself, whatever else the archive holds."""
Readable = Callable[[DocumentRecord], bool]
"""Whether a document may be read."""


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection: what lies in its `folders` (paths or beginnings of s3:// URLs), what meets one of the
    conditions `where` (field, value; letter case does not matter), and the `documents` named one by one.
    """

    name: str
    folders: tuple[str, ...] = ()
    where: tuple[tuple[str, str], ...] = ()
    documents: tuple[str, ...] = ()

    def holds(self, record: DocumentRecord) -> bool:
        """Whether a document belongs to it."""
        return (
            record.doc_id in self.documents
            or any(_within(record.path, folder) for folder in self.folders)
            or any(value.casefold() in _values(record, field) for field, value in self.where)
        )


def collections_of(record: DocumentRecord, collections: Iterable[Collection]) -> frozenset[str]:
    """The names of the collections that a document belongs to; never none."""
    return frozenset(one.name for one in collections if one.holds(record)) or frozenset({REST})


def readable(collections: Iterable[Collection], mine: Set[str]) -> Readable:
    """Whether who may read the collections `mine` may read a document."""
    known = tuple(collections)
    return lambda record: collections_of(record, known) <= mine


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")


def _values(record: DocumentRecord, field: str) -> set[str]:
    """The values of a field in small letters; every one of a document's own names for its molecules."""
    found = getattr(record, field)
    if field == "names":
        found = [name for group in found for name in group]
    return {value.casefold() for value in ([found] if isinstance(found, str) else found)}
