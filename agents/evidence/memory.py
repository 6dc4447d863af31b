"""The evidence of a run: a closed set of passages with keys. Whoever writes may cite these keys and no
others.

Keys (E1, E2, ...) are given out in order of addition and never twice, also after a deletion. A snapshot
restores the memory exactly, so a resumed run gives out the same keys.
"""

import hashlib
from dataclasses import dataclass, replace

from agents.errors import UnknownEvidence
from agents.evidence.values import Evidence, Provenance
from retrieval.values import DocumentRecord, Passage


@dataclass(frozen=True, slots=True)
class Trace:
    """One change of the memory: what was done to which key, by which agent, and why.

    `action` is "added", "seen again", "updated", "superseded" or "deleted".
    """

    action: str
    key: str
    by: str
    detail: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole memory as plain values, fit to be a step's output. `superseded` holds (old key, new key)."""

    evidence: tuple[Evidence, ...] = ()
    superseded: tuple[tuple[str, str], ...] = ()
    trace: tuple[Trace, ...] = ()
    given: int = 0


class EvidenceMemory:
    """The evidence of one run, by key."""

    def __init__(self) -> None:
        self._evidence: dict[str, Evidence] = {}
        self._superseded: dict[str, str] = {}
        self._trace: list[Trace] = []
        self._given = 0

    def add(self, passage: Passage, record: DocumentRecord, provenance: Provenance) -> Evidence:
        """Remember a passage. The same passage again keeps its key; who saw it again goes into the trace."""
        uid = evidence_uid(record.sha256, passage)
        how = f"{provenance.tool}: {provenance.query}"
        for known in self._evidence.values():
            if known.uid == uid:
                self._note("seen again", known.key, provenance.agent, how)
                return known
        self._given += 1
        evidence = _evidence(f"E{self._given}", uid, passage, record, provenance)
        self._evidence[evidence.key] = evidence
        self._note("added", evidence.key, provenance.agent, how)
        return evidence

    def __contains__(self, key: object) -> bool:
        return key in self._evidence

    def get(self, key: str) -> Evidence:
        """The evidence with this key. Raises `UnknownEvidence` for a key never given out, or deleted."""
        if key not in self._evidence:
            raise UnknownEvidence(f"{key!r} is no evidence of this run; cite only keys that were given out")
        return self._evidence[key]

    def all(self) -> tuple[Evidence, ...]:
        """All evidence in order of addition, superseded pieces included."""
        return tuple(self._evidence.values())

    def current(self) -> tuple[Evidence, ...]:
        """Evidence that nothing has superseded, in order of addition."""
        return tuple(item for item in self._evidence.values() if item.key not in self._superseded)

    def successor(self, key: str) -> Evidence:
        """The evidence that stands for this key now: itself, or what superseded it in the end."""
        while key in self._superseded:
            key = self._superseded[key]
        return self.get(key)

    def update(self, key: str, passage: Passage, record: DocumentRecord, by: str, reason: str) -> Evidence:
        """Let a key stand for a better slice of the same document. Raises `ValueError` for another one."""
        old = self.get(key)
        if passage.doc_id != old.doc_id:
            raise ValueError(
                f"{key} is from {old.doc_id}; add the passage of {passage.doc_id} as new evidence"
            )
        uid = evidence_uid(record.sha256, passage)
        self._evidence[key] = _evidence(key, uid, passage, record, old.provenance)
        self._note("updated", key, by, reason)
        return self._evidence[key]

    def supersede(self, key: str, by_key: str, by: str, reason: str) -> None:
        """Mark that one piece replaces another; both stay readable. Raises `ValueError` for a circle."""
        self.get(key)
        if self.successor(by_key).key == key:
            raise ValueError(f"{by_key} is itself superseded by {key}")
        self._superseded[key] = by_key
        self._note("superseded", key, by, f"by {by_key}: {reason}")

    def delete(self, key: str, by: str, reason: str) -> None:
        """Take a piece out; its key is never given out again."""
        self.get(key)
        del self._evidence[key]
        self._superseded = {old: new for old, new in self._superseded.items() if key not in (old, new)}
        self._note("deleted", key, by, reason)

    def trace(self) -> tuple[Trace, ...]:
        """Every change, oldest first."""
        return tuple(self._trace)

    def dump(self) -> Snapshot:
        """The memory as a value."""
        return Snapshot(self.all(), tuple(self._superseded.items()), self.trace(), self._given)

    @classmethod
    def load(cls, snapshot: Snapshot) -> "EvidenceMemory":
        """A memory equal to the one that was dumped."""
        memory = cls()
        memory._evidence = {item.key: item for item in snapshot.evidence}
        memory._superseded = dict(snapshot.superseded)
        memory._trace = list(snapshot.trace)
        memory._given = snapshot.given
        return memory

    def _note(self, action: str, key: str, by: str, detail: str) -> None:
        self._trace.append(Trace(action, key, by, detail))


def evidence_uid(document_sha256: str, passage: Passage) -> str:
    """32 hexadecimal digits that depend only on the document's content, the offsets and the text."""
    content = f"{document_sha256}\n{passage.doc_id}\n{passage.start}\n{passage.end}\n{passage.text}"
    return hashlib.sha256(content.encode()).hexdigest()[:32]


def _evidence(
    key: str, uid: str, passage: Passage, record: DocumentRecord, provenance: Provenance
) -> Evidence:
    evidence = Evidence(
        key=key,
        uid=uid,
        doc_id=passage.doc_id,
        title=record.title,
        start=passage.start,
        end=passage.end,
        text=passage.text,
        provenance=provenance,
        section=passage.section,
        page=passage.page,
        context=_context(passage),
        date=record.date,
        document_type=record.document_type,
        newest_version=record.newest_version,
    )
    if (row := passage.row) is None:
        return evidence
    return replace(evidence, caption=row.caption, header=row.header, cells=row.cells)


def _context(passage: Passage) -> str:
    """Headings above a passage, and a row's caption and header: what tells a reader where this stands."""
    lines = [" > ".join(passage.section)]
    if passage.row is not None:
        lines += [passage.row.caption, " | ".join(passage.row.header)]
    return "\n".join(filter(None, lines))
