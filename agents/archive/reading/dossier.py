"""What a model reads of a molecule's documents: the passages that the rules cite, and those that the searches
rank first, in turns from all documents, as much as fits.

A passage is shown with what belongs to it: its paragraph or list, or its table.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from agents.archive.find import Found, FoundChunk, PassageRef
from agents.archive.general.blocks import block_around
from agents.archive.tools import LoadedDocument
from agents.archive.values import Draft
from retrieval.values import Passage, TableRow


def dossier(
    documents: Mapping[str, LoadedDocument], found: Sequence[Found], drafts: Sequence[Draft], room: int
) -> tuple[Passage, ...]:
    """The passages to show, in the order of documents and text, at most `room` characters of them."""
    chosen: list[Passage] = []
    for ref in _ranked(documents, found, drafts):
        if ref.doc_id not in documents or any(_holds(one, ref) for one in chosen):
            continue
        block = _block(documents[ref.doc_id], ref)
        room -= len(block.text)
        if room < 0:
            break
        chosen.append(block)
    dates = {doc_id: one.document.record.date for doc_id, one in documents.items()}
    return tuple(sorted(chosen, key=lambda one: (dates[one.doc_id], one.doc_id, one.start)))


def _holds(block: Passage, ref: PassageRef) -> bool:
    return block.doc_id == ref.doc_id and block.start <= ref.start < block.end


def _block(document: LoadedDocument, ref: PassageRef) -> Passage:
    """What belongs to a passage; a table that begins with its heads has only its caption above it."""
    place = next(i for i, passage in enumerate(document.passages) if passage.start == ref.start)
    block = block_around(document, place)
    begins = next(passage for passage in document.passages if passage.start == block.start)
    has_heads = block.row and begins.row and begins.row.cells == begins.row.header
    return replace(block, row=TableRow(block.row.caption, (), ())) if has_heads and block.row else block


def _ranked(
    documents: Mapping[str, LoadedDocument], found: Sequence[Found], drafts: Sequence[Draft]
) -> Iterator[PassageRef]:
    """What the rules cite, then what the searches rank first: the best chunk of each document, and so on."""
    for draft in drafts:
        for claim in draft.claims:
            yield from (PassageRef(passage.doc_id, passage.start) for passage in claim.passages)
    by_document: dict[str, list[FoundChunk]] = {}
    for chunk in sorted((chunk for one in found for chunk in one.chunks), key=lambda chunk: -chunk.score):
        by_document.setdefault(chunk.doc_id, []).append(chunk)
    for turn in zip_longest(*by_document.values()):
        for chunk in filter(None, turn):
            passages = documents[chunk.doc_id].passages if chunk.doc_id in documents else ()
            inside = (one for one in passages if chunk.start <= one.start < chunk.end)
            yield from (PassageRef(chunk.doc_id, one.start) for one in inside)
