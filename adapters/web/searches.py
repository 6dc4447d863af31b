"""The searches of a run with the passages that they kept and refused, each with its text and its address."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from agents.evidence.looked import Looked, Refusal, Spot
from retrieval.ports import Index
from retrieval.values import Document

SHOWN = 12
"""Passages shown of each sort; how many more there are is told."""
BEGINNING = 240
"""Characters of a passage."""


@dataclass(frozen=True, slots=True)
class Found:
    """A passage, or a value that was read. `address` opens it; "" where there is nothing to open."""

    text: str
    title: str = ""
    address: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Search:
    """A search as the page tells it. `looked` has also what is not listed."""

    looked: Looked
    kept: tuple[Found, ...]
    refused: tuple[Found, ...]


async def searches(trail: Sequence[Looked], index: Index) -> list[Search]:
    """What a run looked at, with the texts of the archive as it is now."""
    wanted = {spot.doc_id for one in trail for spot in _spots(one)}
    documents = {doc_id: await index.document(doc_id) for doc_id in sorted(wanted)}
    return [
        Search(
            one,
            tuple(_passage(spot, documents[spot.doc_id]) for spot in one.kept[:SHOWN]),
            tuple(_refused(refusal, documents) for refusal in one.refused[:SHOWN]),
        )
        for one in trail
    ]


def _spots(one: Looked) -> list[Spot]:
    return [*one.kept[:SHOWN], *(refusal.spot for refusal in one.refused[:SHOWN] if refusal.spot)]


def _refused(refusal: Refusal, documents: dict[str, Document | None]) -> Found:
    if refusal.spot is None:
        return Found(refusal.what, reason=refusal.reason)
    return _passage(refusal.spot, documents[refusal.spot.doc_id], refusal.reason)


def _passage(spot: Spot, document: Document | None, reason: str = "") -> Found:
    """A passage as it begins, on one line."""
    if document is None:
        return Found("This document is not in the archive any more.", spot.doc_id, reason=reason)
    line = document.text.find("\n", spot.start)
    end = spot.end or (line if line >= 0 else len(document.text))
    text = " ".join(document.text[spot.start : min(end, spot.start + BEGINNING)].split())
    address = f"/documents/{quote(spot.doc_id, safe='')}?start={spot.start}&end={end}"
    return Found(text, document.record.title, address, reason)
