"""Grounds a draft: every value that it shows gets the passage that carries it, so that the gate lets it pass.

An extractor may word a value from several lines and cite one of them. Here the others are looked for, in the
documents that it cites, and cited too. A value that none of them carries is left as it is: the gate strikes
it. Only what rules drafted is grounded; a model cites by itself.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from agents.archive.tools import LoadedDocument
from agents.archive.values import Draft, DraftClaim, DraftField
from agents.evidence.memory import EvidenceMemory
from agents.text.clauses import clauses
from agents.text.quantities import parse_quantities
from agents.trust.carrier import Carrier, carrier_of
from agents.trust.citations import cited
from agents.trust.support import Support, faults
from agents.trust.values import COUNT, Derivation
from retrieval.values import DocumentRecord, Passage, PassageKind

_DIGITS = re.compile(r"\d+")
_COUNTED = re.compile(r"\b(?P<number>\d+)\s+(?:[a-z-]+\s){0,2}[a-z-]+s\b")
MOST_ADDED = 8


@dataclass(frozen=True, slots=True)
class Found:
    """A passage with what a citation of it would carry."""

    passage: Passage
    carrier: Carrier


def grounded(draft: Draft, documents: Sequence[LoadedDocument]) -> Draft:
    """The draft with the passages of its values, and counts with what they count."""
    draft = counted(draft)
    if not draft.present:
        return draft
    library = _Library(documents)
    own = [passage for claim in draft.claims for passage in claim.passages]
    claims = (*draft.claims, *library.missing(draft, own))
    own = [passage for claim in claims for passage in claim.passages]
    return replace(draft, claims=claims, fields=tuple(library.field(one, own) for one in draft.fields))


def counted(draft: Draft) -> Draft:
    """The draft with tidy fields, and with what its counts count."""
    draft = replace(draft, fields=tuple(map(tidy, draft.fields)))
    return replace(draft, derived=(*draft.derived, *counts(draft)))


def contradictions(conflicts: Iterable[str], documents: Sequence[LoadedDocument]) -> tuple[DraftClaim, ...]:
    """Contradictions between documents as statements that cite the documents they name."""
    library = _Library(documents)
    return tuple(DraftClaim(told, tuple(library.of_sentence(told))) for told in conflicts)


def tidy(field: DraftField) -> DraftField:
    """A field without a unit beside a value that has one already ("25 µg" and "mg")."""
    return replace(field, unit="") if field.unit and parse_quantities(field.value) else field


def counts(draft: Draft) -> Iterator[Derivation]:
    """Numbers of a headline that count the rows of its fields, with the first field of each row."""
    named = tuple(field.value for field in draft.fields if field.field == draft.fields[0].field)
    for match in _COUNTED.finditer(f"{draft.short} {draft.headline}"):
        if int(match["number"]) == len(named) > 0:
            yield Derivation(match["number"], COUNT, named, ())
            return


class _Library:
    """The passages of some documents, by what they carry."""

    def __init__(self, documents: Sequence[LoadedDocument]) -> None:
        self.documents = {document.record.doc_id: document for document in documents}

    def missing(self, draft: Draft, own: Sequence[Passage]) -> Iterator[DraftClaim]:
        """Passages for the values of short answer and headline that no claim carries yet."""
        given = [self.carrier(passage) for passage in own]
        places = list(dict.fromkeys(passage.doc_id for passage in own))
        added: list[Found] = []
        for text in (draft.short, draft.headline):
            for clause in clauses(text):
                support = Support((*given, *(one.carrier for one in added)), draft.derived)
                for fault in faults(clause, support):
                    if len(added) < MOST_ADDED and (found := self.carrying(fault.value, clause, places, own)):
                        added.append(found)
        for one in dict.fromkeys(added):
            yield DraftClaim(one.passage.text, (one.passage,))

    def field(self, field: DraftField, own: Sequence[Passage]) -> DraftField:
        """A field with passages that carry its value: its own, those of the claims, or others nearby."""
        text = f"{field.value} {field.unit}".strip()
        support = Support(tuple(map(self.carrier, field.passages)))
        wanted = list(faults(text, support))
        if not wanted:
            return field
        known = [passage for passage in own if not list(faults(text, Support((self.carrier(passage),))))]
        places = list(dict.fromkeys(passage.doc_id for passage in (*field.passages, *own)))
        near = field.passages or own
        more = known[:1] or [
            found.passage for one in wanted if (found := self.carrying(one.value, "", places, near))
        ]
        return replace(field, passages=tuple(dict.fromkeys((*field.passages, *more))))

    def of_sentence(self, text: str) -> Iterator[Passage]:
        """Passages of the documents that a sentence names which carry its values."""
        named = [doc_id for doc_id in self.documents if doc_id in text]
        for doc_id in named:
            if passages := self.documents[doc_id].passages:
                yield passages[0]
        for fault in faults(text, Support(())):
            if found := self.carrying(fault.value, "", named, ()):
                yield found.passage

    def carrying(
        self, value: str, clause: str, places: Sequence[str], near: Sequence[Passage]
    ) -> Found | None:
        """The passage that carries a value, nearest to those given; first in documents the clause names."""
        digits = set(_DIGITS.findall(value))
        ordered = sorted((doc for doc in places if doc in self.documents), key=lambda doc: doc not in clause)
        for doc_id in ordered:
            starts = [passage.start for passage in near if passage.doc_id == doc_id]
            candidates = [
                passage
                for passage in self.documents[doc_id].passages
                if passage.kind is not PassageKind.HEADING and digits <= set(_DIGITS.findall(passage.text))
            ]
            for passage in sorted(candidates, key=lambda one: _distance(one, starts)):
                carrier = self.carrier(passage)
                if not any(faults(value, Support((carrier,)))):
                    return Found(passage, carrier)
        return None

    def carrier(self, passage: Passage) -> Carrier:
        """What a citation of a passage would carry."""
        document = self.documents.get(passage.doc_id)
        return passage_carrier(passage, document.record if document else None)


def passage_carrier(passage: Passage, record: DocumentRecord | None) -> Carrier:
    """What a citation of a passage of this document would carry."""
    holder = record or DocumentRecord(passage.doc_id, path="", sha256="", format="", title="")
    evidence = EvidenceMemory().add(passage, holder)
    return carrier_of(cited(1, evidence, evidence.start, evidence.end))


def _distance(passage: Passage, starts: Sequence[int]) -> int:
    return min((abs(passage.start - start) for start in starts), default=passage.start)
