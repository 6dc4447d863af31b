"""The answer without a model to any question that is not a typed one: the three passages that come closest.

Rules select and state nothing. A language model reads and writes (`agents.archive.general.agent`).
"""

from collections.abc import Sequence
from dataclasses import replace

from agents.archive.corrections import beside_corrections
from agents.archive.find import PassageRef
from agents.archive.general.blocks import apart, block_around
from agents.archive.general.ranking import NearPassage, RankedPassages
from agents.archive.general.render import render_passage
from agents.archive.general.search import FoundGenerally
from agents.archive.tools import ArchiveTools, LoadedDocument
from agents.archive.values import Draft, DraftClaim, GeneralDraft

ABSENT = "Not stated in the archive."
OFFERED = 6
"""Closest passages at most; the first three that pass the check of claims are shown."""


async def answer_generally(
    tools: ArchiveTools, found: FoundGenerally, review: RankedPassages
) -> GeneralDraft:
    """The passages that come closest, a correction beside what it corrects."""
    columns = {near.ref: near.column for near in review.closest}
    refs = await beside_corrections(tools, tuple(columns))
    near = [NearPassage(ref, columns.get(ref)) for ref in refs]
    opened = await tools.documents.open_all(tools.index, dict.fromkeys(ref.doc_id for ref in refs))
    documents = {one.document.record.doc_id: one for one in opened}
    places = [(documents[one.ref.doc_id], one) for one in near if one.ref.doc_id in documents]
    draft = closest(places)
    if review.unspoken:
        draft = replace(draft, not_found=nothing_speaks(review.unspoken, found.searched.documents))
    return GeneralDraft(draft, found.searched)


def nothing_speaks(words: Sequence[str], documents: int) -> str:
    """That nothing speaks of what is asked."""
    where = "the document" if documents == 1 else f"{documents} documents"
    return f"Nothing in {where} speaks of {' or '.join(words)}."


def closest(places: Sequence[tuple[LoadedDocument, NearPassage]]) -> Draft:
    """Passages, each told in short and cited with what stands around it; nothing where none comes close."""
    found = [place_of(document, near.ref) for document, near in places]
    blocks = [block_around(document, place) for (document, _), place in zip(places, found, strict=True)]
    claims = tuple(
        DraftClaim(render_passage(document.passages[found[i]], near.column), (blocks[i],))
        for i in apart(blocks)[:OFFERED]
        for document, near in (places[i],)
    )
    return Draft(False, "", "" if claims else ABSENT, claims, closest=bool(claims))


def place_of(document: LoadedDocument, ref: PassageRef) -> int:
    """Where in a document the passage stands that begins where a reference says."""
    return next(i for i, passage in enumerate(document.passages) if passage.start == ref.start)
