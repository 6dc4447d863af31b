"""A check of a whole archive: every document is read again, and what follows from all of them is compared
with what is stored.

An ingest reads again only what it must. What it trusts in may have been spoilt: by two writers of an older
version, by a process that was killed, by a hand in the index.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields

from retrieval.errors import IndexBusy
from retrieval.ingest.consolidate import ATTEMPTS, State, doubles, settled, state, store
from retrieval.ports import Index
from retrieval.values import DocumentRecord, SkippedFile

Progress = Callable[[int, int, str], None]
"""Called with documents done, documents in all, and the id of the one just done."""
NAMES = {
    "molecules": "molecules",
    "main_molecules": "main molecules",
    "newest_version": "newest version",
}
"""What follows from other documents too, as a person reads it."""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What a check found: documents looked at, and each thing that was wrong."""

    documents: int
    wrong: tuple[SkippedFile, ...] = ()
    repaired: bool = False


async def check(index: Index, *, repair: bool = True, progress: Progress | None = None) -> CheckReport:
    """Find what does not follow from the documents, and with `repair` set it right.

    Raises `IndexDamaged` for an index that cannot be read, `IndexBusy` if others keep writing meanwhile.
    """
    written: set[str] = set()
    found: dict[SkippedFile, None] = {}
    for _ in range(ATTEMPTS):
        now = await state(index)
        right = await settled(now, index, written, _counted(len(now.records), progress))
        found |= dict.fromkeys(_wrong(now, right))
        if not repair or await store(now, right, index, written):
            return CheckReport(len(right.records), tuple(found), bool(found) and repair)
    raise IndexBusy(
        "Another process keeps writing to the index. Wait until it has finished, then check again."
    )


def _counted(total: int, progress: Progress | None) -> Callable[[str], None]:
    done = 0

    def read(doc_id: str) -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, total, doc_id)

    return read


def _wrong(now: State, right: State) -> Iterator[SkippedFile]:
    """Each difference in a sentence."""
    for doc_id in doubles(now):
        yield SkippedFile(doc_id, f"The file {now.records[doc_id].path} is in the archive twice.")
    for doc_id, record in right.records.items():
        yield from _differences(now.records[doc_id], record)
    if now.registry != right.registry:
        yield SkippedFile("molecules", "The list of molecules does not follow from the documents.")


def _differences(stored: DocumentRecord, right: DocumentRecord) -> Iterator[SkippedFile]:
    for part in fields(DocumentRecord):
        is_now, should = getattr(stored, part.name), getattr(right, part.name)
        if is_now != should:
            told = f"Its {NAMES.get(part.name, part.name)}: {_said(should)}, stored was {_said(is_now)}."
            yield SkippedFile(stored.doc_id, told)


def _said(value: object) -> str:
    return (", ".join(map(str, value)) if isinstance(value, tuple) else str(value)) or "none"
