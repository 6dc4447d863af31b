"""The evidence of a run: a closed set of passages with keys. Whoever writes may cite these keys and no
others.

A passage is one of a document, of a tool's reply or of an upload. Keys (E1, E2, ...) are given out in order
of addition and never twice, also after a deletion. A snapshot restores the memory exactly, so a resumed run
gives out the same keys.

Agents that work side by side have a memory each, with keys from a block of their own (E1001, E2001, ...).
Then no key depends on who was faster, and their memories can be joined as they are.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from agents.errors import UnknownEvidence
from agents.evidence.fill import Holder, evidence_of
from agents.evidence.values import Evidence, Provenance
from retrieval.values import Passage


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
class MemoryDump:
    """The whole memory as plain values, fit to be a step's output.

    `superseded` holds (old key, new key); `calls` holds (call of a tool, keys of the records it gave).
    """

    evidence: tuple[Evidence, ...] = ()
    superseded: tuple[tuple[str, str], ...] = ()
    trace: tuple[Trace, ...] = ()
    given: int = 0
    calls: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def without(self, keys: Collection[str]) -> "MemoryDump":
        """The same without some pieces of evidence, what became of them, and calls that gave them."""
        return replace(
            self,
            evidence=tuple(item for item in self.evidence if item.key not in keys),
            superseded=tuple(pair for pair in self.superseded if not set(pair) & set(keys)),
            trace=tuple(trace for trace in self.trace if trace.key not in keys),
            calls=tuple(call for call in self.calls if not set(call[1]) & set(keys)),
        )


def holder(evidence: Evidence, shown: Iterable[Evidence]) -> Evidence | None:
    """The first of what was shown that holds a piece of evidence whole."""
    same = (item for item in shown if item.doc_id == evidence.doc_id)
    return next((item for item in same if item.start <= evidence.start and evidence.end <= item.end), None)


class EvidenceMemory:
    """The evidence of one run, by key. `first` is the number of the first key."""

    def __init__(self, first: int = 1) -> None:
        self._evidence: dict[str, Evidence] = {}
        self._keys: dict[str, str] = {}
        self._calls: dict[str, tuple[str, ...]] = {}
        self._superseded: dict[str, str] = {}
        self._trace: list[Trace] = []
        self._given = first - 1

    def add(self, passage: Passage, holder: Holder, provenance: Provenance) -> Evidence:
        """Remember a passage. The same passage again keeps its key; who saw it again goes into the trace."""
        uid = evidence_uid(holder.sha256, passage)
        how = f"{provenance.tool}: {provenance.query}"
        if uid in self._keys:
            known = self._evidence[self._keys[uid]]
            self._note("seen again", known.key, provenance.agent, how)
            return known
        self._given += 1
        evidence = evidence_of(f"E{self._given}", uid, passage, holder, provenance)
        self._put(evidence)
        self._note("added", evidence.key, provenance.agent, how)
        return evidence

    def remember_call(self, call: str, keys: Iterable[str]) -> None:
        """Keep which records a call of a tool gave; `call` says which tool, with which arguments."""
        self._calls[call] = tuple(keys)

    def recall(self, call: str) -> tuple[Evidence, ...] | None:
        """What the same call gave before, less what was deleted since; None if it was never made."""
        keys = self._calls.get(call)
        return None if keys is None else tuple(self._evidence[key] for key in keys if key in self._evidence)

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
        *_, last = self._successors(key)
        return self.get(last)

    def update(self, key: str, passage: Passage, holder: Holder, by: str, reason: str) -> Evidence:
        """Let a key stand for a better slice of the same text. Raises `ValueError` for another one."""
        old = self.get(key)
        if passage.doc_id != old.doc_id:
            raise ValueError(
                f"{key} is from {old.doc_id}; add the passage of {passage.doc_id} as new evidence"
            )
        uid = evidence_uid(holder.sha256, passage)
        self._forget(old)
        self._put(evidence_of(key, uid, passage, holder, old.provenance))
        self._note("updated", key, by, reason)
        return self._evidence[key]

    def supersede(self, key: str, by_key: str, by: str, reason: str) -> None:
        """Mark that one piece replaces another; both stay readable. Raises `ValueError` for a circle."""
        self.get(key)
        self.get(by_key)
        if key in self._successors(by_key):
            raise ValueError(f"{by_key} is itself superseded by {key}")
        self._superseded[key] = by_key
        self._note("superseded", key, by, f"by {by_key}: {reason}")

    def delete(self, key: str, by: str, reason: str) -> None:
        """Take a piece out; its key is never given out again."""
        self._forget(self.get(key))
        del self._evidence[key]
        self._superseded = {old: new for old, new in self._superseded.items() if key not in (old, new)}
        self._note("deleted", key, by, reason)

    def trace(self) -> tuple[Trace, ...]:
        """Every change, oldest first."""
        return tuple(self._trace)

    def dump(self) -> MemoryDump:
        """The memory as a value."""
        calls = tuple(self._calls.items())
        return MemoryDump(self.all(), tuple(self._superseded.items()), self.trace(), self._given, calls)

    @classmethod
    def load(cls, snapshot: MemoryDump) -> "EvidenceMemory":
        """A memory equal to the one that was dumped."""
        memory = cls(snapshot.given + 1)
        memory._take(snapshot)
        return memory

    @classmethod
    def joined(cls, snapshots: Iterable[MemoryDump], first: int = 1) -> "EvidenceMemory":
        """A memory of all that these know, which gives out new keys from `first` on.

        Their keys must come from blocks of their own, or from a common past. Raises `ValueError` where one
        key stands for two things.
        """
        memory = cls(first)
        for snapshot in snapshots:
            memory._take(snapshot)
        return memory

    def _take(self, snapshot: MemoryDump) -> None:
        """Add what a snapshot holds."""
        for item in snapshot.evidence:
            if self._evidence.get(item.key, item).uid != item.uid:
                raise ValueError(f"{item.key} stands for two things; give each memory a block of its own")
            self._put(item)
        self._superseded.update(snapshot.superseded)
        self._calls.update(snapshot.calls)
        known = set(self._trace)
        self._trace += [trace for trace in snapshot.trace if trace not in known]

    def _successors(self, key: str) -> Iterator[str]:
        """The key, what superseded it, what superseded that, and so on."""
        yield key
        while key in self._superseded:
            key = self._superseded[key]
            yield key

    def _put(self, evidence: Evidence) -> None:
        self._evidence[evidence.key] = evidence
        self._keys.setdefault(evidence.uid, evidence.key)

    def _forget(self, evidence: Evidence) -> None:
        """No longer answer with this key for its passage."""
        if self._keys.get(evidence.uid) == evidence.key:
            del self._keys[evidence.uid]

    def _note(self, action: str, key: str, by: str, detail: str) -> None:
        self._trace.append(Trace(action, key, by, detail))


def evidence_uid(document_sha256: str, passage: Passage) -> str:
    """32 hexadecimal digits that depend only on the document's content, the offsets and the text."""
    content = f"{document_sha256}\n{passage.doc_id}\n{passage.start}\n{passage.end}\n{passage.text}"
    return hashlib.sha256(content.encode()).hexdigest()[:32]
