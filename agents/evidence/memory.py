"""The evidence of a run: a closed set of passages with keys. Whoever writes may cite these keys and no
others.

A passage is one of a document, of a tool's reply or of an upload. Keys (E1, E2, ...) are given out in order
of addition and never twice. A snapshot restores the memory exactly, so a resumed run gives out the same keys.

Agents that work side by side have a memory each, with keys from a block of their own (E1001, E2001, ...).
Then no key depends on who was faster, and their memories can be joined as they are.
"""

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from agents.errors import UnknownEvidence
from agents.evidence.fill import Holder, evidence_of
from agents.evidence.sources import Source
from agents.evidence.values import Evidence
from retrieval.values import Passage


@dataclass(frozen=True, slots=True)
class MemoryDump:
    """The whole memory as plain values, fit to be a step's output.

    `calls` holds (call of a tool, keys of the records it gave).
    """

    evidence: tuple[Evidence, ...] = ()
    given: int = 0
    calls: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def without(self, keys: Collection[str]) -> "MemoryDump":
        """The same without some pieces of evidence, and calls that gave them."""
        return replace(
            self,
            evidence=tuple(item for item in self.evidence if item.key not in keys),
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
        self._given = first - 1

    def add(self, passage: Passage, holder: Holder, shown_to: str = "") -> Evidence:
        """Remember a passage; the same one again keeps its key. `shown_to` is as in `Evidence`."""
        uid = evidence_uid(holder.sha256, passage)
        if uid in self._keys:
            return self._evidence[self._keys[uid]]
        self._given += 1
        evidence = evidence_of(f"E{self._given}", uid, passage, holder, shown_to)
        self._put(evidence)
        return evidence

    def add_whole(self, source: Source) -> Evidence:
        """Remember all of a source."""
        return self.add(Passage(source.id, 0, len(source.text), source.text), source)

    def remember_call(self, call: str, keys: Iterable[str]) -> None:
        """Keep which records a call of a tool gave; `call` says which tool, with which arguments."""
        self._calls[call] = tuple(keys)

    def recall(self, call: str) -> tuple[Evidence, ...] | None:
        """What the same call gave before, as far as it is held here; None if it was never made."""
        keys = self._calls.get(call)
        return None if keys is None else tuple(self._evidence[key] for key in keys if key in self._evidence)

    def __contains__(self, key: object) -> bool:
        return key in self._evidence

    def get(self, key: str) -> Evidence:
        """The evidence with this key. Raises `UnknownEvidence` for a key never given out."""
        if key not in self._evidence:
            raise UnknownEvidence(f"{key!r} is no evidence of this run; cite only keys that were given out")
        return self._evidence[key]

    def all(self) -> tuple[Evidence, ...]:
        """All evidence in order of addition."""
        return tuple(self._evidence.values())

    def dump(self) -> MemoryDump:
        """The memory as a value."""
        return MemoryDump(self.all(), self._given, tuple(self._calls.items()))

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
        self._calls.update(snapshot.calls)

    def _put(self, evidence: Evidence) -> None:
        self._evidence[evidence.key] = evidence
        self._keys.setdefault(evidence.uid, evidence.key)


def evidence_uid(document_sha256: str, passage: Passage) -> str:
    """32 hexadecimal digits that depend only on the document's content, the offsets and the text."""
    content = f"{document_sha256}\n{passage.doc_id}\n{passage.start}\n{passage.end}\n{passage.text}"
    return hashlib.sha256(content.encode()).hexdigest()[:32]
